/** Marks that steer the direction of writing, and characters without width: nobody sees them. */
const invisible = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
/** Digits of Arabic, Persian and wide writing. */
const otherDigits = /[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g;

/**
 * A number, day or time in the signs that are read: without marks that nobody sees, with the digits 0 to 9
 * and the minus of keyboards. Spreadsheets and programs in Arabic and Chinese write others.
 */
export function plainSigns(text: string): string {
  if (isPlain.test(text)) return text;
  return text
    .replace(invisible, '')
    .replace(otherDigits, (digit) => String(digitOf(digit.charCodeAt(0))))
    .replace(/[\u2212\uff0d]/g, '-')
    .trim();
}

/** A text without what nobody sees at its ends: spaces, and marks that stand alone. */
export function trimmed(text: string): string {
  return isPlain.test(text) ? text.trim() : text.replace(unseenEnds, '');
}

const unseenEnds =
  /^[\s\u061c\u200b\u200e\u200f\u2060\ufeff]+|[\s\u061c\u200b\u200e\u200f\u2060\ufeff]+$/g;

/** A text for people, in which what nobody sees is written out: `\\u200e`. */
export function shownSigns(text: string): string {
  return text.replace(
    invisible,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const isPlain = /^[\x20-\x7e]*$/;

function digitOf(code: number): number {
  return code >= 0xff10 ? code - 0xff10 : code & 0x0f;
}
