import { SaxesParser } from 'saxes';
import { documentsOf, type JsonDocuments } from './json.ts';
import { type RecordLimits, recordLimits, type Unreadable, unreadable } from './limits.ts';
import { decodeText, type Encoding, encodings } from './text.ts';

/** How to read an XML file. */
export interface XmlOptions {
  /** Shown to people as the origin of each row, e.g. the file name. */
  readonly origin: string;
  /** Default: what the XML declaration names, or UTF-8. */
  readonly encoding?: Encoding | undefined;
  /** The element that is a document, where a file holds several. Default: the root. */
  readonly documentElement?: string | undefined;
  /** Elements that may repeat and so are sections, also where there is only one. Default: UBL's. */
  readonly listElements?: readonly string[] | undefined;
  readonly limits?: RecordLimits;
}

/** What repeats in an invoice of UBL, so that its columns are the same with one line and with many. */
export const ublListElements = [
  'InvoiceLine',
  'CreditNoteLine',
  'DebitNoteLine',
  'TaxSubtotal',
  'AllowanceCharge',
] as const;

const depthMax = 64;
const elementsMax = 500_000;

/**
 * Reads an XML file as sections, as `readJson` does: elements are called by their names without
 * prefix and joined by dots, an attribute `a` of the element `E` is the column `E@a`, and an element
 * that repeats is a section. Nothing outside is fetched; a document type declaration is refused.
 */
export function readXml(
  bytes: Uint8Array,
  options: XmlOptions,
): (JsonDocuments & { readonly xml: string }) | Unreadable {
  const { origin, limits = recordLimits } = options;
  const decoded = decodeText(bytes, limits, options.encoding ?? declaredEncoding(bytes));
  if (decoded.kind === 'unreadable') return decoded;
  const reader = new Reader(options);
  const refusal = reader.read(decoded.text);
  if (refusal !== undefined) return refusal;
  if (reader.documents.length === 0) {
    const message = `The file has no element "${options.documentElement}".`;
    return unreadable('not_a_document', message);
  }
  const read = documentsOf(reader.documents, { origin, limits });
  if (read.kind === 'unreadable') return read;
  return { ...read, xml: decoded.text.replace(/^\uFEFF?<\?xml[^>]*\?>\s*/, '') };
}

/** An XML declaration is in ASCII, whatever follows it; UTF-16 is told by its first bytes. */
function declaredEncoding(bytes: Uint8Array): Encoding | undefined {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const declared = /^(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding\s*=\s*["']([\w-]+)["']/.exec(start)?.[1];
  const name = declared?.toLowerCase().replace(/^iso-8859-1$/, 'windows-1252');
  return encodings.find((encoding) => encoding === name && !encoding.startsWith('utf-16'));
}

interface Element {
  readonly name: string;
  /** Attributes, as members of the element's parent. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly members: Map<string, unknown>;
  text: string;
}

class Reader {
  readonly documents: unknown[] = [];
  readonly #parser = new SaxesParser();
  readonly #open: Element[] = [];
  readonly #lists: ReadonlySet<string>;
  readonly #documentElement: string | undefined;
  #count = 0;
  #refusal: Unreadable | undefined;

  constructor({ documentElement, listElements = ublListElements }: XmlOptions) {
    this.#lists = new Set(listElements);
    this.#documentElement = documentElement;
  }

  read(text: string): Unreadable | undefined {
    const parser = this.#parser;
    parser.on('doctype', () => this.#refuse('A document type declaration is not read.'));
    parser.on('error', ({ message }) => this.#refuse(`This is not XML: ${message}.`));
    parser.on('opentag', ({ name, attributes }) => this.#opened(name, attributes));
    parser.on('text', (part) => this.#said(part));
    parser.on('cdata', (part) => this.#said(part));
    parser.on('closetag', () => this.#closed());
    for (let at = 0; at < text.length && this.#refusal === undefined; at += pieceLength) {
      parser.write(text.slice(at, at + pieceLength));
    }
    if (this.#refusal === undefined) parser.close();
    return this.#refusal;
  }

  #refuse(message: string): void {
    const { line } = this.#parser;
    this.#refusal ??= unreadable('not_xml', `Line ${line}: ${message.slice(0, 300)}`, line);
  }

  #opened(qualified: string, attributes: Readonly<Record<string, string>>): void {
    this.#count += 1;
    if (this.#open.length >= depthMax) {
      const message = `The XML is nested deeper than ${depthMax} elements.`;
      this.#refusal ??= unreadable('too_deep', message);
    }
    if (this.#count > elementsMax) {
      const message = `The XML has more than ${elementsMax} elements. Split it into smaller files.`;
      this.#refusal ??= unreadable('too_many_elements', message);
    }
    if (this.#refusal !== undefined) return;
    const own = Object.entries(attributes).filter(([name]) => !/^xmlns(:|$)|^xsi:/.test(name));
    this.#open.push({
      name: localName(qualified),
      attributes: new Map(own.map(([name, value]) => [localName(name), value])),
      members: new Map(),
      text: '',
    });
  }

  #said(text: string): void {
    const element = this.#open.at(-1);
    if (element !== undefined) element.text += text;
  }

  #closed(): void {
    const element = this.#open.pop();
    if (element === undefined || this.#refusal !== undefined) return;
    const parent = this.#open.at(-1);
    const isDocument =
      this.#documentElement === undefined
        ? parent === undefined
        : element.name === this.#documentElement;
    if (isDocument) this.documents.push(rowOf(element));
    else if (parent !== undefined) addMember(parent, element, this.#lists);
  }
}

const pieceLength = 65_536;

function localName(qualified: string): string {
  return qualified.slice(qualified.indexOf(':') + 1);
}

function addMember(parent: Element, element: Element, lists: ReadonlySet<string>): void {
  const { members } = parent;
  const { name } = element;
  const known = members.get(name);
  if (known instanceof Many) {
    known.values.push(rowOf(element));
    return;
  }
  if (lists.has(name) || known !== undefined) {
    const first = known === undefined ? [] : [known];
    members.set(name, new Many([...first, rowOf(element)]));
    return;
  }
  members.set(name, element);
}

/** Elements of one name under one parent. */
class Many {
  readonly values: unknown[];

  constructor(values: readonly unknown[]) {
    this.values = values.map((value) => (isElement(value) ? rowOf(value) : value));
  }
}

function isElement(value: unknown): value is Element {
  return typeof value === 'object' && value !== null && 'attributes' in value;
}

/** An element as the object of a row: its attributes, its text and its members. */
function rowOf({ attributes, members, text }: Element): Readonly<Record<string, unknown>> {
  const row = new Map<string, unknown>();
  for (const [name, value] of attributes) row.set(`@${name}`, value);
  if (members.size === 0 && text.trim() !== '') row.set('value', text.trim());
  for (const [name, member] of members) {
    if (member instanceof Many) row.set(name, member.values);
    else if (isElement(member)) addElement(row, name, member);
  }
  return Object.fromEntries(row);
}

function addElement(row: Map<string, unknown>, name: string, element: Element): void {
  for (const [attribute, value] of element.attributes) row.set(`${name}@${attribute}`, value);
  const isLeaf = element.members.size === 0;
  const own = { ...element, attributes: new Map<string, string>() };
  row.set(name, isLeaf ? element.text.trim() || null : rowOf(own));
}
