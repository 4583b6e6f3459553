import type { TaxCategories } from '../tax-categories.ts';

/** Sales tax is charged at 5 and 10 %, service tax at other rates. */
const salesTaxRates: ReadonlySet<number> = new Set([5, 10]);

/** Sales and service tax of Malaysia. */
export const taxCategories: TaxCategories = {
  usualCodes: {
    SA: 'SA',
    'ST-10': 'SA',
    'ST-5': 'SA',
    'S-10': 'SA',
    'S-5': 'SA',
    SE: 'SE',
    'SV-8': 'SE',
    'SV-6': 'SE',
    SV: 'SE',
    SST: 'SE',
    TTX: 'TTX',
    E: 'E',
    ES: 'E',
    EX: 'E',
    O: 'O',
    NT: 'O',
    NR: 'O',
    ZR: 'O',
  },
  taxed: 'SA',
  untaxed: 'O',
  ofRate: (rate) => (salesTaxRates.has(rate) ? 'SA' : 'SE'),
};
