import type { RuleSet } from '../rule.ts';
import { allowanceContexts } from './allowances.ts';
import { codeContexts } from './codes.ts';
import { documentContexts, documentRules } from './document.ts';
import { lineContexts } from './lines.ts';
import { partyContexts } from './parties.ts';
import { paymentContexts } from './payment.ts';
import { syntaxContexts } from './syntax.ts';
import { grossIsNetPlusTax, totalsContexts } from './totals.ts';
import { unusedContext } from './unused.ts';
import { vatAmountContexts } from './vat-amounts.ts';
import { vatDocumentRules } from './vat-documents.ts';

/** Published rules that no document can break. */
const notApplicable: Readonly<Record<string, string>> = {
  'BR-CO-05':
    'Published as always true: reason text and reason code cannot be compared by machine.',
  'BR-CO-06':
    'Published as always true: reason text and reason code cannot be compared by machine.',
  'BR-CO-07':
    'Published as always true: reason text and reason code cannot be compared by machine.',
  'BR-CO-08':
    'Published as always true: reason text and reason code cannot be compared by machine.',
  'BR-DEC-13':
    'Looks for the currency inside the amount, where none can stand; UBL-DT-01 covers it.',
  'BR-DEC-15':
    'Looks for the currency inside the amount, where none can stand; UBL-DT-01 covers it.',
};

/** EN 16931 for UBL (CEN 1.3.16): the European core that Peppol BIS Billing restricts. */
export const en16931: RuleSet = {
  id: 'EN16931-UBL',
  version: '1.3.16',
  notApplicable,
  patterns: [
    {
      name: 'model',
      contexts: [
        { each: [''], rules: [...documentRules, grossIsNetPlusTax, ...vatDocumentRules] },
        ...documentContexts,
        ...partyContexts,
        ...paymentContexts,
        ...allowanceContexts,
        ...totalsContexts,
        ...lineContexts,
        ...vatAmountContexts,
      ],
    },
    { name: 'syntax', contexts: syntaxContexts },
    // Published within `syntax`; as a separate pattern it gives the same verdict, because it is for
    // the root only.
    { name: 'unused', contexts: [unusedContext] },
    { name: 'codes', contexts: codeContexts },
  ],
};
