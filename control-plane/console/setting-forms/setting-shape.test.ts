import { connectorKinds } from '@drawbridge/connectors/registry.ts';
import { expect, test } from 'vitest';
import { channels } from '../../channels/registry.ts';
import { voiceProviders } from '../../channels/voice-registry.ts';
import { settingsSchema } from '../../platform/setting-forms/settings-schema.ts';
import { settingHelps } from './setting-helps.ts';
import { settingLabels } from './setting-labels.ts';
import {
  optionsOf,
  pairsOf,
  partsOf,
  problemAt,
  type SettingSchema,
  settingChanges,
  shapeOf,
  summaryOf,
  withoutSecrets,
  withValue,
} from './setting-shape.ts';

const all = [...connectorKinds, ...channels, ...voiceProviders].map(
  ({ settings }) => settingsSchema(settings) as SettingSchema,
);
const schemaOf = (name: string) =>
  settingsSchema(connectorKinds.find(({ kind }) => kind === name)!.settings) as SettingSchema;

test.each([
  ['postgres', 'host', 'text'],
  ['postgres', 'port', 'number'],
  ['postgres', 'tls', 'choice'],
  ['postgres', 'tlsCa', 'long-text'],
  ['postgres', 'sections', 'entries'],
  ['postgres', 'changes', 'group'],
  ['postgres', 'writeBack', 'options'],
  ['files', 'subfolders', 'switch'],
  ['files', 'kinds', 'several'],
  ['files', 'lineColumns', 'lines'],
  ['files', 'sheets', 'entries'],
  ['files', 'skipRows', 'list'],
  ['http', 'auth', 'options'],
  ['http', 'headers', 'pairs'],
  ['http', 'children', 'entries'],
  ['http', 'read', 'group'],
] as const)('of %s, %s is shown as %s', (kind, name, shape) => {
  expect(shapeOf(schemaOf(kind).properties![name]!)).toBe(shape);
});

test('what must be told of a source is never folded away', () => {
  for (const { kind, layout = [] } of connectorKinds) {
    const schema = schemaOf(kind);
    const main = partsOf(schema, layout).find(({ key }) => key === 'main')!.names;
    expect(main).toEqual(expect.arrayContaining([...(schema.required ?? [])]));
  }
});

test('every field of every setting has a control, and every form of a value a name', () => {
  for (const schema of all) {
    for (const each of within(schema)) {
      const shape = shapeOf(each);
      if (shape === 'text') expect(['string', 'null']).toContain(each.type);
      if (shape !== 'options') continue;
      const titles = optionsOf(each).map(({ title }) => title);
      expect(titles).not.toContain('');
      expect(new Set(titles).size).toBe(titles.length);
    }
  }
});

const sections = schemaOf('postgres').properties!.sections!.additionalProperties as SettingSchema;
const where = optionsOf(sections)[0]!.schema.properties!.where!;
const auth = schemaOf('http').properties!.auth!;

test.each([
  ['a table', sections, { table: 'invoice', key: 'id' }, 'Table or view'],
  ['a query', sections, { query: 'select 1', key: 'id' }, 'Query'],
  ['what is only begun', sections, { key: 'id' }, undefined],
  ['a text', where.additionalProperties as SettingSchema, '1', 'Value'],
  ['no value', where.additionalProperties as SettingSchema, null, 'No value (NULL)'],
  ['nothing', where.additionalProperties as SettingSchema, undefined, undefined],
  ['a word of its own member', auth, { type: 'basic', user: 'a' }, 'basic'],
])('%s is seen to be the form that it is', (_, schema, value, title) => {
  expect(optionsOf(schema).find(({ isOf }) => isOf(value))?.title).toBe(title);
});

test('what is folded away says what it is', () => {
  expect(summaryOf({ headerLine: 1, table: 'invoice', key: 'id' })).toBe('invoice');
  expect(summaryOf('net')).toBe('net');
  expect(summaryOf(null)).toBe('');
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

test('a change removes what was emptied, and leaves a secret alone that was not written', () => {
  const shown = { from: 'ACME', rate: '10', auth_token: '••••••••', webhook_secret: '••••••••' };
  const values = { rate: '20', webhook_secret: 'a new one' };
  expect(settingChanges(shown, values)).toEqual({
    from: null,
    rate: '20',
    webhook_secret: 'a new one',
  });
});

test('texts become pairs, or nothing while they are typed', () => {
  expect(pairsOf('X-Branch: 7\n\nX-At: 10:30')).toEqual({ 'X-Branch': '7', 'X-At': '10:30' });
  expect(pairsOf('X-Branch')).toBeUndefined();
});

test('a problem is told at its setting, or at the one that holds it', () => {
  const problems = { 'settings.host': ['is missing'], 'settings.sections.header': ['no key'] };
  expect(problemAt(problems, 'settings.host', false)).toBe('is missing');
  expect(problemAt(problems, 'settings.sections', true)).toBe('header: no key');
  expect(problemAt(problems, 'settings', false)).toBeUndefined();
});

test('every setting has its name and its help in each language', () => {
  const told = all.flatMap((schema) => within(schema));
  const titles = told.flatMap(({ title = [] }) => title);
  const helps = told.flatMap(({ description = [] }) => description);
  expect(titles.filter((title) => !Object.hasOwn(settingLabels, title))).toEqual([]);
  expect(helps.filter((help) => !Object.hasOwn(settingHelps, help))).toEqual([]);
});

test('no text is kept for settings that there are no more', () => {
  const told = all.flatMap((schema) => within(schema));
  const texts = new Set(told.flatMap(({ title, description }) => [title, description]));
  const known = [...Object.keys(settingLabels), ...Object.keys(settingHelps)];
  expect(known.filter((text) => !texts.has(text))).toEqual([]);
});

/** All schemas in a schema, names of members included, without itself. */
function within(schema: SettingSchema): SettingSchema[] {
  const { properties = {}, items, additionalProperties: each, propertyNames } = schema;
  const { oneOf = [], anyOf = [] } = schema;
  const below = [
    ...Object.values(properties),
    ...[items, propertyNames].flatMap((part) => part ?? []),
    ...(typeof each === 'object' ? [each] : []),
    ...oneOf,
    ...anyOf,
  ];
  return below.flatMap((part) => [part, ...within(part)]);
}
