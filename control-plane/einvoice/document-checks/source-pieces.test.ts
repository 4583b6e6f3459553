import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentOf, gatherDocument, piecesOf } from './source-pieces.ts';

const value = fc.option(fc.string({ unit: 'binary', maxLength: 5 }));
const row = fc.record({
  origin: fc.string({ maxLength: 3 }),
  key: fc.string({ maxLength: 3 }),
  values: fc.dictionary(fc.string({ maxLength: 4 }), value, { maxKeys: 3, noNullPrototype: true }),
});

test('a document comes back as it was, also with more rows than a piece has, and with none', () => {
  const rows = fc.oneof(
    fc.array(row, { maxLength: 3 }),
    row.map((one) => Array.from({ length: 501 }, (_, at) => ({ ...one, key: String(at) }))),
  );
  const sections = fc.dictionary(fc.string({ maxLength: 5 }), rows, {
    maxKeys: 3,
    noNullPrototype: true,
  });
  return fc.assert(
    fc.asyncProperty(sections, async (given) => {
      const document = { ref: 'INV-1', sections: given };
      const pieces = await piecesOf(document);
      expect(documentOf(structuredClone(pieces))).toEqual(document);
      expect(await gatherDocument(pieces)).toEqual(document);
    }),
    { numRuns: 100 },
  );
});
