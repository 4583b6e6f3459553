/** Type codes: UNCL1001 as PINT-MY uses it → LHDN's; others are `01`, an invoice. */
export const typeCodes: Readonly<Record<string, string>> = {
  '381': '02',
  '396': '02',
  '532': '02',
  '81': '02',
  '83': '02',
  '383': '03',
  '80': '03',
  '84': '03',
  '389': '11',
  '261': '12',
};

/** The reason code of a credit note that pays money back, which is LHDN's refund note. */
export const refundReason = 'REFUND';

/** Credit note → refund note, by LHDN's type code. */
export const refundCodes: Readonly<Record<string, string>> = { '02': '04', '12': '14' };

/** Tax categories of PINT-MY → tax types of LHDN. */
export const taxTypes: Readonly<Record<string, string>> = {
  SA: '01',
  SE: '02',
  TTX: '03',
  HVG: '04',
  LVG: '05',
  O: '06',
  E: 'E',
};

/** Payment means (UNCL4461, and Malaysia's Z codes) → payment modes of LHDN; others are `08`. */
export const paymentModes: Readonly<Record<string, string>> = {
  '10': '01',
  '20': '02',
  '30': '03',
  '31': '03',
  '42': '03',
  '58': '03',
  Z01: '03',
  Z04: '03',
  Z07: '03',
  Z08: '03',
  '48': '04',
  '54': '04',
  '55': '05',
  Z06: '05',
  Z03: '06',
};

/** LHDN's payment mode for all other means. */
export const otherPaymentMode = '08';

/** Lists of item classifications in PINT-MY → in LHDN's document. */
export const classificationLists: Readonly<Record<string, string>> = {
  CG: 'CLASS',
  CLASS: 'CLASS',
  HS: 'PTC',
  PTC: 'PTC',
};

/** Kinds of registration of a party; without one, a party is a business (BRN). */
export const registrationTypes: ReadonlySet<string> = new Set(['BRN', 'NRIC', 'PASSPORT', 'ARMY']);

const states: readonly (readonly [code: string, ...names: string[]])[] = [
  ['01', 'johor', 'johor darul takzim'],
  ['02', 'kedah'],
  ['03', 'kelantan'],
  ['04', 'melaka', 'malacca'],
  ['05', 'negeri sembilan'],
  ['06', 'pahang'],
  ['07', 'pulau pinang', 'penang'],
  ['08', 'perak'],
  ['09', 'perlis'],
  ['10', 'selangor', 'selangor darul ehsan'],
  ['11', 'terengganu', 'trengganu'],
  ['12', 'sabah'],
  ['13', 'sarawak'],
  ['14', 'wilayah persekutuan kuala lumpur', 'kuala lumpur', 'wp kuala lumpur', 'wpkl'],
  ['15', 'wilayah persekutuan labuan', 'labuan', 'wp labuan'],
  ['16', 'wilayah persekutuan putrajaya', 'putrajaya', 'wp putrajaya'],
  ['17', 'not applicable', 'na'],
];

/** State 17, "not applicable": for addresses outside Malaysia and the general public. */
export const noState = '17';

const stateCodes: ReadonlyMap<string, string> = new Map(
  states.flatMap(([code, ...names]) => [code, ...names].map((name) => [name, code] as const)),
);

/** LHDN's state code for a code (`1`, `MY-10`) or a name, or undefined. */
export function stateCode(text: string): string | undefined {
  const plain = text.toLowerCase().replace(/^my-/, '').replace(/[.,]/g, '').replace(/\s+/g, ' ');
  return stateCodes.get(/^\d$/.test(plain) ? `0${plain}` : plain.trim());
}
