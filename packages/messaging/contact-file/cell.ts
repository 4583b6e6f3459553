import { withoutMarks } from '../invisible-marks.ts';

const invisible = /[\s\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;
const apostrophe = 0x27;
const equalsSign = 0x3d;
const asciiMax = 0x7f;

/**
 * What a cell holds, without what spreadsheets and programs put around it: `="+60…"`, the apostrophe before
 * what looks like a formula, spaces and invisible marks at its ends.
 */
export function cleanCell(cell: string): string {
  const text = cell.trim();
  if (text === '') return text;
  const first = text.charCodeAt(0);
  if (first > asciiMax || text.charCodeAt(text.length - 1) > asciiMax) {
    return unwrapped(withoutInvisibleEnds(text));
  }
  return first === equalsSign || first === apostrophe ? unwrapped(text) : text;
}

/** By hand: a pattern would begin anew at each space of a cell that is full of them. */
function withoutInvisibleEnds(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && invisible.test(text[from]!)) from += 1;
  while (to > from && invisible.test(text[to - 1]!)) to -= 1;
  return text.slice(from, to);
}

function unwrapped(text: string): string {
  const [, formula] = /^="((?:[^"]|"")*)"$/.exec(text) ?? [];
  if (formula !== undefined) return cleanCell(formula.replaceAll('""', '"'));
  return /^'[=+\-@\t\r]/.test(text) ? cleanCell(text.slice(1)) : text;
}

/** A phone as `readPhone` takes it, or why it is none. */
export type PhoneCell =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: string };

const plain = /^\+\d+$/;

/**
 * Undoes what is certain: invisible marks, `tel:`, the `.0` and the exponent of a number that lost no digit,
 * and, where no country is given, the international prefix 00.
 */
export function readPhoneCell(cell: string, defaultCountry: string | undefined): PhoneCell {
  if (plain.test(cell)) return { kind: 'text', text: cell };
  const text = withoutMarks(cell).replace(/^tel:/i, '').trim();
  const [, whole = '', decimals = '', power] = /^(\d)(?:\.(\d+))?E\+?(\d{1,2})$/i.exec(text) ?? [];
  if (power !== undefined) {
    // A number of n decimals times 10^n has all its digits; with a higher power zeros stand for what was lost.
    return Number(power) === decimals.length
      ? readPhoneCell(whole + decimals, defaultCountry)
      : {
          kind: 'refused',
          reason: `a spreadsheet has written it as ${text}, which lacks digits: make the column text`,
        };
  }
  const digits = /^\+?\d{7,15}\.0$/.test(text) ? text.slice(0, -2) : text;
  const isPrefixed = defaultCountry === undefined && /^00[1-9]/.test(digits);
  return { kind: 'text', text: isPrefixed ? `+${digits.slice(2)}` : digits };
}

/** Whether a cell without a header may be a phone. */
export function looksLikePhone(cell: string): boolean {
  const reading = readPhoneCell(cleanCell(cell), undefined);
  if (reading.kind === 'refused') return true;
  const { text } = reading;
  return /^\+?[\d\s().\-/]{7,25}$/.test(text) && text.replace(/\D/g, '').length >= 7;
}
