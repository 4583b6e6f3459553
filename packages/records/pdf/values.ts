/** A value of a PDF file; a stream is a dictionary with the place of its bytes. */
export type PdfValue =
  | null
  | boolean
  | number
  | PdfName
  | PdfText
  | PdfReference
  | readonly PdfValue[]
  | PdfDictionary;

interface PdfName {
  readonly kind: 'name';
  readonly name: string;
}

/** A text as its bytes: which characters they are depends on where it stands. */
interface PdfText {
  readonly kind: 'text';
  readonly bytes: Uint8Array;
}

interface PdfReference {
  readonly kind: 'reference';
  readonly object: number;
}

export interface PdfDictionary {
  readonly kind: 'dictionary';
  readonly members: ReadonlyMap<string, PdfValue>;
}

/** What stands where a value should; it does not leave the folder. */
export class PdfSyntaxError extends Error {}

/** More is to be read or unpacked than may be. */
export class PdfTooLarge extends Error {}

/** How many values and bytes of texts may still be read of a file: its parts may lead to each other again and again. */
export interface PdfBudget {
  left: number;
}

const depthMax = 64;
const nameLengthMax = 1_000;
const textLengthMax = 1_048_576;

const whitespace: ReadonlySet<number> = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20]);
const delimiting: ReadonlySet<number> = new Set(Buffer.from('()<>[]{}/%', 'latin1'));

/** Reads values of a PDF file from a place on (ISO 32000-1, 7.2 and 7.3). */
export class PdfValueReader {
  readonly bytes: Uint8Array;
  at: number;
  readonly #budget: PdfBudget;

  constructor(bytes: Uint8Array, at: number, budget: PdfBudget) {
    this.bytes = bytes;
    this.at = at;
    this.#budget = budget;
  }

  /** The next value. */
  value(depth = 0): PdfValue {
    if (depth > depthMax) throw new PdfSyntaxError('nested too deep');
    spend(this.#budget, 1);
    this.skipSpace();
    const first = this.#character();
    switch (first) {
      case '/':
        return { kind: 'name', name: this.#name() };
      case '(':
        return { kind: 'text', bytes: this.#literal() };
      case '[':
        this.at += 1;
        return this.#array(depth);
      case '<':
        if (this.bytes[this.at + 1] !== 0x3c) return { kind: 'text', bytes: this.#hexadecimal() };
        this.at += 2;
        return this.#dictionary(depth);
      default:
        return this.#plain();
    }
  }

  /** The next word: a number, or a keyword such as `obj`; empty at a delimiter. */
  word(): string {
    this.skipSpace();
    const from = this.at;
    while (this.at < this.bytes.length && this.at - from <= nameLengthMax && this.#isRegular()) {
      this.at += 1;
    }
    return latin1(this.bytes.subarray(from, this.at));
  }

  /** Whether the next word is this one; it is then read. */
  takes(word: string): boolean {
    const from = this.at;
    if (this.word() === word) return true;
    this.at = from;
    return false;
  }

  skipSpace(): void {
    for (; this.at < this.bytes.length; this.at += 1) {
      const byte = this.bytes[this.at]!;
      if (byte === 0x25) {
        const from = this.at;
        while (this.at < this.bytes.length && !isLineEnd(this.bytes[this.at])) this.at += 1;
        spend(this.#budget, this.at - from);
      } else if (!whitespace.has(byte)) {
        return;
      }
    }
  }

  #character(): string {
    return String.fromCharCode(this.bytes[this.at] ?? 0);
  }

  #isRegular(): boolean {
    const byte = this.bytes[this.at]!;
    return !whitespace.has(byte) && !delimiting.has(byte);
  }

  /** A number, a reference (`12 0 R`), or a keyword. */
  #plain(): PdfValue {
    const word = this.word();
    if (word === 'null') return null;
    if (word === 'true' || word === 'false') return word === 'true';
    if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(word)) throw new PdfSyntaxError(`"${word}" is no value`);
    if (!/^\d{1,10}$/.test(word)) return Number(word);
    const after = this.at;
    if (/^\d{1,5}$/.test(this.word()) && this.takes('R')) {
      return { kind: 'reference', object: Number(word) };
    }
    this.at = after;
    return Number(word);
  }

  #array(depth: number): readonly PdfValue[] {
    const values: PdfValue[] = [];
    for (;;) {
      this.skipSpace();
      if (this.#character() === ']') {
        this.at += 1;
        return values;
      }
      values.push(this.value(depth + 1));
    }
  }

  #dictionary(depth: number): PdfDictionary {
    const members = new Map<string, PdfValue>();
    for (;;) {
      this.skipSpace();
      if (this.#character() === '>') {
        this.at += 2;
        return { kind: 'dictionary', members };
      }
      if (this.#character() !== '/') throw new PdfSyntaxError('a member without a name');
      const name = this.#name();
      members.set(name, this.value(depth + 1));
    }
  }

  #name(): string {
    this.at += 1;
    const from = this.at;
    while (this.at < this.bytes.length && this.#isRegular()) this.at += 1;
    if (this.at - from > nameLengthMax) throw new PdfSyntaxError('a name is too long');
    return latin1(this.bytes.subarray(from, this.at)).replace(/#([0-9a-f]{2})/gi, (_, digits) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
  }

  #hexadecimal(): Uint8Array {
    const end = this.bytes.indexOf(0x3e, this.at);
    if (end < 0) throw new PdfSyntaxError('a text without an end');
    spend(this.#budget, end - this.at);
    const digits = latin1(this.bytes.subarray(this.at + 1, end)).replace(/[^0-9a-f]/gi, '');
    this.at = end + 1;
    return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex');
  }

  #literal(): Uint8Array {
    const found: number[] = [];
    let open = 0;
    for (; this.at < this.bytes.length; this.at += 1) {
      spend(this.#budget, 1);
      const byte = this.bytes[this.at]!;
      if (byte === 0x5c) {
        this.at += 1;
        const escaped = this.#escaped();
        if (escaped !== undefined) found.push(escaped);
        continue;
      }
      if (byte === 0x28) open += 1;
      if (byte === 0x29) open -= 1;
      if (open === 0) {
        this.at += 1;
        return Uint8Array.from(found.slice(1));
      }
      if (found.length > textLengthMax) throw new PdfSyntaxError('a text is too long');
      found.push(byte);
    }
    throw new PdfSyntaxError('a text without an end');
  }

  /** What follows a backslash; nothing for the end of a line. */
  #escaped(): number | undefined {
    const octal = /^[0-7]{1,3}/.exec(latin1(this.bytes.subarray(this.at, this.at + 3)))?.[0];
    if (octal !== undefined) {
      this.at += octal.length - 1;
      return Number.parseInt(octal, 8) & 0xff;
    }
    const character = this.#character();
    if (character === '\n') return undefined;
    if (character === '\r') {
      if (this.bytes[this.at + 1] === 0x0a) this.at += 1;
      return undefined;
    }
    const named = 'nrtbf'.indexOf(character);
    return named < 0 ? character.charCodeAt(0) : '\n\r\t\b\f'.charCodeAt(named);
  }
}

/** Takes from a budget; it throws when there is not so much. */
export function spend(budget: PdfBudget, amount: number): void {
  budget.left -= amount;
  if (budget.left < 0) throw new PdfTooLarge();
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d;
}

export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
