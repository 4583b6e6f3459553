import { expect, test } from 'vitest';
import einvoicing from '../../../openapi/einvoice.json' with { type: 'json' };
import messaging from '../../../openapi/messaging.json' with { type: 'json' };
import { fieldsOf, limitsOf, type Schema, type Schemas, typeOf } from './schema.ts';

const schemas: Schemas = {
  Line: { type: 'object', properties: { note: { type: 'string', maxLength: 9 } } },
  Tree: {
    type: 'object',
    properties: { children: { items: { $ref: '#/components/schemas/Tree' } } },
  },
};
const line = { $ref: '#/components/schemas/Line' };

test.each<[string, Schema, string, readonly string[]]>([
  ['a text', { type: 'string', pattern: '^a' }, 'string', ['pattern ^a']],
  ['an instant', { type: 'string', format: 'date-time', pattern: '^2' }, 'date-time', []],
  ['a text or nothing', { type: ['string', 'null'] }, 'string or null', []],
  ['a choice', { enum: ['a', 'b'], default: 'a' }, 'any', ['"a" | "b"', 'default "a"']],
  ['a list', { items: line, maxItems: 3 }, 'Line[]', ['maxItems 3']],
  ['a map', { additionalProperties: { type: 'number' } }, 'map of number', []],
  ['one or none', { anyOf: [line, { type: 'null' }] }, 'Line or null', []],
])('%s', (_, schema, type, limits) => {
  expect([typeOf(schema, schemas), limitsOf(schema, schemas)]).toEqual([type, limits]);
});

test.each<[string, Schema, readonly string[]]>([
  ['of an object', line, ['note']],
  ['of a list of objects', { items: line }, ['note']],
  ['of an object that may be missing', { anyOf: [line, { type: 'null' }] }, ['note']],
  [
    'of kinds',
    { anyOf: [line, { items: { $ref: '#/components/schemas/Tree' } }] },
    ['Line', 'Tree[]'],
  ],
  ['of what holds itself', { $ref: '#/components/schemas/Tree' }, ['children']],
])('fields %s', (_, schema, names) => {
  expect(fieldsOf(schema, schemas).map(({ name }) => name)).toEqual(names);
});

test('every reference of both files is found', () => {
  for (const { components } of [einvoicing, messaging]) {
    const known = components.schemas as unknown as Schemas;
    for (const [, name] of JSON.stringify(known).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      expect(Object.keys(known)).toContain(name);
    }
  }
});
