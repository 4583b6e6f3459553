import { lookUp } from '@drawbridge/cim/look-up.ts';
import {
  isBelgianNumber,
  isDanishNumber,
  isGln,
  isNorwegianNumber,
} from '@drawbridge/rules/check-digits.ts';
import { codesOf } from '@drawbridge/rules/code-lists.ts';
import { isIban } from '@drawbridge/rules/peppol-bis/national/iban.ts';
import { profile as bis30 } from './bis-3.0/profile.ts';
import { countryFacts } from './registry.ts';

/** What a company says of itself, once for all its connectors and profiles. */
export type Company = Readonly<Partial<Record<CompanyFieldName, string>>>;

/** A question to a company. */
export interface CompanyField {
  readonly name: CompanyFieldName;
  readonly label: string;
  /** What it is, and where it stands. */
  readonly help: string;
  readonly example: string;
  /** What is wrong with an answer, said as "must …"; undefined when it can be used. */
  readonly problem: (value: string, company: Company) => string | undefined;
}

const { billing } = bis30.codeLists;

/** Own rules of addresses in a network, by scheme; others are any text without blanks. */
const endpointRules: Readonly<Record<string, readonly [(id: string) => boolean, string]>> = {
  '0088': [isGln, 'must be a GLN: 13 digits, the last of which is a check digit'],
  '0184': [isDanishNumber, 'must be DK and eight digits'],
  '0192': [isNorwegianNumber, 'must be nine digits, the last of which is a check digit'],
  '0208': [isBelgianNumber, 'must be ten digits, the last two of which are check digits'],
  '0235': [(id) => /^[19]\d{9}$/.test(id), 'must be a TIN: the first ten digits of the TRN'],
};

const labels = {
  legal_name: ['Legal name', 'As it stands in the register.', 'Al Noor Trading LLC'],
  country: ['Country', 'Two letters of ISO 3166.', 'AE'],
  trn: ['TRN', 'Tax registration number of the UAE, from the VAT certificate.', '100234567801003'],
  tin: ['TIN', 'Tax identification number of LHDN, as in MyTax.', 'C2584563222'],
  sst: [
    'SST number',
    'Sales or service tax in Malaysia; two are joined by a semicolon.',
    'W10-1808-32000005',
  ],
  vat: ['VAT number', 'With the letters of the country.', 'BE0403019261'],
  registration_id: [
    'Registration number',
    'Of the trade licence or the company register.',
    'CN-1183764',
  ],
  registration_type: [
    'Kind of registration',
    'UAE: TL licence, EID Emirates ID, PAS passport, CD cabinet decision. Malaysia: BRN, NRIC, PASSPORT or ARMY.',
    'TL',
  ],
  registration_authority: [
    'Registration authority',
    'Who issued the licence.',
    'Dubai Department of Economy and Tourism',
  ],
  address_line1: ['Street and building', 'Of the registered address.', 'Office 1204, Bay Square 7'],
  address_line2: ['Further line of the address', 'If there is one.', 'Business Bay'],
  city: ['City', 'Of the registered address.', 'Dubai'],
  subdivision: [
    'Emirate, state or region',
    'UAE: AUH, DXB, SHJ, UAQ, FUJ, AJM or RAK. Malaysia: the name of the state.',
    'DXB',
  ],
  post_code: ['Post code', 'Where the country has them.', '50088'],
  contact_name: ['Contact', 'Whom customers ask about an invoice.', 'Accounts receivable'],
  phone: ['Telephone', 'With the code of the country.', '+97142345678'],
  email: ['E-mail', 'To which customers write about an invoice.', 'billing@alnoor.example'],
  industry_code: ['MSIC code', 'Five digits that say what the business is, in Malaysia.', '46510'],
  industry_name: [
    'Business activity',
    'The words beside the MSIC code.',
    'Wholesale of computer hardware, software and peripherals',
  ],
  bank_account: [
    'Bank account',
    'An IBAN, or the number where there are none.',
    'AE070331234567890123456',
  ],
  bank_account_name: [
    'Name of the account',
    'If it is not that of the company.',
    'Al Noor Trading LLC',
  ],
  endpoint_scheme: [
    'Scheme of the network address',
    'Four digits: 0235 UAE, 0230 Malaysia, 0208 Belgium, 0088 GLN.',
    '0235',
  ],
  endpoint_id: [
    'Network address',
    'In Peppol. In the UAE it is the TIN, and follows from the TRN.',
    '1002345678',
  ],
  default_currency: ['Currency', 'Of documents that name none.', 'AED'],
  default_unit: ['Unit', 'Of lines that name none: UN/ECE Rec 20, H87 is a piece.', 'H87'],
  default_payment_means: [
    'Payment means',
    'Of documents that name none: 10 cash, 30 transfer, 54 credit card.',
    '30',
  ],
  default_payment_terms: ['Payment terms', 'Of documents that name none.', '30 days net'],
} as const satisfies Readonly<Record<string, readonly [string, string, string]>>;

export type CompanyFieldName = keyof typeof labels;

type Problem = CompanyField['problem'];

const problems: Readonly<Partial<Record<CompanyFieldName, Problem>>> = {
  country: inList('countries', 'must be two letters of ISO 3166, such as AE'),
  trn: form(/^1\d{12}03$/, 'must be 15 digits that begin with 1 and end with 03'),
  tin: form(
    /^[A-Z]{1,2}\d{8,12}$/,
    'must be one or two letters and 8 to 12 digits, such as C2584563222',
  ),
  sst: form(/^[A-Z]\d{2}-\d{4}-\d{8}(;[A-Z]\d{2}-\d{4}-\d{8})?$/, 'must be like W10-1808-32000005'),
  vat: vatProblem,
  registration_type: (value, { country = '' }) =>
    oneOf(value, countryFacts(country).registrationTypes),
  subdivision: (value, { country = '' }) => oneOf(value, codesOfStates(country)),
  post_code: form(/^(?=.*\d)[A-Z0-9][A-Z0-9 -]{1,9}$/i, 'must be a post code'),
  phone: form(/^\+?[\d\s().-]{6,20}$/, 'must be a telephone number, such as +97142345678'),
  email: form(/^[^@\s]+@[^@\s]+\.[^@\s]+$/, 'must be an e-mail address'),
  industry_code: form(/^\d{5}$/, 'must be five digits'),
  bank_account: accountProblem,
  endpoint_scheme: inList(
    'peppol-endpoint-schemes',
    'must be four digits of the list of schemes (EAS)',
  ),
  endpoint_id: endpointProblem,
  default_currency: currencyProblem,
  default_unit: inList('units', 'must be a code of UN/ECE Rec 20, such as H87'),
  default_payment_means: inList('payment-means', 'must be a code of UNCL4461, such as 30'),
};

/** All questions, in the order in which they are asked. */
export const companyFields: readonly CompanyField[] = Object.entries(labels).map(
  ([name, [label, help, example]]) => ({
    name: name as CompanyFieldName,
    label,
    help,
    example,
    problem: problems[name as CompanyFieldName] ?? (() => undefined),
  }),
);

const byName: ReadonlyMap<string, CompanyField> = new Map(
  companyFields.map((field) => [field.name, field]),
);

export function isCompanyField(name: string): name is CompanyFieldName {
  return byName.has(name);
}

export function companyField(name: CompanyFieldName): CompanyField {
  return byName.get(name)!;
}

/** The longest answer, in characters. */
export const companyTextMax = 300;

/** What is wrong with the answers, by name; those that need another are told there. */
export function companyProblems(company: Company): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name, problem } of companyFields) {
    const value = company[name];
    const wrong = value === undefined ? undefined : problem(value, company);
    if (wrong !== undefined) found[name] = wrong;
  }
  if (company.endpoint_id !== undefined && company.endpoint_scheme === undefined) {
    found.endpoint_scheme = 'is missing beside endpoint_id';
  }
  return found;
}

function vatProblem(value: string): string | undefined {
  if (!/^[A-Z]{2}[0-9A-Z+*.]{2,13}$/.test(value)) {
    return 'must begin with the two letters of its country, without blanks';
  }
  const isWrong = value.startsWith('BE') && !isBelgianNumber(value.slice('BE'.length));
  return isWrong ? 'must be BE and ten digits, the last two of which are check digits' : undefined;
}

/** XXX is no currency, and XTS is one for tests. */
const noCurrencies: ReadonlySet<string> = new Set(['XXX', 'XTS']);

function currencyProblem(value: string): string | undefined {
  const isCurrency = codesOf(billing, 'currencies').has(value) && !noCurrencies.has(value);
  return isCurrency ? undefined : 'must be three letters of ISO 4217, such as AED';
}

function form(pattern: RegExp, message: string): Problem {
  return (value) => (pattern.test(value) ? undefined : message);
}

function inList(list: string, message: string): Problem {
  const codes = codesOf(billing, list);
  return (value) => (codes.has(value) ? undefined : message);
}

/** Of a country whose documents name its states by codes. */
function codesOfStates(country: string): readonly string[] | undefined {
  const { subdivisions } = countryFacts(country);
  return subdivisions && Object.keys(subdivisions);
}

function oneOf(value: string, values: readonly string[] | undefined): string | undefined {
  const isRight = values === undefined || values.includes(value);
  return isRight ? undefined : `must be one of ${values.join(', ')}`;
}

/** An account that looks like an IBAN must be one. */
function accountProblem(value: string): string | undefined {
  const isIbanLike = /^[A-Z]{2}\d{2}[A-Z0-9 ]{10,}$/i.test(value);
  if (isIbanLike) return isIban(value) ? undefined : 'is an IBAN whose check digits are wrong';
  return /\d{4}/.test(value) ? undefined : 'must be an IBAN or an account number';
}

function endpointProblem(value: string, { endpoint_scheme: scheme = '' }: Company) {
  const [isRight, message] = lookUp(endpointRules, scheme) ?? [
    (id: string) => /^\S{1,50}$/.test(id),
    'must be at most 50 characters without blanks',
  ];
  return isRight(value) ? undefined : message;
}
