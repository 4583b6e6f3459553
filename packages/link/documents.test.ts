import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { packDocuments, unpackDocuments } from './documents.ts';
import { limits } from './limits.ts';

const document = (ref: string) => {
  const header = [{ origin: 'invoice', key: ref, values: { number: ref, total: null } }];
  return { ref, sections: { header } };
};

test('documents come back in their order, with gaps where one must be asked for', () => {
  const texts = [JSON.stringify(document('a')), null, JSON.stringify(document('b'))];
  expect(unpackDocuments(packDocuments(texts))).toEqual([document('a'), null, document('b')]);
});

test.each([
  ['is not compressed', Buffer.from('[]')],
  ['is no JSON', deflateRawSync('[')],
  ['is no list of documents', deflateRawSync('[{"ref":1}]')],
  [
    'has too many documents',
    deflateRawSync(JSON.stringify(Array(limits.pageRefsMax + 1).fill(null))),
  ],
  [
    'unfolds to more than the limit',
    deflateRawSync(Buffer.alloc(limits.batchTextBytesMax + 1, ' ')),
  ],
])('content that %s does not read', (_, content) => {
  expect(unpackDocuments(content)).toBeUndefined();
});
