/**
 * Looks through JSON as its bytes arrive, and builds nothing: what is not JSON, or is beyond its
 * bounds, is known before it takes memory.
 *
 * ```ts
 * const scanner = new JsonScanner({ depthMax: 64, valuesMax: 500_000 });
 * for await (const chunk of request) {
 *   const fault = scanner.write(chunk);
 *   if (fault !== undefined) return refuse(fault);
 * }
 * const fault = scanner.end();
 * ```
 */

/** What a text may hold, however many bytes it has. */
export interface JsonBounds {
  /** Objects and arrays within each other. */
  readonly depthMax: number;
  /** Objects, arrays, texts, numbers and the like, all together; names are not counted. */
  readonly valuesMax: number;
}

/** Why a text is refused. */
export type JsonFault =
  /** It is not JSON from here on, or breaks off; line and column (UTF-16) count from 1. */
  | { readonly kind: 'syntax'; readonly line: number; readonly column: number }
  /** It is JSON, and holds more than its bounds say. */
  | { readonly kind: 'depth' }
  | { readonly kind: 'values' }
  /** It is JSON, and has an escape for U+0000 or half of a surrogate pair: no database holds it. */
  | { readonly kind: 'unstorable' };

/**
 * What may come next: a value, `]` or a value, a key, `}` or a key, `:`, what follows a value; or
 * the rest of what has begun.
 */
type State =
  | 'value'
  | 'firstItem'
  | 'key'
  | 'firstKey'
  | 'colon'
  | 'after'
  | 'text'
  | 'escape'
  | 'hex'
  | 'low' // `\` of the second half of a surrogate pair
  | 'lowEscape' // its `u`
  | 'literal'
  | NumberState;

type NumberState = 'minus' | 'zero' | 'integer' | 'point' | 'fraction' | 'e' | 'sign' | 'exponent';

const byte = {
  tab: 0x09,
  lineFeed: 0x0a,
  return: 0x0d,
  space: 0x20,
  quote: 0x22,
  plus: 0x2b,
  comma: 0x2c,
  minus: 0x2d,
  point: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  openArray: 0x5b,
  backslash: 0x5c,
  closeArray: 0x5d,
  u: 0x75,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;
const byteOrderMark = [0xef, 0xbb, 0xbf] as const;
const literals = new Map(['true', 'false', 'null'].map((word) => [word.charCodeAt(0), word]));
/** By the byte after the `\\`: 1 when the two are an escape. */
const isEscape = new Uint8Array(256);
for (const mark of '"\\/bfnrt') isEscape[mark.charCodeAt(0)] = 1;

/** Looks through one text, piece by piece; see the head of this file. */
export class JsonScanner {
  readonly #bounds: JsonBounds;
  /** The byte that ends each object or array which is open. */
  readonly #open: number[] = [];
  #state: State = 'value';
  #values = 0;
  #isKey = false;
  /** Of a literal: what is to come. Of an escape: the hexadecimal digits so far. */
  #begun = '';
  #awaitsLow = false;
  /** Bytes before those of this call, and where the byte is that is looked at. */
  #offset = 0;
  #line = 1;
  #lineStart = 0;
  /** Bytes of this line that are no UTF-16 unit of their own. */
  #hidden = 0;
  /** Column of the text, number or literal that has begun. */
  #column = 1;

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds;
  }

  /** Looks at the next bytes. Answers the first fault, after which there is nothing to look for. */
  write(bytes: Uint8Array): JsonFault | undefined {
    const before = this.#offset;
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#state === 'text') at = this.#plainEnd(bytes, at);
      if (at === bytes.length) break;
      this.#offset = before + at;
      const fault = this.#take(bytes[at]!);
      if (fault !== undefined) return fault;
    }
    this.#offset = before + bytes.length;
    return undefined;
  }

  /** The fault of a text that ends here, if it has one. */
  end(): JsonFault | undefined {
    const isWhole = this.#state === 'after' || mayEnd(this.#state);
    if (isWhole && this.#open.length === 0) return undefined;
    return this.#isWithin() && !isWhole ? this.#faultOfBegun() : this.#faultHere();
  }

  /** The next byte from `from` on that is more than a character or short escape of a text. */
  #plainEnd(bytes: Uint8Array, from: number): number {
    let at = from;
    while (at < bytes.length) {
      const each = bytes[at]!;
      if (each < byte.space || each === byte.quote) return at;
      if (each === byte.backslash) {
        if (isEscape[bytes[at + 1] ?? 0] === 0) return at;
        at += 1;
      } else if (each >= 0x80) this.#countUnits(each);
      at += 1;
    }
    return at;
  }

  /** Characters of two and three bytes are one unit, those of four are two. */
  #countUnits(each: number): void {
    if ((each & 0xc0) === 0x80) this.#hidden += 1;
    else if (each >= 0xf0) this.#hidden -= 1;
  }

  #take(each: number): JsonFault | undefined {
    switch (this.#state) {
      case 'value':
      case 'firstItem':
      case 'key':
      case 'firstKey':
      case 'colon':
      case 'after':
        return this.#takeBetween(each);
      case 'text':
        return this.#takeInText(each);
      case 'escape':
        return this.#takeEscape(each);
      case 'hex':
        return this.#takeHex(each);
      case 'low':
      case 'lowEscape':
        return this.#takeLow(each);
      case 'literal':
        return this.#takeLiteral(each);
      default:
        return this.#takeDigit(each, this.#state);
    }
  }

  #takeBetween(each: number): JsonFault | undefined {
    switch (each) {
      case byte.space:
      case byte.tab:
      case byte.return:
        return undefined;
      case byte.lineFeed:
        this.#line += 1;
        this.#lineStart = this.#offset + 1;
        this.#hidden = 0;
        return undefined;
    }
    switch (this.#state) {
      case 'value':
        return this.#takeValue(each);
      case 'firstItem':
        return each === byte.closeArray ? this.#close() : this.#takeValue(each);
      case 'firstKey':
        return each === byte.closeObject ? this.#close() : this.#takeKey(each);
      case 'key':
        return this.#takeKey(each);
      case 'colon':
        if (each !== byte.colon) return this.#faultHere();
        this.#state = 'value';
        return undefined;
      default:
        return this.#takeAfter(each);
    }
  }

  #takeKey(each: number): JsonFault | undefined {
    if (each !== byte.quote) return this.#faultHere();
    this.#isKey = true;
    this.#begin('text');
    return undefined;
  }

  #takeValue(each: number): JsonFault | undefined {
    if (this.#offset < byteOrderMark.length && each === byteOrderMark[this.#offset]) {
      this.#hidden += 1;
      return undefined;
    }
    const state = this.#stateBy(each);
    if (state === undefined) return this.#faultHere();
    this.#values += 1;
    if (this.#values > this.#bounds.valuesMax) return { kind: 'values' };
    if (state !== 'firstItem' && state !== 'firstKey') {
      this.#isKey = false;
      this.#begin(state);
      return undefined;
    }
    if (this.#open.length === this.#bounds.depthMax) return { kind: 'depth' };
    this.#open.push(state === 'firstItem' ? byte.closeArray : byte.closeObject);
    this.#state = state;
    return undefined;
  }

  /** What a value is that begins with this byte; undefined when none does. */
  #stateBy(each: number): State | undefined {
    switch (each) {
      case byte.openObject:
        return 'firstKey';
      case byte.openArray:
        return 'firstItem';
      case byte.quote:
        return 'text';
      case byte.minus:
        return 'minus';
      case byte.zero:
        return 'zero';
    }
    if (isDigit(each)) return 'integer';
    const word = literals.get(each);
    if (word === undefined) return undefined;
    this.#begun = word.slice(1);
    return 'literal';
  }

  #takeAfter(each: number): JsonFault | undefined {
    const close = this.#open.at(-1);
    if (close === undefined) return this.#faultHere(); // a second value
    if (each === close) return this.#close();
    if (each !== byte.comma) return this.#faultHere();
    this.#state = close === byte.closeObject ? 'key' : 'value';
    return undefined;
  }

  #close(): undefined {
    this.#open.pop();
    this.#state = 'after';
  }

  #takeInText(each: number): JsonFault | undefined {
    if (each < byte.space) return this.#faultOfBegun();
    if (each === byte.backslash) this.#state = 'escape';
    else this.#state = this.#isKey ? 'colon' : 'after'; // a quote: `#plainEnd` stops at no other
    return undefined;
  }

  #takeEscape(each: number): JsonFault | undefined {
    if (each === byte.u) {
      this.#begun = '';
      this.#state = 'hex';
      return undefined;
    }
    if (isEscape[each] === 0) return this.#faultOfBegun();
    this.#state = 'text';
    return undefined;
  }

  #takeHex(each: number): JsonFault | undefined {
    if (!isHexDigit(each)) return this.#faultOfBegun();
    this.#begun += String.fromCharCode(each);
    if (this.#begun.length < 4) return undefined;
    const unit = Number.parseInt(this.#begun, 16);
    const isLow = unit >= 0xdc00 && unit <= 0xdfff;
    if (unit === 0 || isLow !== this.#awaitsLow) return { kind: 'unstorable' };
    this.#awaitsLow = unit >= 0xd800 && unit <= 0xdbff;
    this.#state = this.#awaitsLow ? 'low' : 'text';
    return undefined;
  }

  #takeLow(each: number): JsonFault | undefined {
    const isFirst = this.#state === 'low';
    if (each !== (isFirst ? byte.backslash : byte.u)) return { kind: 'unstorable' };
    this.#begun = '';
    this.#state = isFirst ? 'lowEscape' : 'hex';
    return undefined;
  }

  #takeLiteral(each: number): JsonFault | undefined {
    if (each !== this.#begun.charCodeAt(0)) return this.#faultOfBegun();
    this.#begun = this.#begun.slice(1);
    if (this.#begun === '') this.#state = 'after';
    return undefined;
  }

  #takeDigit(each: number, state: NumberState): JsonFault | undefined {
    const next = stateAfter(state, each);
    if (next !== undefined) {
      this.#state = next;
      return undefined;
    }
    if (!mayEnd(state)) return this.#faultOfBegun();
    this.#state = 'after';
    return this.#takeBetween(each);
  }

  #begin(state: State): void {
    this.#state = state;
    this.#column = this.#columnHere();
  }

  #isWithin(): boolean {
    return !['value', 'firstItem', 'key', 'firstKey', 'colon', 'after'].includes(this.#state);
  }

  #columnHere(): number {
    return this.#offset - this.#lineStart - this.#hidden + 1;
  }

  #faultHere(): JsonFault {
    return { kind: 'syntax', line: this.#line, column: this.#columnHere() };
  }

  /** Where it began says more than where it broke off: no value goes over a line. */
  #faultOfBegun(): JsonFault {
    return { kind: 'syntax', line: this.#line, column: this.#column };
  }
}

function isDigit(each: number): boolean {
  return each >= byte.zero && each <= byte.nine;
}

function isHexDigit(each: number): boolean {
  const lowerCase = each | 0x20;
  return isDigit(each) || (lowerCase >= 0x61 && lowerCase <= 0x66);
}

/** Whether a number may end in this state. */
function mayEnd(state: State): boolean {
  return state === 'zero' || state === 'integer' || state === 'fraction' || state === 'exponent';
}

/** How a number goes on with this byte; undefined when it does not. */
function stateAfter(state: NumberState, each: number): NumberState | undefined {
  const isE = (each | 0x20) === 0x65;
  switch (state) {
    case 'minus':
      return each === byte.zero ? 'zero' : isDigit(each) ? 'integer' : undefined;
    case 'integer':
      if (isDigit(each)) return 'integer';
      return each === byte.point ? 'point' : isE ? 'e' : undefined;
    case 'zero':
      return each === byte.point ? 'point' : isE ? 'e' : undefined;
    case 'point':
      return isDigit(each) ? 'fraction' : undefined;
    case 'fraction':
      return isDigit(each) ? 'fraction' : isE ? 'e' : undefined;
    case 'e':
      if (each === byte.plus || each === byte.minus) return 'sign';
      return isDigit(each) ? 'exponent' : undefined;
    case 'sign':
    case 'exponent':
      return isDigit(each) ? 'exponent' : undefined;
  }
}
