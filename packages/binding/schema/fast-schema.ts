import type { Node, Shape } from '@drawbridge/cim/node.ts';
import type { Binding } from '../compile.ts';
import { type LeafType, leafTypeOf } from './leaf-types.ts';

/**
 * What it does: accepts a document that the printed schema certainly accepts, by checking each
 * node. Why: libxml2 parses the document a second time. With it alone validation as a whole takes
 * 1.6 to 4 times as long (docs/performance.md). The plain version: libxml2 with the schema
 * (validation/xsd.ts). It decides everything that is not accepted here: faults, addresses in
 * attributes, unusual forms of numbers. Only libxml2 reports faults. How the two are kept equal:
 * validation/structure.test.ts and authority.test.ts compare it with the standard's schema on
 * random changes of good documents, on each form of each data type, and on the official documents.
 * `npm run fuzz` tries more. The bench prints how many official documents it accepts.
 */
export class FastSchema {
  readonly #namespace: string;
  readonly #leaves: readonly (Leaf | undefined)[];
  /** Slots that must be filled, by number of the shape. */
  readonly #mandatory: readonly (readonly number[])[];

  constructor({ root, table }: Binding) {
    this.#namespace = table.namespace;
    const leaves: (Leaf | undefined)[] = [];
    const mandatory: number[][] = [];
    const visit = (shape: Shape): void => {
      leaves[shape.number] = shape.kind === 'value' ? leafOf(shape) : undefined;
      mandatory[shape.number] = shape.members.filter(({ min }) => min > 0).map(({ slot }) => slot);
      shape.members.forEach(visit);
    };
    visit(root);
    this.#leaves = leaves;
    this.#mandatory = mandatory;
  }

  /** For a document with elements in the order of the table and only text between them. */
  accepts(node: Node): boolean {
    if (node.unbound !== undefined) return false;
    const leaf = this.#leaves[node.shape.number];
    if (leaf !== undefined) return isRight(leaf, node);
    if (node.text !== '' || !this.#isBare(node)) return false;
    const { shape, members } = node;
    const mandatory = this.#mandatory[shape.number]!;
    for (let at = 0; at < mandatory.length; at++) {
      if (members[mandatory[at]!] === undefined) return false;
    }
    const { length } = shape.members;
    for (let slot = 0; slot < length; slot++) {
      const found = members[slot];
      if (found === undefined) continue;
      if (!Array.isArray(found)) {
        if (!this.accepts(found)) return false;
        continue;
      }
      if (found.length > shape.members[slot]!.max) return false;
      for (let at = 0; at < found.length; at++) if (!this.accepts(found[at]!)) return false;
    }
    return true;
  }

  /** Whether there are no attributes; the document may have one with the location of its schema. */
  #isBare({ attributes, parent }: Node): boolean {
    if (attributes === undefined) return true;
    const { [schemaLocation]: pair, ...others } = attributes;
    if (parent !== undefined || pair === undefined) return false;
    const [namespace, location] = pair.split(' ');
    return (
      namespace === this.#namespace &&
      `${namespace} ${location}` === pair &&
      Object.keys(others).length === 0
    );
  }
}

const schemaLocation = '{http://www.w3.org/2001/XMLSchema-instance}schemaLocation';

interface Leaf {
  readonly isRight: (text: string) => boolean;
  readonly attributes: ReadonlyMap<string, (text: string) => boolean>;
  readonly required: readonly string[];
}

function leafOf({ element }: Shape): Leaf {
  const { base, attributes }: LeafType = leafTypeOf(element.slice(element.indexOf(':') + 1));
  const rows = Object.entries(attributes);
  return {
    isRight: forms[base]!,
    attributes: new Map(rows.map(([name, { type }]) => [name, forms[type]!])),
    required: rows.filter(([, { isRequired }]) => isRequired).map(([name]) => name),
  };
}

function isRight({ isRight, attributes, required }: Leaf, node: Node): boolean {
  if (!isRight(node.text)) return false;
  const written = node.attributes;
  if (written === undefined) return required.length === 0;
  for (const name in written) {
    const form = attributes.get(name);
    if (form === undefined || !form(written[name]!)) return false;
  }
  for (const name of required) if (written[name] === undefined) return false;
  return true;
}

const anyText = (): boolean => true;

/** Whether a text is certainly in the lexical space of a W3C type; only usual forms are known. */
const forms: Readonly<Record<string, (text: string) => boolean>> = {
  string: anyText,
  // Its white space is replaced, so any text is valid.
  normalizedString: anyText,
  decimal: isUsualDecimal,
  date: isUsualDate,
  time: (text) => /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(Z|[+-](0\d|1[0-3]):[0-5]\d)?$/.test(text),
  boolean: (text) => text === 'true' || text === 'false',
  language: (text) => /^[a-z]{2}(-[A-Z]{2})?$/.test(text),
  base64Binary: isUsualBase64,
  anyURI: () => false,
};

const decimalMax = 18;

/** Digits with an optional sign and an optional point between them. */
function isUsualDecimal(text: string): boolean {
  const { length } = text;
  if (length === 0 || length > decimalMax) return false;
  let hasPoint = false;
  const sign = text.charCodeAt(0);
  const first = sign === minus || sign === plus ? 1 : 0;
  for (let at = first; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code === point && !hasPoint) hasPoint = true;
    else if (!isDigit(code)) return false;
  }
  // The point is neither first nor last.
  return isDigit(text.charCodeAt(length - 1)) && isDigit(text.charCodeAt(first));
}

/** `YYYY-MM-DD` in the Gregorian calendar, without a time zone, from the year 1000 to 9999. */
function isUsualDate(text: string): boolean {
  if (!/^[1-9]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text)) return false;
  return Number(text.slice(8)) <= daysIn(Number(text.slice(0, 4)), Number(text.slice(5, 7)));
}

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Groups of four, the last one complete or correctly padded (RFC 4648, 4); ignores white space. */
function isUsualBase64(written: string): boolean {
  const text = /[ \t\r\n]/.test(written) ? written.replace(/[ \t\r\n]+/g, '') : written;
  const { length } = text;
  if (length === 0 || length % 4 !== 0) return false;
  // A loop, because an attachment may be too long for the backtracking of a regular expression.
  for (let at = 0; at < length - 4; at++) if (!isBase64(text.charCodeAt(at))) return false;
  return lastOfBase64.test(text.slice(-4));
}

const lastOfBase64 =
  /^(?:[A-Za-z\d+/]{4}|[A-Za-z\d+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z\d+/][AQgw]==)$/;

/** Whether it is a letter, digit, plus or slash. */
function isBase64(code: number): boolean {
  const letter = code | 32;
  return (letter >= 97 && letter <= 122) || (code >= 47 && code <= 57) || code === 43;
}

const plus = 43;
const minus = 45;
const point = 46;

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
