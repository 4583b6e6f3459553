/** How the documents of a profile say what tax is charged, and how ERPs may say it. */
export interface TaxCategories {
  /** What ERPs often have for them, in capitals → category; a person approves it. */
  readonly usualCodes: Readonly<Record<string, string>>;
  /** Of what is taxed at a rate that nobody knows. */
  readonly taxed: string;
  /** Of what is taxed at 0 %, where nothing says why. */
  readonly untaxed: string;
  /** Of what is taxed at such a percentage above 0, where it is not always `taxed`; a guess. */
  readonly ofRate?: (rate: number) => string;
}

/** Those of UNCL5305 that VAT has. */
export const vatCategories: TaxCategories = {
  usualCodes: {
    S: 'S',
    SR: 'S',
    'SR-S': 'S',
    SR5: 'S',
    STD: 'S',
    STANDARD: 'S',
    V: 'S',
    Z: 'Z',
    ZR: 'Z',
    ZRL: 'Z',
    ZERO: 'Z',
    ZRE: 'Z',
    E: 'E',
    ES: 'E',
    EX: 'E',
    EXEMPT: 'E',
    O: 'O',
    OS: 'O',
    OP: 'O',
    NT: 'O',
    RC: 'AE',
    AE: 'AE',
  },
  taxed: 'S',
  untaxed: 'Z',
};
