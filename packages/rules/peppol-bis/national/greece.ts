import { type Node, nodes } from '@drawbridge/cim/node.ts';
import { isGreekNumber } from '../../check-digits.ts';
import { elementText } from '../../language/element.ts';
import { anywhere, rule, some } from '../../language/rule-kinds.ts';
import { isInteger, lengthOf, normalizeSpace, textOf, toNumber } from '../../language/xpath.ts';
import { type Context, DynamicError, type Pattern, type Rule } from '../../rule.ts';
import type { Scope } from '../../scope.ts';
import {
  accountingSupplierCountry,
  customerCountry,
  registrationIds,
  supplierCountry,
  vatRegistrations,
} from '../countries.ts';

const isGreece = (country: string): boolean => country === 'GR' || country === 'EL';

const fromGreece = (scope: Scope): boolean => isGreece(supplierCountry(scope));

const withinGreece = (scope: Scope): boolean =>
  fromGreece(scope) && isGreece(customerCountry(scope));

const hasGreekAddress = ({ root }: Scope): boolean => some(root, 'seller.address.country', 'GR');

const mark = '##M.AR.K##';
const url = '##INVOICE|URL##';
const documentTypes = ['1.1', '1.6', '2.1', '2.4', '5.1', '5.2'];

const dateForm = /^(0?[1-9]|[12][0-9]|3[01])[-\\/ ]?(0?[1-9]|1[0-2])[-\\/ ]?(19|20)[0-9]{2}/;

/** The number of a Greek invoice has six parts, separated by bars. */
const numberRules: readonly Rule[] = [
  numberRule('1', 'has six parts, separated by bars', (parts) => parts.length === 6),
  numberRule(
    '2',
    'begins with the tax number of the seller or the tax representative',
    ([taxNumber = ''], root) =>
      lengthOf(normalizeSpace(taxNumber)) === 9 &&
      isGreekNumber(taxNumber) &&
      ['seller', 'tax_representative'].some((party) =>
        vatRegistrations(root, `${party}.tax_registrations`).some(
          (each) => [...textOf(each, 'id')].slice(2, 11).join('') === taxNumber,
        ),
      ),
  ),
  numberRule('3', 'has the issue date as its second part, DD/MM/YYYY', isIssueDate),
  numberRule('4', 'has a whole number as its third part', ([, , branch = '']) => {
    if (normalizeSpace(branch) === '' || Number.isNaN(toNumber(branch))) return false;
    if (!isInteger(branch)) throw new DynamicError('A part of the number is not a whole number.');
    return toNumber(branch) >= 0;
  }),
  numberRule('5', 'has a Greek document type as its fourth part', ([, , , type = '']) =>
    documentTypes.includes(type),
  ),
  numberRule('6', 'has a fifth part', ([, , , , fifth = '']) => fifth !== ''),
  numberRule('7', 'has a sixth part', ([, , , , , sixth = '']) => sixth !== ''),
];

function numberRule(
  number: string,
  what: string,
  test: (parts: readonly string[], root: Node) => boolean,
): Rule {
  return rule(
    `GR-R-001-${number}`,
    ['IBT-001'],
    `The number of a Greek invoice ${what}.`,
    ({ text }, { root }) => test(text === '' ? [] : text.split('|'), root),
  );
}

function isIssueDate([, date = '']: readonly string[], root: Node): boolean {
  if (normalizeSpace(date) === '' || !dateForm.test(date)) return false;
  const issued = textOf(root, 'issue_date').split('-');
  const parts = date.split('/');
  return [0, 1, 2].every(
    (index) => parts[index] !== undefined && parts[index] === issued[2 - index],
  );
}

const senderContexts: readonly Context[] = [
  { each: ['number'], when: fromGreece, rules: numberRules },
  {
    each: anywhere('cac:AccountingSupplierParty/cac:Party'),
    when: fromGreece,
    rules: [
      nameRule('GR-R-002', 'IBT-028', 'A Greek seller states its full name as trading name.'),
      rule(
        'GR-S-011',
        ['X-seller-tax-id'],
        'A Greek seller should state one VAT number: EL and a valid tax number.',
        hasGreekVat,
        'warning',
      ),
    ],
  },
  {
    each: anywhere('cac:AccountingSupplierParty/cac:Party/cac:PartyTaxScheme/cbc:CompanyID'),
    when: fromGreece,
    match: (id) => normalizeSpace(elementText(id.parent!, 'cac:TaxScheme/cbc:ID')) === 'VAT',
    rules: [
      rule(
        'GR-R-003',
        ['X-seller-tax-id'],
        'A Greek VAT number is EL and a valid tax number.',
        (id) => isGreekVat(id.text),
      ),
    ],
  },
];

const documentContexts: readonly Context[] = [
  {
    each: [''],
    when: (scope) => fromGreece(scope) && hasGreekAddress(scope),
    rules: [
      rule(
        'GR-R-004-1',
        ['IBG-24'],
        `A Greek invoice refers to exactly one document described as ${mark}.`,
        (root) => described(root, mark) === 1,
      ),
      rule(
        'GR-S-008-1',
        ['IBG-24'],
        `A Greek invoice should refer to one document described as ${url}.`,
        (root) => described(root, url) === 1,
        'warning',
      ),
      rule(
        'GR-R-008-2',
        ['IBG-24'],
        `A Greek invoice refers to no more than one document described as ${url}.`,
        (root) => described(root, url) <= 1,
      ),
    ],
  },
  {
    each: anywhere('cac:AdditionalDocumentReference/cbc:ID'),
    when: (scope) => fromGreece(scope) && hasGreekAddress(scope),
    match: (id) => some(id.parent!, 'description', mark),
    rules: [
      rule('GR-R-004-2', ['IBT-122'], 'The M.AR.K number is a positive whole number.', ({ text }) =>
        /^[1-9]/.test(text),
      ),
    ],
  },
  {
    each: anywhere('cac:AdditionalDocumentReference'),
    when: fromGreece,
    match: (node) => some(node, 'description', url),
    rules: [
      rule(
        'GR-R-008-3',
        ['IBT-124'],
        'The invoice URL is stated as external document location.',
        (node) => normalizeSpace(textOf(node, 'url')) !== '',
      ),
    ],
  },
  {
    each: anywhere('cac:AccountingCustomerParty/cac:Party'),
    when: fromGreece,
    rules: [
      nameRule(
        'GR-R-005',
        'IBT-045',
        "A Greek seller states the buyer's full name as trading name.",
      ),
    ],
  },
  {
    each: anywhere('cac:AccountingSupplierParty/cac:Party/cbc:EndpointID'),
    when: (scope) => isGreece(accountingSupplierCountry(scope)),
    rules: [endpointRule('GR-R-009', 'IBT-034', 'seller')],
  },
];

/** Rules for Greek sellers. */
export const greekSender: Pattern = {
  name: 'Greek sender',
  contexts: [...senderContexts, ...documentContexts],
};

/** Further rules when seller and buyer are both Greek. */
export const withinGreekBorders: Pattern = {
  name: 'within Greece',
  contexts: [
    {
      each: anywhere('cac:AccountingCustomerParty/cac:Party'),
      when: withinGreece,
      rules: [
        rule(
          'GR-R-006',
          ['IBT-048'],
          'Within Greece state one VAT number of the buyer: EL and a valid tax number.',
          hasGreekVat,
        ),
      ],
    },
    {
      each: anywhere('cac:AccountingCustomerParty/cac:Party/cbc:EndpointID'),
      when: withinGreece,
      rules: [endpointRule('GR-R-010', 'IBT-049', 'buyer')],
    },
  ],
};

function nameRule(id: string, term: 'IBT-028' | 'IBT-045', message: string): Rule {
  return rule(id, [term], message, (party) => textOf(party, 'trading_name') !== '');
}

function endpointRule(id: string, term: 'IBT-034' | 'IBT-049', who: string): Rule {
  return rule(
    id,
    [term],
    `The electronic address of a Greek ${who} is a valid tax number with the scheme 9933.`,
    (node) => node.attributes?.schemeID === '9933' && isGreekNumber(node.text),
  );
}

function hasGreekVat(party: Node): boolean {
  const ids = registrationIds(party, 'VAT');
  return ids.length === 1 && isGreekVat(ids[0]!);
}

function isGreekVat(text: string): boolean {
  return text.startsWith('EL') && isGreekNumber(text.slice(2));
}

function described(root: Node, description: string): number {
  return nodes(root, 'documents').filter((each) => some(each, 'description', description)).length;
}
