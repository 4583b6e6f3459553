/**
 * Numbers as machines write them, read without the library's general way, which takes ten times as
 * long: files of contacts hold them by the million. The facts are the library's.
 */
import { getCountries, getCountryCallingCode, Metadata } from 'libphonenumber-js/min';
import type { PhoneReading } from './phone.ts';

export const wrongLength = 'wrong length for its country';

/** What one country alone says of the numbers under its calling code. */
interface Plan {
  readonly country: string;
  /** Digits after the calling code. */
  readonly lengths: ReadonlySet<number>;
  /** Where the library may take digits away. */
  readonly prefix: RegExp | undefined;
}

const plain = /^\+[1-9]\d{6,14}$/;
const callingCodeMax = 3;
const plans = readPlans();

/**
 * The library's verdict on `+` and digits; undefined where that takes more than the calling code and
 * the length to find.
 */
export function readPlain(text: string): PhoneReading | undefined {
  if (!plain.test(text)) return undefined;
  for (let end = 2; end <= callingCodeMax + 1; end += 1) {
    const plan = plans.get(text.slice(1, end));
    if (plan === undefined) continue;
    if (plan.prefix?.test(text.slice(end))) return undefined;
    return plan.lengths.has(text.length - end)
      ? { kind: 'phone', e164: text, country: plan.country }
      : { kind: 'refused', reason: wrongLength };
  }
  return undefined;
}

/** By calling code; those that countries share are left out. */
function readPlans(): ReadonlyMap<string, Plan> {
  const byCode = Map.groupBy(getCountries(), (country) => getCountryCallingCode(country));
  const own = [...byCode].flatMap(([code, [country, another]]) => {
    return country === undefined || another !== undefined ? [] : ([[code, country]] as const);
  });
  return new Map(own.map(([code, country]) => [code, readPlan(country)]));
}

function readPlan(country: ReturnType<typeof getCountries>[number]): Plan {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  // The last of these the library has, and does not declare.
  const plan = metadata.numberingPlan as unknown as {
    possibleLengths(): readonly number[];
    nationalPrefixForParsing(): string | undefined;
  };
  const prefix = plan.nationalPrefixForParsing();
  return {
    country,
    lengths: new Set(plan.possibleLengths()),
    prefix: prefix === undefined ? undefined : new RegExp(`^(?:${prefix})`),
  };
}
