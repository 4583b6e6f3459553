import type { Node, Shape } from '@drawbridge/cim/node.ts';
import type { Binding } from './compile.ts';
import { type LeafType, leafTypeOf } from './leaf-types.ts';

/**
 * Knows documents that the printed schema takes, at a tenth of what it costs to run the schema.
 * Whatever it does not know to be right (a fault, an address in an attribute, a number in an odd
 * form) it is not certain of: then libxml2 has the last word, as for all that is wrong.
 */
export class CertainSchema {
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

  /** For a document whose elements stand in the order of the table, with only text between. */
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

  /** No attributes; the document may say where a schema of its own namespace is to be found. */
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

/** What surely is in the lexical space of a W3C type: only the usual forms are known. */
const forms: Readonly<Record<string, (text: string) => boolean>> = {
  string: anyText,
  // Its white space is replaced, so that any text is one.
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

/** Digits, perhaps a minus before and a point among them. */
function isUsualDecimal(text: string): boolean {
  const { length } = text;
  if (length === 0 || length > decimalMax) return false;
  let hasPoint = false;
  for (let at = text.charCodeAt(0) === minus ? 1 : 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code === point && !hasPoint) hasPoint = true;
    else if (!isDigit(code)) return false;
  }
  // Neither begins nor ends with the point.
  return isDigit(text.charCodeAt(length - 1)) && isDigit(text.charCodeAt(text[0] === '-' ? 1 : 0));
}

/** `YYYY-MM-DD`, and a day that every month but February has. */
function isUsualDate(text: string): boolean {
  if (!/^(19|20)\d\d-(0[1-9]|1[0-2])-\d\d$/.test(text)) return false;
  const day = Number(text.slice(8));
  return day >= 1 && (day <= 28 || (day <= 30 && text.slice(5, 7) !== '02'));
}

/** Without white space, in groups of four, the last one whole or rightly filled up (RFC 4648, 4). */
function isUsualBase64(text: string): boolean {
  const { length } = text;
  if (length === 0 || length % 4 !== 0) return false;
  // By a loop: an attachment may be longer than what an expression can go back over.
  for (let at = 0; at < length - 4; at++) if (!isBase64(text.charCodeAt(at))) return false;
  return lastOfBase64.test(text.slice(-4));
}

const lastOfBase64 =
  /^(?:[A-Za-z\d+/]{4}|[A-Za-z\d+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z\d+/][AQgw]==)$/;

/** Letters, digits, plus and slash. */
function isBase64(code: number): boolean {
  const letter = code | 32;
  return (letter >= 97 && letter <= 122) || (code >= 47 && code <= 57) || code === 43;
}

const minus = 45;
const point = 46;

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
