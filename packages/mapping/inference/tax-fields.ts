import type { MappingField } from '../mapping.ts';
import { taxCategoryOf } from './code-guesses.ts';
import type { ReadColumn } from './columns.ts';
import type { RatedCodes } from './tax-codes.ts';
import type { WantedValues } from './wanted-values.ts';

/** Where no column has a code of the tax, its rate says the category: 0 % may mean several. */
export function categoryByRate(
  chosen: readonly MappingField[],
  known: readonly ReadColumn[],
  { categories }: WantedValues,
): MappingField | undefined {
  const target = 'lines[].tax.category';
  const rate = chosen.find((field) => field.target === 'lines[].tax.rate');
  if (rate?.from === undefined || chosen.some((field) => field.target === target)) return undefined;
  const { section, column } = rate.from;
  const read = known.find((one) => one.column.section === section && one.column.column === column);
  const values: Record<string, string> = {};
  for (const value of read?.values ?? []) {
    const category = taxCategoryOf(value.trim(), categories);
    if (category !== undefined) values[value.trim()] = category;
  }
  if (Object.keys(values).length === 0) return undefined;
  const hasZero = Object.keys(values).some((value) => Number(value) === 0);
  const confidence = Math.min(
    rate.confidence ?? 0,
    hasZero || categories.ofRate !== undefined ? 0.65 : 0.85,
  );
  const doubt = hasZero ? ' A rate of 0 may be zero-rated, exempt or out of scope: say which.' : '';
  return {
    target,
    from: rate.from,
    transforms: [{ kind: 'map', values }],
    status: 'proposed',
    confidence,
    reason: `The rate in "${column}" says the category.${doubt}`,
  };
}

/** Where nothing says the rate, codes whose lines have each one rate say the category. */
export function categoryByCode(
  chosen: readonly MappingField[],
  codes: RatedCodes | undefined,
  { categories }: WantedValues,
): MappingField | undefined {
  const target = 'lines[].tax.category';
  if (codes === undefined || chosen.some((field) => field.target === target)) return undefined;
  const { section, column } = codes.column.column;
  const values = Object.fromEntries(
    [...codes.rates].flatMap(([code, rate]) => {
      const category = taxCategoryOf(String(rate), categories);
      return category === undefined ? [] : [[code, category]];
    }),
  );
  return {
    target,
    from: { section, column },
    transforms: [{ kind: 'map', values }],
    status: 'proposed',
    confidence: 0.65,
    reason: `The tax of the lines shows the rate of each code in "${column}". A rate of 0 may be zero-rated, exempt or out of scope: say which.`,
  };
}

/** Where nothing else of a line says its tax, the codes that the totals tell the rates of. */
export function rateByCode(
  chosen: readonly MappingField[],
  codes: RatedCodes | undefined,
): MappingField | undefined {
  const target = 'lines[].tax.rate';
  const isTold = chosen.some((field) => field.target === target);
  if (codes?.basis !== 'totals' || isTold) return undefined;
  const { section, column } = codes.column.column;
  const values = Object.fromEntries([...codes.rates].map(([code, rate]) => [code, String(rate)]));
  return {
    target,
    from: { section, column },
    transforms: [{ kind: 'map', values }],
    status: 'proposed',
    confidence: 0.65,
    reason: `The totals of the documents show the rate of each code in "${column}".`,
  };
}
