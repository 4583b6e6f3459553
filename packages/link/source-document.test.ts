import { expect, test } from 'vitest';
import { readSourceDocument } from './source-document.ts';

const row = { origin: 'invoice', key: '1', values: { number: 'INV-1', total: null } };
const document = { ref: 'INV-1', sections: { header: [row], lines: [] } };

test('a document reads without what is not known of it', () => {
  const more = { ...document, sections: { header: [{ ...row, more: 1 }], lines: [] }, more: 1 };
  expect(readSourceDocument(more)).toEqual(document);
  expect(readSourceDocument({ ...document, xml: '<a/>' })).toEqual({ ...document, xml: '<a/>' });
  const hostile = JSON.parse('{"ref":"1","sections":{"__proto__":[]}}');
  expect(Object.keys(readSourceDocument(hostile)!.sections)).toEqual(['__proto__']);
});

test.each([
  ['is null', null],
  ['is a list', []],
  ['has no ref', { sections: {} }],
  ['has an empty ref', { ...document, ref: '' }],
  ['has a long ref', { ...document, ref: 'x'.repeat(513) }],
  ['has an XML that is no text', { ...document, xml: 1 }],
  ['has a section that is no list', { ref: '1', sections: { header: row } }],
  ['has a section of a long name', { ref: '1', sections: { ['x'.repeat(65)]: [] } }],
  ['has a row that is none', { ref: '1', sections: { header: [1] } }],
  ['has a row without a key', { ref: '1', sections: { header: [{ ...row, key: undefined }] } }],
  ['has a number as a value', { ref: '1', sections: { header: [{ ...row, values: { a: 1 } }] } }],
  ['has a list of values', { ref: '1', sections: { header: [{ ...row, values: ['a'] }] } }],
  [
    'has a long column',
    { ref: '1', sections: { h: [{ ...row, values: { ['x'.repeat(257)]: '' } }] } },
  ],
  [
    'has too many rows',
    { ref: '1', sections: { a: Array(30_000).fill(row), b: Array(30_000).fill(row) } },
  ],
])('what %s is no document', (_, value) => {
  expect(readSourceDocument(value)).toBeUndefined();
});
