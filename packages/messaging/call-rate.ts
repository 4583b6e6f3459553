import { type Decimal, decimal, format, round, sum, zero } from '@drawbridge/decimal/decimal.ts';

/** What calls to the numbers that begin so cost, from an instant on. */
export interface CallRate {
  /** `+` and digits; `+` alone is every number. */
  readonly prefix: string;
  readonly perMinute: string;
  /** Added once to a call that was answered. */
  readonly connectionFee: string;
  /** Billed at least; after it in steps: 1/1, 6/6, 30/6, 60/60. */
  readonly firstSeconds: number;
  readonly stepSeconds: number;
  readonly validFrom: Date;
  /** Up to this instant, without it; null: until further notice. */
  readonly validUntil: Date | null;
}

/** Places to which amounts are kept. */
export const amountPlaces = 6;

/** Every prefix that could price the number, longest first. */
export function prefixesOf(number: string): readonly string[] {
  return Array.from({ length: number.length }, (_, at) => number.slice(0, number.length - at));
}

/** The rate of the longest prefix in force at that instant; of two with one prefix, the later. */
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

/** Seconds that are paid for a conversation of so many; a call nobody answered has none. */
export function billedSeconds(
  seconds: number,
  { firstSeconds, stepSeconds }: Pick<CallRate, 'firstSeconds' | 'stepSeconds'>,
): number {
  if (seconds <= 0) return 0;
  const beyond = Math.max(0, Math.ceil(seconds) - firstSeconds);
  return firstSeconds + Math.ceil(beyond / stepSeconds) * stepSeconds;
}

/** What a conversation of so many seconds costs, exact to six places. */
export function callCost(
  seconds: number,
  rate: Pick<CallRate, 'perMinute' | 'connectionFee' | 'firstSeconds' | 'stepSeconds'>,
): string {
  const billed = billedSeconds(seconds, rate);
  if (billed === 0) return '0';
  const talked: Decimal = decimal(rate.perMinute).times(billed).div(60);
  return plain(round(talked.plus(decimal(rate.connectionFee)), amountPlaces));
}

/** Without zeros at its end. */
function plain(amount: Decimal): string {
  const text = format(amount);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** Amounts added up, exact. */
export function totalOf(amounts: Iterable<string>): string {
  return plain(sum(Array.from(amounts, decimal)));
}

/** What is left of an amount; nothing when all of it is taken. */
export function restOf(amount: string, taken: string): string {
  const rest = decimal(amount).minus(decimal(taken));
  return rest.gt(zero) ? plain(rest) : '0';
}

/** The amount, or the limit when it is more. */
export function atMost(amount: string, limit: string): string {
  return decimal(amount).gt(decimal(limit)) ? limit : amount;
}

/** The largest of the amounts; zero of none. */
export function largestOf(amounts: readonly string[]): string {
  return amounts.reduce((most, each) => (decimal(each).gt(decimal(most)) ? each : most), '0');
}
