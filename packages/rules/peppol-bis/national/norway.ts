import type { Node } from '@drawbridge/cim/node.ts';
import { isNorwegianNumber } from '../../check-digits.ts';
import { anywhere, rule } from '../../language/rule-kinds.ts';
import { normalizeSpace, single } from '../../language/xpath.ts';
import type { Pattern } from '../../rule.ts';
import { registrationIds, supplierCountry } from '../countries.ts';

/** Rules for Norwegian sellers. */
export const norway: Pattern = {
  name: 'Norway',
  contexts: [
    {
      each: anywhere('cac:AccountingSupplierParty/cac:Party'),
      when: (scope) => supplierCountry(scope) === 'NO',
      rules: [
        rule(
          'NO-R-002',
          ['X-seller-tax-id'],
          'Most Norwegian sellers must add the tax registration "Foretaksregisteret" (TAX).',
          (seller) =>
            normalizeSpace(single(registrationIds(seller, 'TAX')) ?? '') === 'Foretaksregisteret',
          'warning',
        ),
        rule(
          'NO-R-001',
          ['X-seller-tax-id'],
          'A Norwegian VAT number is NO, a valid organisation number and MVA.',
          vatNumberIsRight,
        ),
      ],
    },
  ],
};

function vatNumberIsRight(seller: Node): boolean {
  const ids = registrationIds(seller, 'VAT');
  if (!ids.some((id) => id.startsWith('NO'))) return true;
  const number = single(ids)!.slice(2);
  return /^[0-9]{9}MVA$/.test(number) && isNorwegianNumber(number.slice(0, 9));
}
