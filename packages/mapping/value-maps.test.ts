import { profile } from '@drawbridge/profiles/bis-3.0/profile.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import { expect, test } from 'vitest';
import { coverage } from './coverage.ts';
import type { Mapping } from './mapping.ts';
import { valueMaps } from './value-maps.ts';

test('values that no code was found for are asked, and count as missing', () => {
  const documents = ['Germany', 'Deutschland', 'Utopia', ''].map((country, at): SourceDocument => {
    const row = { origin: 'CUSTOMERS', key: String(at), values: { COUNTRY: country } };
    return { ref: String(at), sections: { customer: [row] } };
  });
  const target = 'buyer.address.country';
  const mapping: Mapping = {
    fields: [
      {
        target,
        from: { section: 'customer', column: 'COUNTRY' },
        transforms: [{ kind: 'map', list: 'countries', values: {} }],
        status: 'approved',
      },
    ],
  };
  const maps = valueMaps(mapping, profile.codeLists.billing, documents);
  expect(maps).toEqual([
    {
      target,
      section: 'customer',
      column: 'COUNTRY',
      list: 'countries',
      values: 3,
      recognised: 2,
      unrecognised: ['Utopia'],
    },
  ]);
  const { fields } = coverage(mapping, profile.fields, profile.filled, maps);
  expect(fields.find(({ path }) => path === target)).toMatchObject({
    state: 'missing',
    message: expect.stringContaining('3 values were seen, 2 of them recognised: say what "Utopia"'),
  });
});
