import { codeOf } from '../code-names.ts';
import type { Transform } from '../transform.ts';
import { malaysianTaxCodeGuesses, taxCodeGuesses } from '../vocabulary.ts';

/** Steps from the codes and names of a source to those of the field: units, emirates, categories of tax. */
export function codeSteps(
  target: string,
  samples: readonly string[],
  wanted: ReadonlySet<string>,
): readonly Transform[] {
  if (target === 'lines[].unit') return listSteps('units', samples);
  // Only invoices of the Emirates have a list of them.
  const hasEmirates = wanted.has('buyer.tax_registrations[].scheme');
  if (target === 'buyer.address.subdivision' && hasEmirates) return listSteps('emirates', samples);
  if (!/tax\.category$|tax_breakdown\[\]\.category$/.test(target)) return [];
  const isMalaysian = isOfMalaysia(wanted);
  const table = isMalaysian ? malaysianTaxCodeGuesses : taxCodeGuesses;
  const values: Record<string, string> = {};
  if (samples.length > 0 && samples.every((one) => /^[YN]$/i.test(one.trim()))) {
    return [{ kind: 'map', values: { Y: isMalaysian ? 'SA' : 'S', N: isMalaysian ? 'O' : 'Z' } }];
  }
  for (const sample of samples) {
    const code = sample.trim();
    const guess =
      table[code.toUpperCase()] ??
      (/[a-z%]/i.test(code) ? taxCategoryOf(code, isMalaysian) : undefined) ??
      categoryInName(code, isMalaysian);
    if (guess !== undefined && guess !== code) values[code] = guess;
  }
  return Object.keys(values).length === 0 ? [] : [{ kind: 'map', values, unmapped: 'keep' }];
}

/** Whether fields are wanted that only invoices of Malaysia have. */
export function isOfMalaysia(wanted: ReadonlySet<string>): boolean {
  return wanted.has('seller.industry_code');
}

/** Codes of the recommendation are kept; names stand in a map, so that a person sees them. */
function listSteps(list: 'units' | 'emirates', samples: readonly string[]): readonly Transform[] {
  const values: Record<string, string> = {};
  for (const sample of samples) {
    const name = sample.trim();
    const code = codeOf(list, name);
    if (code !== undefined && code !== name) values[name] = code;
  }
  return Object.keys(values).length === 0 ? [] : [{ kind: 'map', values, unmapped: 'keep' }];
}

/** A word of a longer name that is a common code: "UAE VAT STD", "Zero-rated"; undefined where two disagree. */
function categoryInName(name: string, isMalaysian: boolean): string | undefined {
  const words = name.toUpperCase().split(/[^A-Z]+/);
  const found = new Set(
    words.flatMap((word) => {
      const isWord = word.length >= 3 && word !== 'VAT';
      return isWord && Object.hasOwn(taxCodeGuesses, word) ? [taxCodeGuesses[word]!] : [];
    }),
  );
  const [category] = found;
  if (category === undefined || found.size > 1) return undefined;
  if (!isMalaysian) return category;
  return category === 'S' ? 'SA' : category === 'Z' ? 'O' : category;
}

/** The category of a rate, or of a name with one: "20% S", "VAT 5 %", "Exempt". */
export function taxCategoryOf(text: string, isMalaysian: boolean): string | undefined {
  if (/exempt|steuerfrei|exent|exonere|dikecual/i.test(text)) return 'E';
  const rate = /^(\d+(?:\.\d+)?)$|(\d+(?:[.,]\d+)?)\s*%/.exec(text);
  if (rate !== null) {
    const value = Number((rate[1] ?? rate[2] ?? '').replace(',', '.'));
    if (isMalaysian) return value === 0 ? 'O' : value === 10 || value === 5 ? 'SA' : 'SE';
    return value === 0 ? 'Z' : 'S';
  }
  return undefined;
}
