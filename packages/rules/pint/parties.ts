import { type Node, values } from '@drawbridge/cim/node.ts';
import type { Term } from '@drawbridge/cim/terms.ts';
import { reach } from '../language/element.ts';
import { anywhere, counted, filled, has, present, rule } from '../language/rule-kinds.ts';
import { either, exists, hasAttribute } from '../language/statement.ts';
import type { Context, Rule } from '../rule.ts';

/** The buyer's side. */
export const buyerContexts: readonly Context[] = [
  {
    each: anywhere('cac:AccountingCustomerParty/cac:Party'),
    rules: [
      present(
        'ibr-080',
        'endpoint',
        ['IBT-049', 'IBG-07'],
        'The buyer needs an electronic address.',
      ),
    ],
  },
  {
    each: anywhere('cac:AccountingCustomerParty/cac:Party/cbc:EndpointID'),
    rules: [schemed('ibr-063', 'IBT-049-1', "The buyer's address")],
  },
  {
    each: anywhere('cac:AccountingCustomerParty/cac:Party/cac:PostalAddress'),
    rules: [
      filled('ibr-011', 'country', ['IBT-055', 'IBG-08'], "The buyer's address needs its country."),
      oneThirdLine('ibr-sr-54', 'IBT-163', "The buyer's"),
    ],
  },
];

/** Where the goods or services were delivered. */
export const deliveryAddressContexts: readonly Context[] = [
  {
    each: anywhere('cac:Delivery/cac:DeliveryLocation/cac:Address'),
    rules: [
      present('ibr-057', 'country', ['IBT-080', 'IBG-15'], 'A delivery address needs its country.'),
      oneThirdLine('ibr-sr-56', 'IBT-165', 'The delivery'),
    ],
  },
];

/** The payee, when it is not the seller. */
export const payeeContexts: readonly Context[] = [
  {
    each: anywhere('cac:PayeeParty'),
    rules: [
      rule(
        'ibr-017',
        ['IBT-059', 'IBG-10'],
        'A payee needs a name, and neither its name nor its identifier may be the seller’s own.',
        (payee) =>
          has(payee, 'name') &&
          !sharesWithSeller(payee, 'name', 'cac:PartyName/cbc:Name') &&
          !sharesWithSeller(payee, 'identifiers.id', 'cac:PartyIdentification/cbc:ID'),
      ),
      rule(
        'ibr-105',
        ['IBT-060', 'IBG-10'],
        'A payee other than the seller has one identifier beside its SEPA creditor identifier.',
        (payee) => otherIdentifiers(payee) <= 1 || isSeller(payee),
      ),
      rule(
        'ibr-106',
        ['IBT-061', 'IBG-10'],
        'A payee other than the seller has one legal registration identifier.',
        (payee) => values(payee, 'registration_id').length <= 1 || isSeller(payee),
      ),
      rule(
        'ibr-sr-19',
        ['IBT-059', 'IBG-10'],
        'A payee other than the seller has one name.',
        (payee) => values(payee, 'name').length <= 1 || isSeller(payee),
      ),
    ],
  },
];

/** The seller's side. */
export const sellerContexts: readonly Context[] = [
  {
    each: anywhere('cac:AccountingSupplierParty/cac:Party'),
    rules: [
      rule(
        'ibr-co-26',
        ['IBT-029', 'IBT-030', 'X-seller-tax-id'],
        'The seller needs an identifier: one of its own, a legal registration, or a tax number.',
        either(exists('tax_registrations.id'), exists('identifiers.id'), exists('registration_id')),
      ),
      present(
        'ibr-081',
        'endpoint',
        ['IBT-034', 'IBG-04'],
        'The seller needs an electronic address.',
      ),
      counted(
        'ibr-sr-42',
        'tax_registrations',
        2,
        ['X-seller-tax'],
        'The seller has at most two tax registrations.',
      ),
    ],
  },
  {
    each: anywhere('cac:AccountingSupplierParty/cac:Party/cbc:EndpointID'),
    rules: [schemed('ibr-062', 'IBT-034-1', "The seller's address")],
  },
  {
    each: anywhere('cac:AccountingSupplierParty/cac:Party/cac:PostalAddress'),
    rules: [
      filled(
        'ibr-009',
        'country',
        ['IBT-040', 'IBG-05'],
        "The seller's address needs its country.",
      ),
      oneThirdLine('ibr-sr-53', 'IBT-162', "The seller's"),
    ],
  },
];

/** The seller's tax representative. */
export const representativeContexts: readonly Context[] = [
  {
    each: anywhere('cac:TaxRepresentativeParty'),
    rules: [
      filled('ibr-018', 'name', ['IBT-062', 'IBG-11'], 'A tax representative needs a name.'),
      present('ibr-019', 'address', ['IBG-12', 'IBG-11'], 'A tax representative needs an address.'),
      present(
        'ibr-056',
        'tax_registrations.id',
        ['IBT-063', 'IBG-11'],
        'A tax representative needs a tax identifier.',
      ),
      counted('ibr-sr-22', 'name', 1, ['IBT-062'], 'A tax representative has one name.'),
      // Published with a Party element between, which a tax representative does not have, so only
      // misplaced elements count.
      rule(
        'ibr-sr-23',
        ['IBT-063', 'IBG-11'],
        'A tax representative has one tax identifier.',
        (node) => reach(node, 'cac:Party/cac:PartyTaxScheme/cbc:CompanyID').length <= 1,
      ),
    ],
  },
  {
    each: anywhere('cac:TaxRepresentativeParty/cac:PostalAddress'),
    rules: [
      filled(
        'ibr-020',
        'country',
        ['IBT-069', 'IBG-12'],
        "The tax representative's address needs its country.",
      ),
      oneThirdLine('ibr-sr-55', 'IBT-164', "The tax representative's"),
    ],
  },
];

/** Every tax registration of every party. */
export const taxRegistrationContexts: readonly Context[] = [
  {
    each: anywhere('cac:PartyTaxScheme'),
    rules: [
      present(
        'ibr-sr-57',
        'id',
        ['X-seller-tax-id', 'IBT-048', 'IBT-063'],
        'A tax registration needs its number.',
      ),
    ],
  },
];

/** An address has room for one third line. */
export function oneThirdLine(id: string, term: Term, whose: string): Rule {
  return counted(id, 'line3', 1, [term], `${whose} address has one third line.`);
}

function schemed(id: string, term: Term, what: string): Rule {
  return rule(id, [term], `${what} needs its scheme, e.g. 0230 or 0235.`, hasAttribute('schemeID'));
}

function otherIdentifiers(payee: Node): number {
  const nodes = reach(payee, 'cac:PartyIdentification/cbc:ID');
  return nodes.filter((each) => each.attributes?.schemeID?.toUpperCase() !== 'SEPA').length;
}

function isSeller(payee: Node): boolean {
  return sharesWithSeller(payee, 'name', 'cac:PartyLegalEntity/cbc:RegistrationName');
}

/** Whether a value of the payee is also a value of the seller. */
function sharesWithSeller(payee: Node, member: string, path: string): boolean {
  const sellers = reach(payee.parent!, `cac:AccountingSupplierParty/cac:Party/${path}`);
  return values(payee, member).some((text) => sellers.some((each) => each.text === text));
}
