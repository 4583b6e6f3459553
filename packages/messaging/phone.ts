import {
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import { withoutMarks } from './invisible-marks.ts';
import type { PhoneReading } from './phone-reading.ts';
import { formerMexicanMobile, readPlain, wrongLength } from './plain-phone.ts';

/** Longer input is not a number with punctuation. */
const inputMax = 32;
/** What the database holds: of a short number the library may leave fewer digits. */
const e164 = /^\+[1-9]\d{6,14}$/;
/**
 * Digits, the punctuation people write, and digits of other scripts, which the library converts.
 */
const written = /^\+?[\p{Nd}\s().\-‐‑–/]+$/u;

/**
 * Reads a number as people write it. Without `defaultCountry` (ISO 3166-1 alpha-2) only the
 * international form is accepted. Numbering plans change faster than libraries, so a number is
 * refused for its length but not for its range: the network decides that.
 */
export function readPhone(text: string, defaultCountry?: string): PhoneReading {
  const trimmed = withoutMarks(text).trim();
  if (trimmed.length > inputMax || !written.test(trimmed)) return refused('not a phone number');
  if (defaultCountry === undefined && !trimmed.startsWith('+')) {
    return refused('the international form with a leading + is needed');
  }
  return readPlain(trimmed) ?? readByLibrary(trimmed, defaultCountry);
}

/** What the library says of a text that could be a number. */
export function readByLibrary(trimmed: string, defaultCountry?: string): PhoneReading {
  const country = defaultCountry as CountryCode | undefined;
  const found = parsePhoneNumberFromString(trimmed, {
    extract: false,
    ...(country === undefined ? {} : { defaultCountry: country }),
  });
  if (found === undefined) return refused('no country has such numbers');
  if (formerMexicanMobile.test(found.number)) return readByLibrary(`+52${found.number.slice(4)}`);
  if (!found.isPossible() || !e164.test(found.number)) return refused(wrongLength);
  return {
    kind: 'phone',
    e164: found.number,
    ...(found.country === undefined ? {} : { country: found.country }),
  };
}

/** The number without its `+`, as several networks write it. */
export function digitsOf(e164: string): string {
  return e164.replace(/^\+/, '');
}

/**
 * `+` and digits, as `readPhone` gives them, from what a network wrote with or without the `+`; undefined
 * when it is no number. One of a length that the library does not know is kept: the network has it.
 */
export function fromDigits(digits: string | undefined): string | undefined {
  const found = /^\+?([1-9]\d{6,14})$/.exec(digits ?? '');
  if (found === null) return undefined;
  const reading = readPhone(`+${found[1]}`);
  return reading.kind === 'phone' ? reading.e164 : `+${found[1]}`;
}

/** Whether ISO 3166-1 alpha-2 has the country and it has telephone numbers. */
export function hasNumbers(country: string): boolean {
  return isSupportedCountry(country);
}

function refused(reason: string): PhoneReading {
  return { kind: 'refused', reason };
}

/**
 * ISO 3166-1 alpha-2 of a number as `readPhone` gives it; undefined for numbers that belong to no
 * country.
 */
export function isoCountryOf(e164: string): string | undefined {
  return parsePhoneNumberFromString(e164)?.country;
}
