import { anywhere, rule } from '../language/rule-kinds.ts';
import { exists, reads } from '../language/statement.ts';
import { normalizeSpace } from '../language/xpath.ts';
import type { Context, RuleSet } from '../rule.ts';
import { allowanceContexts, priceContext } from './allowances.ts';
import {
  creditNoteProjects,
  currencyContext,
  documentContexts,
  emptyElements,
} from './document.ts';
import { identifierContexts } from './identifiers.ts';
import { baseQuantityContext, lineContexts } from './lines.ts';
import { nationalPatterns } from './national/patterns.ts';
import { restrictionContexts } from './restrictions.ts';
import { billing, selfBilling, type Variant } from './variant.ts';

const directDebit: Context = {
  each: anywhere('cac:PaymentMeans'),
  match: reads('cbc:PaymentMeansCode', (code) => ['49', '59'].includes(normalizeSpace(code))),
  rules: [
    rule(
      'PEPPOL-EN16931-R061',
      ['IBT-089'],
      'A direct debit needs the reference of its mandate.',
      exists('cac:PaymentMandate/cbc:ID'),
    ),
  ],
};

/** Peppol BIS Billing 3.0 on top of EN 16931, with the national rules. */
export const peppolBis: RuleSet = ruleSetOf(billing);

/** Peppol BIS Self-Billing 3.0: no national rules, its own identifiers and type codes. */
export const peppolBisSelfBilling: RuleSet = ruleSetOf(selfBilling);

function ruleSetOf(variant: Variant): RuleSet {
  return {
    id: variant.id,
    version: variant.version,
    patterns: [
      emptyElements,
      creditNoteProjects,
      {
        name: 'transaction',
        contexts: [
          ...documentContexts(variant),
          ...allowanceContexts,
          directDebit,
          currencyContext(variant),
          ...lineContexts,
          priceContext,
          baseQuantityContext,
          ...identifierContexts,
        ],
      },
      ...(variant.national ? nationalPatterns : []),
      { name: 'restrictions', contexts: restrictionContexts(variant) },
    ],
  };
}
