import type { Node } from '@drawbridge/cim/node.ts';
import type { Term } from '@drawbridge/cim/terms.ts';
import { elementText } from '../../language/element.ts';
import { anywhere, has, rule } from '../../language/rule-kinds.ts';
import { decimalAt, normalizeSpace } from '../../language/xpath.ts';
import type { Pattern, Rule } from '../../rule.ts';
import type { Scope } from '../../scope.ts';
import { isAt } from '../countries.ts';

const fromNetherlands = (scope: Scope): boolean => isAt(scope, 'seller', 'NL');

const withinNetherlands = (scope: Scope): boolean =>
  isAt(scope, 'seller', 'NL') && isAt(scope, 'buyer', 'NL');

const paymentMeansCodes = ['30', '48', '49', '57', '58', '59'];

/** Rules for Dutch sellers. */
export const netherlands: Pattern = {
  name: 'Netherlands',
  contexts: [
    {
      each: anywhere('cbc:CreditNoteTypeCode'),
      when: fromNetherlands,
      rules: [
        rule(
          'NL-R-001',
          ['IBT-025'],
          'A Dutch credit note refers to the invoice it credits.',
          (_, { root }) => has(root, 'preceding_invoices.number'),
        ),
      ],
    },
    {
      each: anywhere('cac:AccountingSupplierParty/cac:Party/cac:PostalAddress'),
      when: fromNetherlands,
      rules: [addressRule('NL-R-002', 'IBG-05', 'a Dutch seller')],
    },
    {
      each: anywhere('cac:AccountingSupplierParty/cac:Party/cac:PartyLegalEntity/cbc:CompanyID'),
      when: fromNetherlands,
      rules: [registrationRule('NL-R-003', 'IBT-030', 'a Dutch seller')],
    },
    {
      each: anywhere('cac:AccountingCustomerParty/cac:Party/cac:PostalAddress'),
      when: withinNetherlands,
      rules: [addressRule('NL-R-004', 'IBG-08', 'a Dutch buyer')],
    },
    {
      each: anywhere('cac:AccountingCustomerParty/cac:Party/cac:PartyLegalEntity/cbc:CompanyID'),
      when: withinNetherlands,
      rules: [registrationRule('NL-R-005', 'IBT-047', 'a Dutch buyer')],
    },
    {
      each: anywhere('cac:TaxRepresentativeParty/cac:PostalAddress'),
      when: (scope) => isAt(scope, 'seller', 'NL') && isAt(scope, 'tax_representative', 'NL'),
      rules: [addressRule('NL-R-006', 'IBG-12', 'a Dutch tax representative')],
    },
    {
      each: anywhere('cac:LegalMonetaryTotal'),
      when: fromNetherlands,
      rules: [
        rule(
          'NL-R-007',
          ['IBT-081', 'IBT-115'],
          'A Dutch seller states a payment means when the buyer has to pay.',
          isSettledOrPayable,
        ),
      ],
    },
    {
      each: anywhere('cac:PaymentMeans'),
      when: withinNetherlands,
      rules: [
        rule(
          'NL-R-008',
          ['IBT-081'],
          `Within the Netherlands the payment means is ${paymentMeansCodes.join(', ')}.`,
          (means) =>
            paymentMeansCodes.includes(normalizeSpace(elementText(means, 'cbc:PaymentMeansCode'))),
        ),
      ],
    },
    {
      each: anywhere('cac:OrderLineReference/cbc:LineID'),
      when: fromNetherlands,
      rules: [
        rule(
          'NL-R-009',
          ['IBT-013'],
          'A reference to an order line needs the purchase order reference.',
          (_, { root }) => has(root, 'purchase_order'),
        ),
      ],
    },
  ],
};

function addressRule(id: string, term: Term, who: string): Rule {
  return rule(
    id,
    [term],
    `The address of ${who} needs street, city and post code.`,
    (address) => has(address, 'line1') && has(address, 'city') && has(address, 'post_code'),
  );
}

function registrationRule(id: string, term: Term, who: string): Rule {
  return rule(
    id,
    [term],
    `The legal registration of ${who} is a KVK number (scheme 0106) or an OIN (0190).`,
    (node) =>
      (node.attributes?.schemeID ?? '')
        .split(' ')
        .some((each) => each === '0106' || each === '0190') && normalizeSpace(node.text) !== '',
  );
}

function isSettledOrPayable(totals: Node, scope: Scope): boolean {
  const due = decimalAt(totals, 'due');
  const owesNothing = scope.root.shape.element === 'Invoice' ? due?.lte(0) : due?.gte(0);
  return owesNothing === true || scope.everywhere('cac:PaymentMeans').length > 0;
}
