import { Node } from '@drawbridge/cim/node.ts';
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS, type XMLDecl } from 'saxes';
import type { Binding } from '../compile.ts';
import {
  addChild,
  addText,
  closeElement,
  elementName,
  type OpenElement,
  partText,
} from './open-element.ts';
import { limits } from './parse-limits.ts';
import { type Scanned, scan } from './scan.ts';
import { unsure } from './scan-names.ts';

export { limits } from './parse-limits.ts';

/** Why a document cannot be read; lines are counted from 1, columns from 0. */
export interface ParseFault {
  readonly code:
    | 'too-large'
    | 'not-utf8'
    | 'doctype'
    | 'not-well-formed'
    | 'too-deep'
    | 'too-many-elements'
    | 'unknown-document';
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** The document as CIM with the binding of its root, or why it cannot be read. */
export type ParseOutcome =
  | ({ readonly kind: 'parsed' } & Scanned)
  | { readonly kind: 'refused'; readonly fault: ParseFault };

/**
 * XML 1.0 in UTF-8 → CIM. Elements that no row binds are kept as `unbound`; the XSD reports faults
 * of order. A document type declaration is refused before it can declare an entity.
 */
export function parse(bindings: readonly Binding[], bytes: Uint8Array | string): ParseOutcome {
  if (bytes.length > limits.bytesMax) {
    return refused('too-large', `The document is larger than ${limits.bytesMax} bytes.`);
  }
  const scanned = scan(bindings, typeof bytes === 'string' ? [bytes] : pieces(bytes));
  if (scanned !== undefined) return { kind: 'parsed', ...scanned };
  const text = typeof bytes === 'string' ? bytes : decode(bytes);
  if (text !== undefined) return parseStrictly(bindings, text);
  return refused('not-utf8', `The document is not valid UTF-8. ${saveAsUtf8}`);
}

/** Reads with a complete parser, which reports what is wrong and where. */
export function parseStrictly(bindings: readonly Binding[], text: string): ParseOutcome {
  const reader = new Reader(bindings);
  const fault = reader.read(text);
  if (fault !== undefined) return { kind: 'refused', fault };
  return { kind: 'parsed', root: reader.root!, binding: reader.binding!, isPlain: false };
}

const saveAsUtf8 = 'Save it as UTF-8 and send it again.';

/**
 * With two bytes for each character a piece stays below 128 KiB. For a longer string V8 takes new
 * memory from the system, which costs more than decoding.
 */
const pieceBytes = 60_000;

/** Decodes the bytes in pieces; each but the last ends before a `<`. */
function* pieces(bytes: Uint8Array): Generator<string> {
  for (let from = 0; from < bytes.length; ) {
    const next = bytes.indexOf(less, from + pieceBytes);
    const to = next < 0 ? bytes.length : next;
    const piece = decode(bytes.subarray(from, to));
    if (piece === undefined) throw unsure;
    yield piece;
    from = to;
  }
}

const less = 60;

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function refused(code: ParseFault['code'], message: string): ParseOutcome {
  return { kind: 'refused', fault: { code, message } };
}

/** Thrown inside the parser's handlers to stop it, and caught in `read`. */
class Stop extends Error {
  readonly fault: ParseFault;
  constructor(code: ParseFault['code'], message: string) {
    super(message);
    this.fault = { code, message };
  }
}

/** Comments and instructions except the XML declaration; only with them more handlers are set. */
const marks = /<!--|<\?(?!xml\s)/;

class Reader {
  root: Node | undefined;
  binding: Binding | undefined;
  readonly #bindings: readonly Binding[];
  readonly #stack: OpenElement[] = [];
  #text = '';
  #nodes = 0;

  constructor(bindings: readonly Binding[]) {
    this.#bindings = bindings;
  }

  read(text: string): ParseFault | undefined {
    const parser = new SaxesParser({ xmlns: true, position: true });
    parser.on('doctype', () => {
      throw new Stop('doctype', 'A document type declaration (DOCTYPE) is not allowed. Remove it.');
    });
    parser.on('opentag', (tag) => {
      // Not in a separate handler: with a seventh one V8 stores the parser as a dictionary, and
      // reading takes three times as long.
      if (this.#nodes === 0) refuseDeclaration(parser.xmlDecl);
      this.#open(tag);
    });
    parser.on('text', (chunk) => {
      this.#text += chunk;
    });
    parser.on('cdata', (chunk) => {
      this.#text += chunk;
    });
    parser.on('closetag', () => this.#close());
    if (marks.test(text)) {
      parser.on('comment', () => this.#part());
      parser.on('processinginstruction', () => this.#part());
    }
    parser.on('error', (error) => {
      throw new Stop(
        'not-well-formed',
        `The document is not well-formed XML: ${error.message.replace(/\.+$/, '')}.`,
      );
    });
    try {
      parser.write(text).close();
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      return { ...error.fault, line: parser.line, column: parser.column };
    }
    return undefined;
  }

  #open(tag: SaxesTagNS): void {
    if (++this.#nodes > limits.nodesMax) {
      throw new Stop('too-many-elements', `More than ${limits.nodesMax} elements.`);
    }
    if (this.#stack.length >= limits.depthMax) {
      throw new Stop('too-deep', `Elements are nested more than ${limits.depthMax} deep.`);
    }
    const parent = this.#stack.at(-1);
    if (parent !== undefined) this.#flush(parent);
    const node =
      parent === undefined
        ? this.#document(tag)
        : addChild(
            parent,
            elementName(this.binding!.prefixes, tag.uri, tag.local),
            ownAttributes(tag),
          );
    this.#stack.push({ node, outer: parent, counts: undefined });
  }

  #close(): void {
    const closed = this.#stack.pop();
    if (closed === undefined) return;
    this.#flush(closed);
    closeElement(closed);
  }

  #part(): void {
    const open = this.#stack.at(-1);
    if (open === undefined) return;
    this.#flush(open);
    partText(open.node);
  }

  #flush(open: OpenElement): void {
    if (this.#text === '') return;
    addText(open, this.#text);
    this.#text = '';
  }

  #document(tag: SaxesTagNS): Node {
    const binding = this.#bindings.find(
      ({ table }) => table.root === tag.local && table.namespace === tag.uri,
    );
    if (binding === undefined) {
      const known = this.#bindings.map(({ table }) => `{${table.namespace}}${table.root}`);
      throw new Stop(
        'unknown-document',
        `The root element is {${tag.uri}}${tag.local}; expected ${known.join(' or ')}.`,
      );
    }
    this.binding = binding;
    this.root = new Node(binding.root, undefined);
    this.root.attributes = ownAttributes(tag);
    return this.root;
  }
}

function refuseDeclaration({ version = '1.0', encoding = 'UTF-8' }: XMLDecl): void {
  if (version !== '1.0') throw new Stop('not-well-formed', 'Only XML 1.0 is read.');
  // It was read as UTF-8, so with another label the text may be wrong.
  if (!/^utf-?8$/i.test(encoding)) {
    throw new Stop('not-utf8', `The document says its encoding is ${encoding}. ${saveAsUtf8}`);
  }
}

/**
 * Attributes without the namespace declarations. One in a namespace is named `{uri}name`, because
 * its prefix has a meaning in the document only.
 */
function ownAttributes(tag: SaxesTagNS): Record<string, string> | undefined {
  const own: [name: string, value: string][] = [];
  for (const name in tag.attributes) {
    const { uri, local, value } = tag.attributes[name] as SaxesAttributeNS;
    if (uri === xmlnsUri) refuseBlanks(value);
    else own.push([uri === '' ? name : `{${uri}}${local}`, value]);
  }
  // Not member by member, because an attribute may be named __proto__.
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

/** Refuses blanks, which saxes drops, so that the namespace would differ from the written one. */
function refuseBlanks(namespace: string): void {
  if (namespace.trim() === namespace) return;
  throw new Stop('not-well-formed', 'A namespace begins or ends with white space.');
}

/** The namespace of the prefix xmlns and of the name alone (Namespaces in XML 1.0, 3). */
const xmlnsUri = 'http://www.w3.org/2000/xmlns/';
