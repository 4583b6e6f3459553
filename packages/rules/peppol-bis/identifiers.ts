import type { Node } from '@drawbridge/cim/node.ts';
import {
  isAbn,
  isBelgianNumber,
  isCodiceFiscale,
  isGln,
  isIpaCode,
  isNorwegianNumber,
  isPartitaIva,
  isSwedishWithCheckDigit,
} from '../check-digits.ts';
import { elementText } from '../language/element.ts';
import { anywhere, rule } from '../language/rule-kinds.ts';
import { normalizeSpace } from '../language/xpath.ts';
import type { Context, Flag } from '../rule.ts';

/** Identifiers whose scheme fixes their form: number of the rule, scheme, what it is, the test. */
interface Scheme {
  readonly rule: string;
  readonly scheme: string;
  readonly what: string;
  readonly flag?: Flag;
  readonly test: (text: string) => boolean;
  /** The rule is for electronic addresses only. */
  readonly endpointsOnly?: true;
  /** White space around the identifier is an error. */
  readonly asWritten?: true;
}

const schemes: readonly Scheme[] = [
  {
    rule: 'R040',
    scheme: '0088',
    what: 'A GLN has digits only and a valid check digit',
    test: isGln,
  },
  {
    rule: 'R041',
    scheme: '0192',
    what: 'A Norwegian organisation number has nine digits and a valid check digit',
    test: isNorwegianNumber,
  },
  {
    rule: 'R042',
    scheme: '0184',
    what: 'A Danish CVR number has eight digits, with or without DK before them',
    test: (text) => /^(DK)?[0-9]{8}$/.test(text),
    asWritten: true,
  },
  {
    rule: 'R052',
    scheme: '0096',
    what: 'A Danish P number has ten digits',
    test: (text) => /^[0-9]{10}$/.test(text),
    asWritten: true,
  },
  {
    rule: 'R053',
    scheme: '0198',
    what: 'A Danish SE number is DK and eight digits',
    test: (text) => /^DK[0-9]{8}$/.test(text),
    asWritten: true,
  },
  {
    rule: 'R043',
    scheme: '0208',
    what: 'A Belgian enterprise number has ten digits, the last two of them check digits',
    test: isBelgianNumber,
  },
  {
    rule: 'R044',
    scheme: '0201',
    what: 'An Italian IPA code has six letters or digits',
    flag: 'warning',
    test: isIpaCode,
  },
  {
    rule: 'R045',
    scheme: '0210',
    what: 'An Italian tax code has eleven digits or sixteen characters',
    flag: 'warning',
    test: isCodiceFiscale,
  },
  {
    rule: 'R046',
    scheme: '9907',
    what: 'An Italian tax code has eleven digits or sixteen characters',
    flag: 'warning',
    test: isCodiceFiscale,
    endpointsOnly: true,
  },
  {
    rule: 'R047',
    scheme: '0211',
    what: 'An Italian VAT number is IT and eleven digits, the last a check digit',
    flag: 'warning',
    test: isPartitaIva,
  },
  {
    rule: 'R049',
    scheme: '0007',
    what: 'A Swedish organisation number has ten digits, the last a check digit',
    test: (text) => /^[0-9]{10}$/.test(text) && isSwedishWithCheckDigit(text),
  },
  {
    rule: 'R050',
    scheme: '0151',
    what: 'An Australian business number has eleven digits and valid check digits',
    test: isAbn,
  },
  {
    rule: 'R054',
    scheme: '0106',
    what: 'A Dutch chamber of commerce (KVK) number has eight digits',
    flag: 'warning',
    test: (text) => /^[0-9]{8}$/.test(text),
  },
  {
    rule: 'R055',
    scheme: '0190',
    what: 'A Dutch organisation (OIN) number has twenty digits',
    flag: 'warning',
    test: (text) => /^[0-9]{20}$/.test(text),
  },
  {
    rule: 'R056-1',
    scheme: '9944',
    what: 'A Dutch VAT number is NL, nine digits, B and two digits',
    flag: 'warning',
    test: isDutchVat,
  },
];

const establishment: Scheme = {
  rule: 'R057',
  scheme: '0217',
  what: 'A Dutch establishment number has twelve digits',
  flag: 'warning',
  test: (text) => /^[0-9]{12}$/.test(text),
};

/** Check digits and forms of identifiers, at any place. */
export const identifierContexts: readonly Context[] = [
  ...schemes.map(contextOf),
  {
    each: anywhere('cac:PartyTaxScheme/cbc:CompanyID'),
    match: (node) =>
      normalizeSpace(node.text).startsWith('NL') &&
      normalizeSpace(elementText(node.parent!, 'cac:TaxScheme/cbc:ID')) === 'VAT',
    rules: [
      rule(
        'PEPPOL-COMMON-R056-2',
        ['X-seller-tax-id', 'IBT-048', 'IBT-063'],
        'A Dutch VAT number is NL, nine digits, B and two digits.',
        (node) => isDutchVat(normalizeSpace(node.text)),
        'warning',
      ),
    ],
  },
  contextOf(establishment),
];

function schemeOf({ attributes }: Node): string | undefined {
  return attributes?.schemeID;
}

function isDutchVat(text: string): boolean {
  return /^NL[0-9]{9}B[0-9]{2}$/.test(text);
}

function contextOf(row: Scheme): Context {
  const names = ['cbc:EndpointID', 'cac:PartyIdentification/cbc:ID', 'cbc:CompanyID'];
  return {
    each: anywhere(...(row.endpointsOnly ? names.slice(0, 1) : names)),
    code: { of: schemeOf, is: [row.scheme] },
    rules: [
      rule(
        `PEPPOL-COMMON-${row.rule}`,
        ['IBT-034', 'IBT-049', 'IBT-029', 'IBT-030'],
        `${row.what} (scheme ${row.scheme}).`,
        (node) => row.test(row.asWritten ? node.text : normalizeSpace(node.text)),
        row.flag,
      ),
    ],
  };
}
