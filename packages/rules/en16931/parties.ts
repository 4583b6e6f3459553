import { type Node, nodes } from '@drawbridge/cim/node.ts';
import { childrenOf, elementText, reach } from '../language/element.ts';
import { anywhere, filled, has, isPartOfList, present, rule } from '../language/rule-kinds.ts';
import { hasAttribute } from '../language/statement.ts';
import { startOf } from '../language/xpath.ts';
import type { Context, Rule } from '../rule.ts';
import { isVat, isVatAlone } from './vat-scheme.ts';

/** Seller, buyer, payee, tax representative and delivery. */
export const partyContexts: readonly Context[] = [
  {
    each: anywhere('cac:AccountingCustomerParty/cac:Party/cbc:EndpointID'),
    rules: [schemeStated('BR-63', 'IBT-049-1', "The buyer's electronic address needs a scheme.")],
  },
  {
    each: anywhere('cac:AccountingCustomerParty/cac:Party/cac:PostalAddress'),
    rules: [filled('BR-11', 'country', ['IBT-055'], "State the country of the buyer's address.")],
  },
  {
    each: anywhere('cac:Delivery/cac:DeliveryLocation/cac:Address'),
    rules: [present('BR-57', 'country', ['IBT-080'], 'State the country of the delivery address.')],
  },
  {
    each: anywhere('cac:PayeeParty'),
    rules: [
      rule(
        'BR-17',
        ['IBT-059'],
        'State the name of the payee; name a payee only when it is not the seller.',
        (payee) =>
          reach(payee, 'cac:PartyName/cbc:Name').length > 0 &&
          !sharesWithSeller(payee, 'cac:PartyName/cbc:Name') &&
          !sharesWithSeller(payee, 'cac:PartyIdentification/cbc:ID'),
      ),
    ],
  },
  {
    each: anywhere('cac:AccountingSupplierParty'),
    rules: [
      rule(
        'BR-CO-26',
        ['IBT-029', 'IBT-030', 'X-seller-tax-id'],
        'Identify the seller by an identifier, a legal registration or a VAT identifier.',
        (supplier) =>
          reach(supplier, 'cac:Party/cac:PartyTaxScheme').some(
            (registration) =>
              isVat(registration) && childrenOf(registration, 'cbc:CompanyID').length > 0,
          ) ||
          reach(supplier, 'cac:Party/cac:PartyIdentification/cbc:ID').some(
            (id) => id.attributes?.schemeID !== 'SEPA',
          ) ||
          reach(supplier, 'cac:Party/cac:PartyLegalEntity/cbc:CompanyID').length > 0,
      ),
    ],
  },
  {
    each: anywhere('cac:AccountingSupplierParty/cac:Party/cbc:EndpointID'),
    rules: [schemeStated('BR-62', 'IBT-034-1', "The seller's electronic address needs a scheme.")],
  },
  {
    each: anywhere('cac:AccountingSupplierParty/cac:Party/cac:PostalAddress'),
    rules: [filled('BR-09', 'country', ['IBT-040'], "State the country of the seller's address.")],
  },
  {
    each: anywhere('cac:TaxRepresentativeParty'),
    rules: [
      filled('BR-18', 'name', ['IBT-062'], 'State the name of the tax representative.'),
      present('BR-19', 'address', ['IBG-12'], 'State the address of the tax representative.'),
      rule(
        'BR-56',
        ['IBT-063'],
        'State the VAT identifier of the tax representative.',
        (representative) =>
          nodes(representative, 'tax_registrations').some(
            (registration) => isVatAlone(registration) && has(registration, 'id'),
          ),
      ),
    ],
  },
  {
    each: anywhere('cac:TaxRepresentativeParty/cac:PostalAddress'),
    rules: [
      filled(
        'BR-20',
        'country',
        ['IBT-069'],
        "State the country of the tax representative's address.",
      ),
    ],
  },
  {
    each: anywhere('cac:PartyTaxScheme'),
    match: isVat,
    rules: [
      rule(
        'BR-CO-09',
        ['X-seller-tax-id', 'IBT-048', 'IBT-063'],
        'A VAT identifier begins with the code of the country that issued it (EL for Greece).',
        (registration, scope) =>
          isPartOfList(
            scope,
            'vat-prefixes',
            startOf(elementText(registration, 'cbc:CompanyID'), 2),
          ),
      ),
    ],
  },
];

function schemeStated(id: string, term: 'IBT-034-1' | 'IBT-049-1', message: string): Rule {
  return rule(id, [term], message, hasAttribute('schemeID'));
}

function sharesWithSeller(payee: Node, path: string): boolean {
  const sellers = reach(payee.parent!, `cac:AccountingSupplierParty/cac:Party/${path}`);
  return reach(payee, path).some(({ text }) => sellers.some((each) => each.text === text));
}
