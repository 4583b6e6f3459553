/** Rows in which neither factor is 0 or 1 that have to be explained, at least: by chance a few always are. */
export const tellingMin = 12;
/** Of those, rows that a discount makes smaller, at most, and by how much; and all that do not fit. */
const discountedShare = 0.35;
const discountedMin = 0.3;
const wrongMax = 0.4;

/** Amounts, prices and quantities may be kept in parts of any size: then all rows have the same power of ten. */
const powers = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 0.01];
/** How much larger the largest of a factor is than the smallest, at least: numbers of accounts are all alike. */
const factorRangeMin = 1.5;
/** Different values of a factor in the rows that tell, at least: one value is that of another unit. */
const factorsMin = 3;
/** What a discount is kept in: a percent, a fraction, or parts of a percent. */
const discountUnits = [100, 1, 1_000, 10_000, 100_000];

/** How two columns of numbers make a third: their product, divided by the power, less the discount. */
export interface ProductForm {
  readonly power: number;
  /** Which of the other columns is a discount, and what part of the product one of it is. */
  readonly discount: { readonly at: number; readonly unit: number } | undefined;
}

/** Whether they do; with a discount only where amounts are smaller without one. */
export function productForm(
  one: Float64Array,
  other: Float64Array,
  amount: Float64Array,
  others: readonly Float64Array[],
): ProductForm | undefined {
  for (const power of powers) {
    const fit = fitOf(one, other, amount, power, undefined);
    if (fit === 'no') continue;
    for (const [at, values] of others.entries()) {
      for (const unit of discountUnits) {
        if (fitOf(one, other, amount, power, { values, unit }) !== 'fits') continue;
        if (values.some((value) => value !== 0)) return { power, discount: { at, unit } };
      }
    }
    if (fit === 'fits') return { power, discount: undefined };
  }
  return undefined;
}

/** `less`: many amounts are smaller than the product, as with discounts, and none is something else. */
function fitOf(
  one: Float64Array,
  other: Float64Array,
  amount: Float64Array,
  power: number,
  discount: { readonly values: Float64Array; readonly unit: number } | undefined,
): 'fits' | 'less' | 'no' {
  const factors = [new Set<number>(), new Set<number>()] as const;
  let telling = 0;
  let less = 0;
  let wrong = 0;
  for (let at = 0; at < one.length; at++) {
    const [a, b, found] = [Math.abs(one[at]!), Math.abs(other[at]!), Math.abs(amount[at]!)];
    if (a <= 1 || b <= 1 || found === 0) continue;
    telling += 1;
    factors[0].add(a);
    factors[1].add(b);
    const off = discount === undefined ? 0 : discount.values[at]! / discount.unit;
    const expected = ((a * b) / power) * (1 - off);
    const margin = 0.011 + 0.0005 * Math.abs(expected) + (power > 1 ? 0.5 : 0);
    if (Math.abs(expected - found) <= margin) continue;
    // A discount makes an amount smaller.
    if (found < expected && found > expected * discountedMin) less += 1;
    else wrong += 1;
    if (wrong > 5 && wrong > telling * wrongMax) return 'no';
  }
  const isTold = telling >= tellingMin && factors.every(varies);
  if (!isTold || wrong > telling * 0.05) return 'no';
  if (less <= telling * (discount === undefined ? discountedShare : 0.05)) return 'fits';
  return 'less';
}

function varies(factors: ReadonlySet<number>): boolean {
  if (factors.size < factorsMin) return false;
  return Math.max(...factors) >= Math.min(...factors) * factorRangeMin;
}
