import { type TaxCategories, vatCategories } from '@drawbridge/profiles/tax-categories.ts';
import { codeOf } from '../code-names.ts';
import type { Transform } from '../transform.ts';
import type { WantedValues } from './wanted-values.ts';

/** Steps from the codes and names of a source to those of the field: units, states, categories of tax. */
export function codeSteps(
  target: string,
  samples: readonly string[],
  { categories, stateOf }: WantedValues,
): readonly Transform[] {
  if (target === 'lines[].unit') return mapSteps(samples, (name) => codeOf('units', name));
  if (target === 'buyer.address.subdivision' && stateOf !== undefined) {
    return mapSteps(samples, stateOf);
  }
  if (!/tax\.category$|tax_breakdown\[\]\.category$/.test(target)) return [];
  if (samples.length > 0 && samples.every((one) => /^[YN]$/i.test(one.trim()))) {
    return [{ kind: 'map', values: { Y: categories.taxed, N: categories.untaxed } }];
  }
  return mapSteps(samples, (code) => categoryOf(code, categories));
}

/** Codes of the list are kept; names stand in a map, so that a person sees them. */
function mapSteps(
  samples: readonly string[],
  codeOfName: (name: string) => string | undefined,
): readonly Transform[] {
  const values: Record<string, string> = {};
  for (const sample of samples) {
    const name = sample.trim();
    const code = codeOfName(name);
    if (code !== undefined && code !== name) values[name] = code;
  }
  return Object.keys(values).length === 0 ? [] : [{ kind: 'map', values, unmapped: 'keep' }];
}

function categoryOf(code: string, categories: TaxCategories): string | undefined {
  return (
    usualCode(code.toUpperCase(), categories) ??
    (/[a-z%]/i.test(code) ? taxCategoryOf(code, categories) : undefined) ??
    categoryInName(code, categories)
  );
}

function usualCode(code: string, { usualCodes }: TaxCategories): string | undefined {
  return Object.hasOwn(usualCodes, code) ? usualCodes[code] : undefined;
}

/** A word of a longer name that is a common code: "UAE VAT STD", "Zero-rated"; undefined where two disagree. */
function categoryInName(name: string, { taxed, untaxed }: TaxCategories): string | undefined {
  const words = name.toUpperCase().split(/[^A-Z]+/);
  const found = new Set(
    words.flatMap((word) => {
      const isWord = word.length >= 3 && word !== 'VAT';
      return (isWord && usualCode(word, vatCategories)) || [];
    }),
  );
  const [category] = found;
  if (category === undefined || found.size > 1) return undefined;
  if (category === vatCategories.taxed) return taxed;
  return category === vatCategories.untaxed ? untaxed : category;
}

/** The category of a rate, or of a name with one: "20% S", "VAT 5 %", "Exempt". */
export function taxCategoryOf(text: string, categories: TaxCategories): string | undefined {
  if (/exempt|steuerfrei|exent|exonere|dikecual/i.test(text)) return 'E';
  const rate = /^(\d+(?:\.\d+)?)$|(\d+(?:[.,]\d+)?)\s*%/.exec(text);
  if (rate === null) return undefined;
  const value = Number((rate[1] ?? rate[2] ?? '').replace(',', '.'));
  if (value === 0) return categories.untaxed;
  return categories.ofRate?.(value) ?? categories.taxed;
}
