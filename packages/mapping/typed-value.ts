import type { CimValue } from '@drawbridge/cim/json.ts';
import type { Datatype } from '@drawbridge/cim/terms.ts';
import { format, parseDecimal } from '@drawbridge/decimal/decimal.ts';
import { readDate } from './calendar.ts';
import { plainSigns } from './plain-signs.ts';
import { shown } from './transform.ts';

/** Why a text is not a value of the datatype. */
export type TypedFault = {
  readonly code:
    | 'not-a-date'
    | 'not-a-time'
    | 'not-a-decimal'
    | 'not-true-or-false'
    | 'not-xml-text';
  readonly message: string;
};

/** A value of the CIM, or why there is none. */
export type Typed = { readonly value: CimValue } | { readonly fault: TypedFault };

/** A text as a value of its datatype in the JSON form of the CIM, or why it is not one. */
export function typedValue(text: string, datatype: Datatype): Typed {
  switch (datatype) {
    case 'amount': {
      const amount = parseDecimal(plainSigns(text));
      return amount === undefined ? notDecimal(text) : { value: format(amount, 2) };
    }
    case 'quantity':
    case 'percentage':
    case 'decimal': {
      const number = parseDecimal(plainSigns(text));
      return number === undefined ? notDecimal(text) : { value: exact(format(number)) };
    }
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(text) && readDate(text, 'ISO') === text
        ? { value: text }
        : fault(
            'not-a-date',
            `"${shown(text)}" is not a date as YYYY-MM-DD; add a date transform.`,
          );
    case 'time':
      return /^\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})?$/.test(text)
        ? { value: text }
        : fault('not-a-time', `"${shown(text)}" is not a time as hh:mm:ss; add a time transform.`);
    case 'indicator':
      return indicator(text);
    default:
      return isXmlText(text)
        ? { value: text }
        : fault('not-xml-text', 'The text holds a control character that XML cannot carry.');
  }
}

/** A number if its double is exactly the written value, otherwise the text. */
function exact(text: string): CimValue {
  const number = Number(text);
  return String(number) === text ? number : text;
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ...['true', 't', 'yes', 'y', '1'].map((text) => [text, true] as const),
  ...['false', 'f', 'no', 'n', '0'].map((text) => [text, false] as const),
]);

function indicator(text: string): Typed {
  const value = truths.get(text.toLowerCase());
  if (value !== undefined) return { value };
  return fault('not-true-or-false', `"${shown(text)}" is neither true nor false.`);
}

// XML 1.0 (5th ed.) §2.2: everything else is a Char.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

function isXmlText(text: string): boolean {
  return text.isWellFormed() && !forbidden.test(text);
}

function notDecimal(text: string): Typed {
  return fault('not-a-decimal', `"${shown(text)}" is not a number; add a decimal transform.`);
}

function fault(code: TypedFault['code'], message: string): Typed {
  return { fault: { code, message } };
}
