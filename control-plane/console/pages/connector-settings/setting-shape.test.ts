import { connectorKinds } from '@drawbridge/connectors/registry.ts';
import { settingsSchema } from '@drawbridge/connectors/settings-schema.ts';
import { expect, test } from 'vitest';
import { settingLabels } from './setting-labels.ts';
import {
  jsonOf,
  pairsOf,
  partsOf,
  problemAt,
  type SettingSchema,
  shapeOf,
  withoutSecrets,
  withValue,
} from './setting-shape.ts';

const schemaOf = (name: string) =>
  settingsSchema(connectorKinds.find(({ kind }) => kind === name)!.settings) as SettingSchema;

test.each([
  ['postgres', 'host', 'text'],
  ['postgres', 'port', 'number'],
  ['postgres', 'tls', 'choice'],
  ['postgres', 'tlsCa', 'long-text'],
  ['postgres', 'sections', 'json'],
  ['postgres', 'changes', 'group'],
  ['postgres', 'writeBack', 'variants'],
  ['files', 'subfolders', 'switch'],
  ['files', 'kinds', 'several'],
  ['files', 'lineColumns', 'lines'],
  ['files', 'sheets', 'json'],
  ['http', 'auth', 'variants'],
  ['http', 'headers', 'pairs'],
  ['http', 'read', 'group'],
] as const)('of %s, %s is shown as %s', (kind, name, shape) => {
  expect(shapeOf(schemaOf(kind).properties![name]!)).toBe(shape);
});

test('what must be told of a source is never folded away, and never JSON', () => {
  for (const { kind, layout = [] } of connectorKinds) {
    const schema = schemaOf(kind);
    const main = partsOf(schema, layout).find(({ key }) => key === 'main')!.names;
    expect(main).toEqual(expect.arrayContaining([...(schema.required ?? [])]));
    for (const name of main) expect(shapeOf(schema.properties![name]!)).not.toBe('json');
  }
});

test('what is emptied is left out', () => {
  expect(withValue({ a: 1 }, 'b', 'x')).toEqual({ a: 1, b: 'x' });
  expect(withValue({ a: 1, b: 'x' }, 'b', '')).toEqual({ a: 1 });
  expect(withValue({ a: 1, b: { c: 2 } }, 'b', {})).toEqual({ a: 1 });
  expect(withValue({}, 'on', false)).toEqual({ on: false });
});

test('masked secrets are left out, at any depth', () => {
  const shown = { host: 'h', password: '••••••••', auth: { value: '••••••••' }, list: ['a'] };
  expect(withoutSecrets(shown)).toEqual({ host: 'h', list: ['a'] });
});

test('texts become pairs and JSON, or nothing while they are typed', () => {
  expect(pairsOf('X-Branch: 7\n\nX-At: 10:30')).toEqual({ 'X-Branch': '7', 'X-At': '10:30' });
  expect(pairsOf('X-Branch')).toBeUndefined();
  expect(jsonOf('{"a": 1}')).toEqual({ a: 1 });
  expect(['{', '1', 'null'].map(jsonOf)).toEqual([undefined, undefined, undefined]);
});

test('a problem is told at its setting, or at the one that holds it', () => {
  const problems = { 'settings.host': ['is missing'], 'settings.sections.header': ['no key'] };
  expect(problemAt(problems, 'settings.host', false)).toBe('is missing');
  expect(problemAt(problems, 'settings.sections', true)).toBe('header: no key');
  expect(problemAt(problems, 'settings', false)).toBeUndefined();
});

test('every setting has a name in each language', () => {
  const titles = connectorKinds.flatMap(({ kind }) => titlesIn(schemaOf(kind)));
  expect(titles.filter((title) => !Object.hasOwn(settingLabels, title))).toEqual([]);
});

/** The titles of all fields that a form has. */
function titlesIn({ properties = {}, oneOf = [] }: SettingSchema): string[] {
  const own = Object.values(properties).flatMap((each) => {
    const isDeeper = ['group', 'variants'].includes(shapeOf(each));
    return [each.title!, ...(isDeeper ? titlesIn(each) : [])];
  });
  return [...own, ...oneOf.flatMap(titlesIn)];
}
