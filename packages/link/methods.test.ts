import { expect, test } from 'vitest';
import { methods } from './methods.ts';

const row = { origin: 'OINV', key: '1', values: { DocNum: '1', Comments: null } };

test('a document reads back with the columns of its source', () => {
  const found = { kind: 'found', document: { ref: '1', sections: { header: [row] } } };
  expect(methods['connector.read'].result.parse(found)).toEqual(found);
});

test.each([
  { what: 'a number as value', values: { DocNum: 1 } },
  { what: 'a value over its limit', values: { DocNum: 'x'.repeat(1_048_577) } },
])('a document with $what is refused', ({ values }) => {
  const found = {
    kind: 'found',
    document: { ref: '1', sections: { header: [{ ...row, values }] } },
  };
  expect(methods['connector.read'].result.safeParse(found).success).toBe(false);
});

test('a column named like the prototype reaches no prototype', () => {
  const text = JSON.stringify({
    kind: 'found',
    document: { ref: '1', sections: { header: [row] } },
  }).replace('"DocNum"', '"__proto__"');
  methods['connector.read'].result.safeParse(JSON.parse(text));
  expect(({} as Record<string, unknown>).DocNum).toBeUndefined();
});

const read = methods['connector.read'].result;
test.each([
  ['nothing', undefined],
  ['text', 'found'],
  ['an unknown kind', { kind: 'perhaps' }],
  ['a document without sections', { kind: 'found', document: { ref: '1' } }],
  ['a fault without retry', { kind: 'unreachable', fault: { code: 'x', message: 'y' } }],
])('%s is no outcome of a read', (_name, result) => {
  expect(read.safeParse(result).success).toBe(false);
});

test('a document has at most 50,000 rows, in all its sections together', () => {
  const rows = Array.from({ length: 25_000 }, () => row);
  const withLines = (lines: unknown[]) =>
    read.safeParse({ kind: 'found', document: { ref: '1', sections: { header: rows, lines } } });
  expect(withLines(rows).success).toBe(true);
  expect(withLines([...rows, row]).success).toBe(false);
});
