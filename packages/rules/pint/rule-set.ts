import type { RuleSet } from '../rule.ts';
import { allowanceContexts } from './allowances.ts';
import { codeContexts } from './codes.ts';
import { documentContexts } from './document.ts';
import { amountContexts, documentReferenceContexts, formContexts } from './elements.ts';
import { identifierContexts } from './identifiers.ts';
import { itemContexts, lineContexts, lineDetailContexts } from './lines.ts';
import {
  buyerContexts,
  deliveryAddressContexts,
  payeeContexts,
  representativeContexts,
  sellerContexts,
  taxRegistrationContexts,
} from './parties.ts';
import { closingContexts, paymentContexts, termContexts } from './payment.ts';
import { periodContexts } from './periods.ts';
import { taxTotalContexts, totalContexts } from './totals.ts';

/** The rules that all PINT countries share. Each country has its own code lists. */
export const pint: RuleSet = {
  id: 'PINT',
  version: '1.1.3',
  patterns: [
    {
      name: 'model',
      // As published: for an element only the first context that it matches counts.
      contexts: [
        ...identifierContexts,
        ...allowanceContexts,
        ...documentReferenceContexts,
        ...buyerContexts,
        ...deliveryAddressContexts,
        ...totalContexts,
        ...documentContexts,
        ...lineContexts,
        ...periodContexts,
        ...itemContexts,
        ...payeeContexts,
        ...paymentContexts,
        ...amountContexts,
        ...termContexts,
        ...sellerContexts,
        ...representativeContexts,
        ...taxTotalContexts,
        ...taxRegistrationContexts,
        ...formContexts,
        ...lineDetailContexts,
        ...closingContexts,
      ],
    },
    { name: 'codes', contexts: codeContexts },
  ],
};
