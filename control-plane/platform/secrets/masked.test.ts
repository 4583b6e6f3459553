import { connectorKinds } from '@drawbridge/connectors/registry.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { maskedPath, maskSettings } from './masked.ts';

const secret = z.string().meta({ secret: true });
const hidden = '••••••••';

test.each([
  ['a plain field', z.object({ a: secret }), { a: 'x' }, { a: hidden }],
  ['one that may be absent', z.object({ a: secret.optional() }), { a: 'x' }, { a: hidden }],
  ['one with a default', z.object({ a: secret.default('y') }), { a: 'x' }, { a: hidden }],
  ['one that may be null', z.object({ a: secret.nullable() }), { a: 'x' }, { a: hidden }],
  [
    'one in a union told apart by a field',
    z.discriminatedUnion('m', [
      z.object({ m: z.literal('1') }),
      z.object({ m: z.literal('2'), a: secret }),
    ]),
    { m: '2', a: 'x' },
    { m: '2', a: hidden },
  ],
  ['one in a record', z.record(z.string(), secret), { k: 'x' }, { k: hidden }],
  [
    'one in a list',
    z.object({ l: z.array(z.object({ a: secret })) }),
    { l: [{ a: 'x' }] },
    { l: [{ a: hidden }] },
  ],
  [
    'one of the prototype’s names',
    z.object({ a: z.string() }),
    { toString: 'x' },
    { toString: hidden },
  ],
  ['one that the schema does not know', z.object({ a: z.string() }), { b: 'x' }, { b: hidden }],
])('%s is masked', (_, schema, settings, shown) => {
  expect(maskSettings(schema, settings)).toEqual(shown);
});

test('what is no secret is shown as it is', () => {
  const settings = { file: '/erp.db', sections: { header: { table: 'T', where: { a: null } } } };
  const sqlite = connectorKinds.find((each) => each.kind === 'sqlite')!;
  expect(maskSettings(sqlite.settings, settings)).toEqual(settings);
});

test('the mask is found wherever it stands', () => {
  expect(maskedPath({ a: { b: hidden } })).toBe('a.b');
  expect(maskedPath({ a: ['x', hidden] })).toBe('a.1');
  expect(maskedPath({ a: `${hidden}x`, b: null })).toBeUndefined();
});
