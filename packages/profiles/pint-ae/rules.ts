import type { Context, RuleSet } from '@drawbridge/rules/rule.ts';
import { allowanceContexts, priceContexts } from './allowance-rules.ts';
import { codeContexts } from './code-rules.ts';
import { documentContexts, exchangeRateContexts, paymentMeansContexts } from './document-rules.ts';
import { itemContexts, lineContexts } from './line-rules.ts';
import { otherAddressContexts, partyContexts, taxNumberContexts } from './party-rules.ts';
import { breakdownContexts, categoryContexts } from './tax-rules.ts';

// As published: for an element only the first context that it matches counts.
const model: readonly Context[] = [
  ...partyContexts,
  ...priceContexts,
  ...paymentMeansContexts,
  ...otherAddressContexts,
  ...allowanceContexts,
  ...exchangeRateContexts,
  ...lineContexts,
  ...documentContexts,
  ...itemContexts,
  ...breakdownContexts,
  ...categoryContexts,
  ...taxNumberContexts,
];

/** Published rules that no document can break. */
const notApplicable: Readonly<Record<string, string>> = {
  'ibr-187-ae': 'Published as always true: no number of digits is asked for yet.',
};

/** The rules of the Emirates, in addition to the shared ones. */
export const pintAe: RuleSet = {
  id: 'PINT-AE',
  version: '1.0.4',
  notApplicable,
  patterns: [
    { name: 'model', contexts: model },
    { name: 'codes', contexts: codeContexts },
  ],
};

/** The rules of self-billing: the same, except for the code list of document types. */
export const pintAeSelfBilling: RuleSet = { ...pintAe, id: 'PINT-AE-SB' };
