import { Node } from '@drawbridge/cim/node.ts';
import type { Binding } from './compile.ts';
import { addChild, addText, elementName, type OpenElement } from './open-element.ts';
import { limits } from './parse-limits.ts';
import {
  declaredPrefix,
  type ElementName,
  expanded,
  type Namespaces,
  nextHash,
  outermost,
  unsure,
  usualNames,
  withPrefixed,
} from './scan-names.ts';
import { decodeAttribute, decodeText } from './scan-text.ts';

/** A document that was read. */
export interface Scanned {
  readonly root: Node;
  readonly binding: Binding;
  /**
   * Written as `emit` writes: bound elements in the order of the table, nothing but text and
   * comments between its tags, and namespaces whose names are addresses beyond doubt.
   */
  readonly isPlain: boolean;
}

/**
 * Reads what invoices are made of, several times faster than a complete parser does. Whatever it
 * does not know to be right (a fault, a DOCTYPE, a name beyond ASCII) is undefined: then the
 * complete parser reads the document, and has the last word.
 */
export function scan(bindings: readonly Binding[], given: string): Scanned | undefined {
  if (forbidden.test(given) || !given.isWellFormed()) return undefined;
  // XML 1.0, 2.11: lines end in a line feed, whatever the document was written on.
  const text = given.includes('\r') ? given.replace(/\r\n?/g, '\n') : given;
  try {
    return new Scanner(bindings, text).document();
  } catch (error) {
    if (error === unsure) return undefined;
    throw error;
  }
}

// XML 1.0 (5th ed.) 2.2: everything else is a Char.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

interface Open extends OpenElement {
  /** As written, for its end tag. */
  readonly name: string;
  readonly namespaces: Namespaces;
  /** Slot of the latest child. */
  slot: number;
}

interface Attributes {
  readonly own: Record<string, string> | undefined;
  readonly namespaces: Namespaces;
}

const declaration =
  /^<\?xml\s+version=(?:"1\.0"|'1\.0')(?:\s+encoding=(?:"utf-8"|'utf-8'))?(?:\s+standalone=(?:"(?:yes|no)"|'(?:yes|no)'))?\s*\?>/i;
/** Of other names libxml2 may have an opinion. */
const plainUri = /^(urn:[\w:.-]+|https?:\/\/[\w.-]+(\/[\w./-]*)?(#\w*)?)$/;
const elementForm = /^[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?$/;
const attributeForm = /^[A-Za-z][\w.-]*(?::[A-Za-z][\w.-]*)?$/;
const instructionForm = /[A-Za-z_][\w.-]*(?=[ \t\n]|\?>)/y;

class Scanner {
  readonly #bindings: readonly Binding[];
  readonly #source: string;
  readonly #stack: Open[] = [];
  /** Those that were seen to be well formed. */
  readonly #attributeNames = new Set<string>();
  /** Attributes without prefixes by all that is written of them: few differ, amounts are many. */
  readonly #attributeLists = new Map<string, Attributes['own']>();
  readonly #hasReferences: boolean;
  readonly #hasSectionEnds: boolean;
  #at = 0;
  /** Text since the last tag, in pieces where a comment or a CDATA section parts it. */
  #text = '';
  #nodes = 0;
  #isPlain = true;
  #root: Node | undefined;
  #binding: Binding | undefined;

  constructor(bindings: readonly Binding[], source: string) {
    this.#bindings = bindings;
    this.#source = source;
    this.#hasReferences = source.includes('&');
    this.#hasSectionEnds = source.includes(']]>');
  }

  document(): Scanned {
    if (this.#source.startsWith('<?xml ')) {
      const written = declaration.exec(this.#source);
      if (written === null) throw unsure;
      this.#at = written[0].length;
    }
    const source = this.#source;
    for (;;) {
      const tag = source.indexOf('<', this.#at);
      this.#addText(this.#at, tag < 0 ? source.length : tag);
      if (tag < 0) break;
      const mark = source.charCodeAt(tag + 1);
      if (mark === slash) this.#endTag(tag + 2);
      else if (mark === exclamation) this.#comment(tag);
      else if (mark === question) this.#instruction(tag + 2);
      else this.#startTag(tag + 1);
    }
    if (this.#stack.length > 0 || this.#root === undefined) throw unsure;
    return { root: this.#root, binding: this.#binding!, isPlain: this.#isPlain };
  }

  #addText(from: number, to: number): void {
    if (from === to) return;
    const text = this.#textAt(from, to);
    if (this.#stack.length > 0) this.#text = this.#text === '' ? text : this.#text + text;
    else if (!/^[ \t\n]*$/.test(text)) throw unsure;
  }

  #textAt(from: number, to: number): string {
    const raw = this.#source.slice(from, to);
    if (!this.#hasReferences && !this.#hasSectionEnds) return raw;
    const text = decodeText(raw);
    if (text === undefined) throw unsure;
    return text;
  }

  #flush(): void {
    if (this.#text === '') return;
    addText(this.#stack.at(-1)!.node, this.#text);
    this.#text = '';
  }

  #endTag(from: number): void {
    this.#flush();
    const open = this.#stack.pop();
    if (open === undefined || !this.#source.startsWith(open.name, from)) throw unsure;
    const end = this.#blanks(from + open.name.length);
    if (this.#source.charCodeAt(end) !== greater) throw unsure;
    this.#at = end + 1;
  }

  #comment(tag: number): void {
    if (this.#source.startsWith('<!--', tag)) {
      const end = this.#source.indexOf('--', tag + 4);
      if (end < 0 || this.#source.charCodeAt(end + 2) !== greater) throw unsure;
      this.#at = end + 3;
      return;
    }
    if (!this.#source.startsWith('<![CDATA[', tag) || this.#stack.length === 0) throw unsure;
    const end = this.#source.indexOf(']]>', tag + 9);
    if (end < 0) throw unsure;
    this.#text += this.#source.slice(tag + 9, end);
    this.#isPlain = false;
    this.#at = end + 3;
  }

  #instruction(from: number): void {
    if (this.#stack.length > 0) this.#isPlain = false;
    instructionForm.lastIndex = from;
    const target = instructionForm.exec(this.#source)?.[0];
    if (target === undefined || target.toLowerCase() === 'xml') throw unsure;
    const end = this.#source.indexOf('?>', from + target.length);
    if (end < 0) throw unsure;
    this.#at = end + 2;
  }

  #startTag(from: number): void {
    this.#flush();
    const depth = this.#stack.length;
    if (++this.#nodes > limits.nodesMax || depth >= limits.depthMax) throw unsure;
    const source = this.#source;
    const parent = this.#stack[depth - 1];
    let nameTo = from;
    let hash = 0;
    for (let code = source.charCodeAt(from); !isNameEnd(code); code = source.charCodeAt(nameTo)) {
      hash = nextHash(hash, code);
      nameTo++;
    }
    this.#at = nameTo;
    const isBare = source.charCodeAt(nameTo) === greater || source.charCodeAt(nameTo) === slash;
    const outer = parent?.namespaces ?? outermost;
    const { own, namespaces } = isBare
      ? { own: undefined, namespaces: outer }
      : this.#attributes(outer);
    const name =
      parent === undefined
        ? this.#document(source.slice(from, nameTo), namespaces, own)
        : this.#elementName(from, nameTo, hash, namespaces);
    const node = parent === undefined ? this.#root! : this.#child(parent, name.element, own);
    this.#open(node, name.written, namespaces);
  }

  /** Goes on after a start tag whose end is next. */
  #open(node: OpenElement['node'], name: string, namespaces: Namespaces): void {
    const end = this.#at;
    if (this.#source.charCodeAt(end) === slash) {
      if (this.#source.charCodeAt(end + 1) !== greater) throw unsure;
      this.#at = end + 2;
    } else if (node === this.#root || !this.#readLeaf(node, name, end + 1)) {
      this.#stack.push({ node, counts: undefined, name, namespaces, slot: 0 });
      this.#at = end + 1;
    }
  }

  #child(parent: Open, element: string, own: Attributes['own']): OpenElement['node'] {
    const child = addChild(parent, element, own);
    if (child instanceof Node) {
      const { slot } = child.shape;
      if (slot < parent.slot) this.#isPlain = false;
      parent.slot = slot;
    }
    return child;
  }

  /** Reads on to the end of an element that holds nothing but text; false when it holds more. */
  #readLeaf(node: OpenElement['node'], name: string, from: number): boolean {
    const source = this.#source;
    const tag = source.indexOf('<', from);
    const nameTo = tag + 2 + name.length;
    if (source.charCodeAt(tag + 1) !== slash || source.charCodeAt(nameTo) !== greater) return false;
    if (tag < 0 || !source.startsWith(name, tag + 2)) return false;
    if (tag > from) addText(node, this.#textAt(from, tag));
    this.#at = nameTo + 1;
    return true;
  }

  #document(name: string, namespaces: Namespaces, own: Attributes['own']): ElementName {
    if (this.#root !== undefined || !elementForm.test(name)) throw unsure;
    const [uri, local] = expanded(name, namespaces);
    this.#binding = this.#bindings.find(
      ({ table }) => table.root === local && table.namespace === uri,
    );
    if (this.#binding === undefined) throw unsure;
    namespaces.usual = usualNames(this.#binding, namespaces.uris);
    this.#root = new Node(this.#binding.root, undefined);
    this.#root.attributes = own;
    return { written: name, element: local };
  }

  #elementName(from: number, to: number, hash: number, namespaces: Namespaces): ElementName {
    const known = namespaces.usual.get(hash) ?? namespaces.names.get(hash);
    const isKnown =
      known?.written.length === to - from && this.#source.startsWith(known.written, from);
    if (isKnown) return known;
    const written = this.#source.slice(from, to);
    if (!elementForm.test(written)) throw unsure;
    const element = elementName(this.#binding!.prefixes, ...expanded(written, namespaces));
    const name = { written, element };
    namespaces.names.set(hash, name);
    return name;
  }

  /** Up to the `>` or `/` that ends the tag; declarations count for the tag's own names too. */
  #attributes(outer: Namespaces): Attributes {
    const from = this.#at;
    const end = this.#source.indexOf('>', from);
    const list = this.#source.slice(from, end);
    const known = this.#attributeLists.get(list);
    if (known !== undefined) {
      this.#at = end;
      return { own: known, namespaces: outer };
    }
    const attributes = this.#newAttributes(outer);
    const { own, namespaces } = attributes;
    // Cut where the tag ends; what a prefix means depends on where it stands.
    const isWhole = this.#at === end && !list.includes(':');
    if (isWhole && own !== undefined && namespaces === outer) {
      this.#attributeLists.set(list, Object.freeze(own));
    }
    return attributes;
  }

  #newAttributes(outer: Namespaces): Attributes {
    let prefixed: Map<string, string> | undefined;
    let uris: Map<string, string> | undefined;
    let own: Record<string, string> | undefined;
    for (;;) {
      const from = this.#blanks(this.#at);
      const code = this.#source.charCodeAt(from);
      if (code === greater || code === slash) {
        this.#at = from;
        break;
      }
      if (from === this.#at) throw unsure;
      const [name, value] = this.#attribute(from);
      if (name !== 'xmlns' && !name.includes(':')) {
        own ??= {};
        if (Object.hasOwn(own, name)) throw unsure;
        own[name] = value;
        continue;
      }
      prefixed ??= new Map();
      if (prefixed.has(name)) throw unsure;
      prefixed.set(name, value);
      const prefix = declaredPrefix(name, value);
      if (prefix === undefined) continue;
      (uris ??= new Map(outer.uris)).set(prefix, value);
      if (!plainUri.test(value)) this.#isPlain = false;
    }
    if (prefixed === undefined) return { own, namespaces: outer };
    const namespaces = uris === undefined ? outer : this.#namespaces(uris);
    return { own: withPrefixed(prefixed, own, namespaces), namespaces };
  }

  #namespaces(uris: ReadonlyMap<string, string>): Namespaces {
    const usual = this.#binding ? usualNames(this.#binding, uris) : outermost.usual;
    return { uris, usual, names: new Map() };
  }

  #attribute(from: number): [name: string, value: string] {
    const source = this.#source;
    const nameTo = nameEnd(source, from);
    const equals = this.#blanks(nameTo);
    const open = this.#blanks(equals + 1);
    const quote = source[open];
    const close = source.indexOf(quote!, open + 1);
    const isQuoted = quote === '"' || quote === "'";
    if (source[equals] !== '=' || !isQuoted || close < 0) throw unsure;
    const name = source.slice(from, nameTo);
    const value = decodeAttribute(source.slice(open + 1, close));
    if (value === undefined || !this.#isAttributeName(name)) throw unsure;
    this.#at = close + 1;
    return [name, value];
  }

  #isAttributeName(name: string): boolean {
    if (this.#attributeNames.has(name)) return true;
    if (!attributeForm.test(name)) return false;
    this.#attributeNames.add(name);
    return true;
  }

  /** Where the white space from here on ends. */
  #blanks(from: number): number {
    let at = from;
    while (isBlank(this.#source.charCodeAt(at))) at++;
    return at;
  }
}

const exclamation = 33;
const slash = 47;
const equalsSign = 61;
const greater = 62;
const question = 63;

function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 9;
}

/** Where a name ends; what it may be made of is asked of each name once. */
function nameEnd(source: string, from: number): number {
  let at = from;
  while (!isNameEnd(source.charCodeAt(at))) at++;
  return at;
}

/** Also of what is beyond the end of the document. */
function isNameEnd(code: number): boolean {
  // Nearly all that names are made of is above these.
  if (code > greater) return false;
  const isMark = code === greater || code === slash || code === equalsSign;
  return isMark || isBlank(code) || Number.isNaN(code);
}
