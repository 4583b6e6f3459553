import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson } from './json.ts';
import { recordLimits } from './limits.ts';

const read = (text: string) => readJson(Buffer.from(text), { origin: 'a.json' });

function values(text: string, section = 'header', document = 0) {
  const outcome = read(text);
  if (outcome.kind !== 'documents') throw new Error(outcome.error.message);
  return outcome.documents[document]?.[section]?.map((row) => ({ key: row.key, ...row.values }));
}

describe('a JSON file becomes sections', () => {
  test('scalars are the header, objects flatten with dots, arrays are sections', () => {
    const text = JSON.stringify({
      number: 'INV-1',
      paid: false,
      note: null,
      customer: { name: 'Zoë', address: { city: 'Gent' } },
      lines: [{ sku: 'A', item: { qty: 2 } }, { sku: 'B' }],
      tags: ['x', 'y'],
      empty: [],
    });
    expect(values(text)).toEqual([
      {
        key: '1',
        number: 'INV-1',
        paid: 'false',
        note: null,
        'customer.name': 'Zoë',
        'customer.address.city': 'Gent',
      },
    ]);
    expect(values(text, 'lines')).toEqual([
      { key: '1', sku: 'A', 'item.qty': '2' },
      { key: '2', sku: 'B' },
    ]);
    expect(values(text, 'tags')).toEqual([
      { key: '1', value: 'x' },
      { key: '2', value: 'y' },
    ]);
    expect(values(text, 'empty')).toEqual([]);
  });

  test('an object called header is the header itself', () => {
    expect(values('{"header":{"number":"1","buyer":{"id":"7"}},"lines":[]}')).toEqual([
      { key: '1', number: '1', 'buyer.id': '7' },
    ]);
  });

  test('an array inside a line names the line it belongs to', () => {
    const text = '{"lines":[{"sku":"A"},{"sku":"B","taxes":[{"rate":"5"}]}]}';
    expect(values(text, 'lines.taxes')).toEqual([{ key: '2.1', '#parent': '2', rate: '5' }]);
  });

  test('an array of documents gives each of them', () => {
    expect(values('[{"n":"1"},{"n":"2"}]', 'header', 1)).toEqual([{ key: '1', n: '2' }]);
  });

  test.each([
    ['1.10', '1.10'],
    ['12345678901234567890.123456789', '12345678901234567890.123456789'],
    ['1e3', '1000'],
    ['-1.5E-3', '-0.0015'],
    ['0', '0'],
  ])('the number %s keeps its digits', (written, text) => {
    expect(values(`{"amount":${written}}`)).toEqual([{ key: '1', amount: text }]);
  });

  test('a member called __proto__ is an ordinary column', () => {
    const outcome = read('{"__proto__":{"polluted":"yes"},"lines":[{"__proto__":"x"}]}');
    expect(outcome).toMatchObject({ kind: 'documents' });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('a JSON file that cannot be read gives the reason', () => {
  test.each([
    ['', 'empty', undefined],
    ['{"a":1,\n "b":}', 'not_json', 2],
    ['{"a":1', 'not_json', 1],
    ['[1]', 'not_a_document', undefined],
    ['"text"', 'not_a_document', undefined],
    ['{"header":[{"a":1}]}', 'section_duplicate', undefined],
    ['{"a.b":1,"a":{"b":2}}', 'column_duplicate', undefined],
    ['{"a":'.repeat(20) + '1' + '}'.repeat(20), 'too_deep', undefined],
    ['['.repeat(100_000) + ']'.repeat(100_000), 'too_deep', undefined],
  ])('%j', (text, code, line) => {
    const outcome = read(text);
    expect(outcome).toMatchObject({ kind: 'unreadable', error: { code } });
    if (line !== undefined) expect(outcome).toMatchObject({ error: { line } });
  });

  test.each([
    ['rows', { rowsMax: 2 }, 'too_many_rows'],
    ['columns', { columnsMax: 1 }, 'too_many_columns'],
    ['values', { valueLengthMax: 2 }, 'value_too_long'],
    ['bytes', { bytesMax: 10 }, 'too_large'],
  ])('limits of %s hold', (_name, change, code) => {
    const bytes = Buffer.from('{"a":"xyz","b":"2","lines":[{},{}]}');
    expect(readJson(bytes, { origin: 'a', limits: { ...recordLimits, ...change } })).toMatchObject({
      kind: 'unreadable',
      error: { code },
    });
  });

  test('it never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        readJson(bytes, { origin: 'a' });
      }),
    );
  });
});
