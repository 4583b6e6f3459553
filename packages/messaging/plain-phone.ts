/**
 * Reads numbers as machines write them, without the library's general parser, which takes ten times
 * as long: contact files have millions of them. The numbering plans are those of the library.
 */
import { getCountries, getCountryCallingCode, Metadata } from 'libphonenumber-js/min';
import type { PhoneReading } from './phone-reading.ts';

/** The reason for a refused length; the library's path gives the same one. */
export const wrongLength = 'wrong length for its country';

/** Mexican mobiles had a 1 after the calling code until 2019; WhatsApp still writes it. */
export const formerMexicanMobile = /^\+521\d{10}$/;

/** What a calling code that belongs to one country says about its numbers. */
interface Plan {
  readonly country: string;
  /** Digits after the calling code. */
  readonly lengths: ReadonlySet<number>;
  /** Where the library may remove digits. */
  readonly prefix: RegExp | undefined;
}

const plain = /^\+[1-9]\d{6,14}$/;
const callingCodeMax = 3;
const plans = readPlans();

/**
 * What the library says of `+` and digits; undefined where the calling code and the length do not
 * decide.
 */
export function readPlain(text: string): PhoneReading | undefined {
  if (!plain.test(text) || formerMexicanMobile.test(text)) return undefined;
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

/** The plans by calling code; codes that several countries share are left out. */
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
  // The library has the last two of these, but does not declare them.
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
