import { type Node, values } from '@drawbridge/cim/node.ts';
import { isSwedishWithCheckDigit } from '../../check-digits.ts';
import { elementText, someText } from '../../language/element.ts';
import { anywhere, has, rule, some } from '../../language/rule-kinds.ts';
import { lengthOf, normalizeSpace, single, textOf, toNumber } from '../../language/xpath.ts';
import { type Context, type Pattern, perDocument } from '../../rule.ts';
import type { Scope } from '../../scope.ts';
import { vatRegistrations } from '../countries.ts';

const isAtHome = (party: Node): boolean => some(party, 'address.country', 'SE');

/** Sellers or buyers at any place, as in the published rules. */
function parties({ everywhere }: Scope, whose: 'Supplier' | 'Customer'): readonly Node[] {
  return everywhere('cac:Party').filter(
    ({ parent }) => parent?.shape.element === `cac:Accounting${whose}Party`,
  );
}

const fromSweden = perDocument((scope) => parties(scope, 'Supplier').some(isAtHome));

const toSweden = perDocument((scope) => parties(scope, 'Customer').some(isAtHome));

/** Whether a seller in Sweden has a Swedish VAT identifier. */
const hasSwedishVat = (seller: Node): boolean =>
  isAtHome(seller) &&
  vatRegistrations(seller, 'tax_registrations').some((each) => textOf(each, 'id').startsWith('SE'));

/** Computed once, because it is used for the tax of every line. */
const sellsWithSwedishVat = perDocument((scope) => parties(scope, 'Supplier').some(hasSwedishVat));

function vatIds(seller: Node): readonly string[] {
  return vatRegistrations(seller, 'tax_registrations').flatMap((each) => values(each, 'id'));
}

const sellerContexts: readonly Context[] = [
  {
    each: anywhere('cac:AccountingSupplierParty/cac:Party'),
    match: hasSwedishVat,
    rules: [
      rule(
        'SE-R-001',
        ['X-seller-tax-id'],
        'A Swedish VAT number has 14 characters.',
        (seller) => lengthOf(normalizeSpace(single(vatIds(seller)) ?? '')) === 14,
      ),
      rule('SE-R-002', ['X-seller-tax-id'], 'A Swedish VAT number is SE and 12 digits.', (seller) =>
        isNumeric([...(single(vatIds(seller)) ?? '')].slice(2, 14).join('')),
      ),
    ],
  },
  {
    each: anywhere('cac:AccountingSupplierParty/cac:Party/cac:PartyLegalEntity'),
    match: (entity) => isAtHome(entity.parent!) && has(entity, 'registration_id'),
    rules: [
      rule('SE-R-003', ['IBT-030'], 'A Swedish organisation number is numeric.', (entity) =>
        isNumeric(textOf(entity, 'registration_id')),
      ),
      rule(
        'SE-R-004',
        ['IBT-030'],
        'A Swedish organisation number has ten characters.',
        (entity) => lengthOf(normalizeSpace(textOf(entity, 'registration_id'))) === 10,
      ),
      rule(
        'SE-R-013',
        ['IBT-030'],
        'The last digit of the Swedish organisation number is wrong.',
        (entity) => isSwedishWithCheckDigit(normalizeSpace(textOf(entity, 'registration_id'))),
      ),
    ],
  },
  {
    each: anywhere('cac:AccountingSupplierParty/cac:Party/cac:PartyTaxScheme/cbc:CompanyID'),
    match: (id) =>
      isAtHome(partyOf(id)) &&
      has(partyOf(id), 'registration_id') &&
      normalizeSpace(elementText(id.parent!, 'cac:TaxScheme/cbc:ID').toUpperCase()) !== 'VAT',
    rules: [
      rule(
        'SE-R-005',
        ['X-seller-tax-id'],
        'As tax registration beside VAT a Swedish seller states "Godkänd för F-skatt".',
        (id) => normalizeSpace(id.text.toUpperCase()) === 'GODKÄND FÖR F-SKATT',
      ),
    ],
  },
];

const accountContexts: readonly Context[] = [
  {
    each: anywhere('cac:PaymentMeans/cac:PayeeFinancialAccount/cbc:ID'),
    when: fromSweden,
    match: (id) => isPaidThrough(id, 'SE:PLUSGIRO'),
    rules: [
      rule('SE-R-007', ['IBT-084'], 'A Plusgiro account is numeric.', isNumericId, 'warning'),
      rule(
        'SE-R-010',
        ['IBT-084'],
        'A Plusgiro account has two to eight characters.',
        (id) => accountLength(id) >= 2 && accountLength(id) <= 8,
        'warning',
      ),
    ],
  },
  {
    each: anywhere('cac:PaymentMeans/cac:PayeeFinancialAccount/cbc:ID'),
    when: fromSweden,
    match: (id) => isPaidThrough(id, 'SE:BANKGIRO'),
    rules: [
      rule('SE-R-008', ['IBT-084'], 'A Bankgiro account is numeric.', isNumericId, 'warning'),
      rule(
        'SE-R-009',
        ['IBT-084'],
        'A Bankgiro account has seven or eight characters.',
        (id) => accountLength(id) === 7 || accountLength(id) === 8,
        'warning',
      ),
    ],
  },
  {
    each: anywhere('cac:PaymentMeans'),
    when: fromSweden,
    match: (means) => ['50', '56'].some((code) => someText(means, 'cbc:PaymentMeansCode', code)),
    rules: [
      rule(
        'SE-R-011',
        ['IBT-081'],
        'Bankgiro and Plusgiro are payment means 30 with the branch SE:BANKGIRO or SE:PLUSGIRO.',
        () => false,
        'warning',
      ),
    ],
  },
  {
    each: anywhere('cac:PaymentMeans'),
    when: (scope) => fromSweden(scope) && toSweden(scope),
    match: (means) => someText(means, 'cbc:PaymentMeansCode', '31'),
    rules: [
      rule(
        'SE-R-012',
        ['IBT-081'],
        'Within Sweden a credit transfer is payment means 30.',
        () => false,
        'warning',
      ),
    ],
  },
];

/** Rules for Swedish sellers. */
export const sweden: Pattern = {
  name: 'Sweden',
  contexts: [
    ...sellerContexts,
    {
      each: anywhere('cac:TaxCategory', 'cac:ClassifiedTaxCategory'),
      when: sellsWithSwedishVat,
      match: (category) => someText(category, 'cbc:ID', 'S'),
      rules: [
        rule(
          'SE-R-006',
          ['IBT-119', 'IBT-152'],
          'Swedish standard VAT rates are 6, 12 and 25.',
          (category) => [6, 12, 25].includes(toNumber(elementText(category, 'cbc:Percent'))),
        ),
      ],
    },
    ...accountContexts,
  ],
};

/** The party that a registration's identifier belongs to. */
function partyOf(id: Node): Node {
  return id.parent!.parent!;
}

function isPaidThrough(id: Node, branch: string): boolean {
  const means = id.parent!.parent!;
  return (
    normalizeSpace(elementText(means, 'cbc:PaymentMeansCode')) === '30' &&
    normalizeSpace(elementText(means, branchId)) === branch
  );
}

const branchId = 'cac:PayeeFinancialAccount/cac:FinancialInstitutionBranch/cbc:ID';

function isNumericId(id: Node): boolean {
  return isNumeric(normalizeSpace(id.text));
}

/** Whether the text is a number other than NaN. */
function isNumeric(text: string): boolean {
  return !Number.isNaN(toNumber(text));
}

function accountLength(id: Node): number {
  return lengthOf(normalizeSpace(id.text));
}
