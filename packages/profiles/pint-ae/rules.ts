import type { Context, RuleSet } from '@drawbridge/rules/rule.ts';
import { allowanceContexts, priceContexts } from './allowance-rules.ts';
import { codeContexts } from './code-rules.ts';
import { documentContexts, exchangeRateContexts, paymentMeansContexts } from './document-rules.ts';
import { itemContexts, lineContexts } from './line-rules.ts';
import { otherAddressContexts, partyContexts, taxNumberContexts } from './party-rules.ts';
import { breakdownContexts, categoryContexts } from './tax-rules.ts';

// As published: an element meets only the first context that it matches.
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

/** Published rules that cannot be broken. */
const notApplicable: Readonly<Record<string, string>> = {
  'ibr-187-ae': 'Published as always true: no number of digits is asked for yet.',
};

/** The rules of the Emirates, beside the shared ones. */
export const pintAe: RuleSet = {
  id: 'PINT-AE',
  version: '1.0.4',
  notApplicable,
  patterns: [
    { name: 'model', contexts: model },
    { name: 'codes', contexts: codeContexts },
  ],
};

/** Self-billing has the same rules; only the document types differ, which is a code list. */
export const pintAeSelfBilling: RuleSet = { ...pintAe, id: 'PINT-AE-SB' };
