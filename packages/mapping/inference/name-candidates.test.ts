import { profile } from '@drawbridge/profiles/pint-my/profile.ts';
import { expect, test } from 'vitest';
import { infer } from '../infer.ts';

test.each([
  ['customer_party', undefined],
  ['seller', 'MSICCode'],
])(
  'a known column of a table of firms is the seller’s only in the row of the seller: %s',
  (section, column) => {
    const known = { section, origin: 'TaxEntity', column: 'MSICCode', samples: ['46599'] };
    const proposed = infer([known], profile).fields;
    const field = proposed.find(({ target }) => target === 'seller.industry_code');
    expect(field?.from?.column).toBe(column);
  },
);
