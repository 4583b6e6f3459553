import { reach } from '../language/element.ts';
import { anywhere, counted, present, rule } from '../language/rule-kinds.ts';
import type { Context } from '../rule.ts';
import { oneThirdLine } from './parties.ts';

/** Payment instructions. */
export const paymentContexts: readonly Context[] = [
  {
    each: anywhere(
      'cac:PaymentMeans/cac:PayeeFinancialAccount/cac:FinancialInstitutionBranch/cac:Address',
    ),
    rules: [oneThirdLine('ibr-sr-59', 'IBT-174', "The payee's bank branch")],
  },
  {
    each: anywhere('cac:PaymentMeans'),
    rules: [
      present(
        'ibr-049',
        'code',
        ['IBT-081', 'IBG-16'],
        'A payment instruction needs its means of payment.',
      ),
      counted(
        'ibr-sr-27',
        'code',
        1,
        ['IBT-081'],
        'A payment instruction has one means of payment.',
      ),
      counted(
        'ibr-sr-28',
        'mandate.id',
        1,
        ['IBT-089'],
        'A payment instruction has one mandate reference.',
      ),
      counted('ibr-sr-46', 'name', 1, ['IBT-082'], 'The means of payment is named once.'),
    ],
  },
];

/** Terms of payment, and preceding invoices. */
export const termContexts: readonly Context[] = [
  {
    each: anywhere('cac:PaymentTerms'),
    rules: [
      counted('ibr-sr-05', 'note', 1, ['IBT-020'], 'Payment terms are one text.'),
      counted(
        'ibr-sr-60',
        'instruction_id',
        1,
        ['IBT-187'],
        'Payment terms refer to one payment instruction.',
      ),
    ],
  },
  {
    each: anywhere('cac:BillingReference'),
    rules: [
      present('ibr-055', 'number', ['IBT-025', 'IBG-03'], 'A preceding invoice needs its number.'),
      present(
        'ibr-sr-07',
        'number',
        ['IBT-025', 'IBG-03'],
        'A preceding invoice is referred to by its number.',
      ),
      counted(
        'ibr-sr-06',
        'invoice_reference',
        1,
        ['IBT-025', 'IBG-03'],
        'Each preceding invoice stands in a reference of its own.',
      ),
    ],
  },
];

/** What was paid before, and who receives the delivery. */
export const closingContexts: readonly Context[] = [
  {
    each: anywhere('cac:PrepaidPayment'),
    match: (node) => node.position === 1,
    rules: [
      rule(
        'ibr-093',
        ['IBT-113', 'IBT-180'],
        'A payment is listed, but the total paid amount is missing.',
        (node) => reach(node.parent!, 'cac:LegalMonetaryTotal/cbc:PrepaidAmount').length > 0,
      ),
    ],
  },
  {
    each: anywhere('cac:Delivery'),
    rules: [
      counted(
        'ibr-108',
        'party_name',
        1,
        ['IBT-070'],
        'The delivery party has more than one name.',
      ),
    ],
  },
];
