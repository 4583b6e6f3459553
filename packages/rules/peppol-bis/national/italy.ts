import { elementText } from '../../language/element.ts';
import { anywhere, has, rule } from '../../language/rule-kinds.ts';
import { normalizeSpace, textOf } from '../../language/xpath.ts';
import type { Pattern, Rule } from '../../rule.ts';
import type { Scope } from '../../scope.ts';
import { supplierCountry } from '../countries.ts';

const fromItaly = (scope: Scope): boolean => supplierCountry(scope) === 'IT';

/** Rules for Italian sellers. */
export const italy: Pattern = {
  name: 'Italy',
  contexts: [
    {
      each: anywhere('cac:AccountingSupplierParty/cac:Party/cac:PartyTaxScheme'),
      when: fromItaly,
      match: (node) => normalizeSpace(elementText(node, 'cac:TaxScheme/cbc:ID')) !== 'VAT',
      rules: [
        rule(
          'IT-R-001',
          ['X-seller-tax-id'],
          "An Italian seller's tax registration has 11 to 16 capital letters or digits.",
          (registration) => /^[A-Z0-9]{11,16}$/.test(normalizeSpace(textOf(registration, 'id'))),
        ),
      ],
    },
    {
      each: anywhere('cac:AccountingSupplierParty/cac:Party'),
      when: fromItaly,
      rules: [
        addressHas('IT-R-002', 'line1', 'IBT-035', 'street'),
        addressHas('IT-R-003', 'city', 'IBT-037', 'city'),
        addressHas('IT-R-004', 'post_code', 'IBT-038', 'post code'),
      ],
    },
  ],
};

function addressHas(
  id: string,
  member: string,
  term: 'IBT-035' | 'IBT-037' | 'IBT-038',
  what: string,
): Rule {
  return rule(id, [term], `An Italian seller's address needs a ${what}.`, (seller) =>
    has(seller, `address.${member}`),
  );
}
