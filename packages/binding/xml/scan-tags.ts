import { declaredPrefix, type Namespaces, unsure, withPrefixed } from './scan-names.ts';
import { decodeAttribute } from './scan-text.ts';

/** A start tag. */
export interface StartTag {
  /** The name as written. */
  readonly written: string;
  readonly attributes: Record<string, string> | undefined;
  /** The namespaces in the element, with its own declarations. */
  readonly namespaces: Namespaces;
  readonly isEmpty: boolean;
  /** The position after the tag. */
  readonly end: number;
}

/** Reads the start tag whose name begins at `from`. */
export function readStartTag(source: string, from: number, outer: Namespaces): StartTag {
  const nameTo = nameEnd(source, from);
  const written = source.slice(from, nameTo);
  let end = nameTo;
  let attributes: StartTag['attributes'];
  let namespaces = outer;
  if (source.charCodeAt(end) !== greater) {
    const list = readAttributes(source, nameTo);
    end = list.end;
    attributes = list.plain;
    if (list.prefixed !== undefined) {
      namespaces = declared(list.prefixed, outer);
      attributes = withPrefixed(list.prefixed, attributes, namespaces);
    }
  }
  const isEmpty = source.charCodeAt(end) === slash;
  if (isEmpty && source.charCodeAt(end + 1) !== greater) throw unsure;
  return { written, attributes, namespaces, isEmpty, end: end + (isEmpty ? 2 : 1) };
}

/** The position after the end tag of the element opened as `name`. */
export function readEndTag(source: string, from: number, name: string): number {
  if (!source.startsWith(name, from)) throw unsure;
  const end = blanks(source, from + name.length);
  if (source.charCodeAt(end) !== greater) throw unsure;
  return end + 1;
}

interface AttributeList {
  readonly plain: Record<string, string> | undefined;
  /** Attributes with a prefix, and declarations of prefixes. */
  readonly prefixed: Map<string, string> | undefined;
  /** The position of the `>` or `/` that ends the tag. */
  readonly end: number;
}

function readAttributes(source: string, nameTo: number): AttributeList {
  let plain: Record<string, string> | undefined;
  let prefixed: Map<string, string> | undefined;
  let at = nameTo;
  for (;;) {
    const from = blanks(source, at);
    const code = source.charCodeAt(from);
    if (code === greater || code === slash) return { plain, prefixed, end: from };
    if (from === at) throw unsure;
    const { name, value, end } = readAttribute(source, from);
    at = end;
    if (name === 'xmlns' || name.includes(':')) {
      prefixed ??= new Map();
      if (prefixed.has(name)) throw unsure;
      prefixed.set(name, value);
    } else {
      plain ??= {};
      if (Object.hasOwn(plain, name)) throw unsure;
      plain[name] = value;
    }
  }
}

function readAttribute(source: string, from: number): { name: string; value: string; end: number } {
  const nameTo = nameEnd(source, from);
  const equals = blanks(source, nameTo);
  const open = blanks(source, equals + 1);
  const quote = source[open];
  const close = source.indexOf(quote!, open + 1);
  const isQuoted = quote === '"' || quote === "'";
  if (source[equals] !== '=' || !isQuoted || close < 0) throw unsure;
  const name = source.slice(from, nameTo);
  const value = decodeAttribute(source.slice(open + 1, close));
  if (value === undefined || !attributeForm.test(name)) throw unsure;
  return { name, value, end: close + 1 };
}

const attributeForm = /^[A-Za-z][\w.-]*(?::[A-Za-z][\w.-]*)?$/;

function declared(attributes: ReadonlyMap<string, string>, outer: Namespaces): Namespaces {
  let uris: Map<string, string> | undefined;
  for (const [name, value] of attributes) {
    const prefix = declaredPrefix(name, value);
    if (prefix !== undefined) (uris ??= new Map(outer.uris)).set(prefix, value);
  }
  if (uris === undefined) return outer;
  // Each element with a declaration copies all declarations around it.
  if (uris.size > prefixesMax) throw unsure;
  return { uris, names: new Map(), areOwn: false };
}

const prefixesMax = 50;

const slash = 47;
const equalsSign = 61;
const greater = 62;

/** The position after a name; its characters are checked elsewhere. */
function nameEnd(source: string, from: number): number {
  let at = from;
  while (!isNameEnd(source.charCodeAt(at))) at++;
  return at;
}

/** Whether the character ends a name; true also beyond the end of the document. */
function isNameEnd(code: number): boolean {
  // Nearly all characters of names are above these.
  if (code > greater) return false;
  const isMark = code === greater || code === slash || code === equalsSign;
  return isMark || isBlank(code) || Number.isNaN(code);
}

/** The position after white space. */
function blanks(source: string, from: number): number {
  let at = from;
  while (isBlank(source.charCodeAt(at))) at++;
  return at;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 9;
}
