import { type Decimal, decimal, format, round, sum, zero } from '@drawbridge/decimal/decimal.ts';

/** The price of calls to numbers with a prefix. Amounts are decimals as text. */
export interface CallRate {
  /** `+` and digits; `+` alone fits every number. */
  readonly prefix: string;
  readonly perMinute: string;
  /** Added once to a call that was answered. */
  readonly connectionFee: string;
  /** Seconds billed at least; after them in steps of `stepSeconds`: 1/1, 6/6, 30/6, 60/60. */
  readonly firstSeconds: number;
  readonly stepSeconds: number;
  readonly validFrom: Date;
  /** The end, exclusive; null: until further notice. */
  readonly validUntil: Date | null;
}

/** Decimal places of stored amounts. */
const amountPlaces = 6;

/** Every prefix that could price the number, longest first. */
export function prefixesOf(number: string): readonly string[] {
  return Array.from({ length: number.length }, (_, at) => number.slice(0, number.length - at));
}

/**
 * The rate of the longest prefix in force at that instant; of two with the same prefix, the later.
 */
export function rateFor<Rate extends CallRate>(
  number: string,
  at: Date,
  rates: readonly Rate[],
): Rate | undefined {
  const inForce = rates.filter(
    ({ prefix, validFrom, validUntil }) =>
      number.startsWith(prefix) && validFrom <= at && (validUntil === null || at < validUntil),
  );
  return inForce.reduce<Rate | undefined>((best, each) => {
    if (best === undefined || each.prefix.length > best.prefix.length) return each;
    const isLater = each.prefix === best.prefix && each.validFrom > best.validFrom;
    return isLater ? each : best;
  }, undefined);
}

/** The seconds billed for a conversation of that length; a call nobody answered has none. */
export function billedSeconds(
  seconds: number,
  { firstSeconds, stepSeconds }: Pick<CallRate, 'firstSeconds' | 'stepSeconds'>,
): number {
  if (seconds <= 0) return 0;
  const beyond = Math.max(0, Math.ceil(seconds) - firstSeconds);
  return firstSeconds + Math.ceil(beyond / stepSeconds) * stepSeconds;
}

/** The price of a conversation of that many seconds, exact to six places. */
export function callCost(
  seconds: number,
  rate: Pick<CallRate, 'perMinute' | 'connectionFee' | 'firstSeconds' | 'stepSeconds'>,
): string {
  const billed = billedSeconds(seconds, rate);
  if (billed === 0) return '0';
  const talked: Decimal = decimal(rate.perMinute).times(billed).div(60);
  return plain(round(talked.plus(decimal(rate.connectionFee)), amountPlaces));
}

/** The amount without trailing zeros. */
function plain(amount: Decimal): string {
  const text = format(amount);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** The exact sum of decimals as text. */
export function totalOf(amounts: Iterable<string>): string {
  return plain(sum(Array.from(amounts, decimal)));
}

/** The amount less what is taken, at least zero. Decimals as text. */
export function remainderOf(amount: string, taken: string): string {
  const rest = decimal(amount).minus(decimal(taken));
  return rest.gt(zero) ? plain(rest) : '0';
}

/** The smaller of the amount and the limit. */
export function atMost(amount: string, limit: string): string {
  return decimal(amount).gt(decimal(limit)) ? limit : amount;
}

/** The largest of the amounts; zero when there is none. */
export function largestOf(amounts: readonly string[]): string {
  return amounts.reduce((most, each) => (decimal(each).gt(decimal(most)) ? each : most), '0');
}
