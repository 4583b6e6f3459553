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
  /**
   * Elements that may repeat and so are sections, also where there is only one: by name, or with the one
   * around them (`Invoice.Line`). Default: those of UBL.
   */
  readonly listElements?: readonly string[] | undefined;
  /**
   * Elements that repeat and are told apart by a value in them: with `{ Tax: 'Scheme.ID' }` the column
   * `Tax[VAT].Number`.
   */
  readonly elementKeys?: Readonly<Record<string, string>> | undefined;
  /** As of a JSON file. */
  readonly sectionNames?: Readonly<Record<string, string>> | undefined;
  readonly limits?: RecordLimits;
}

/** The outermost element. */
export interface XmlRoot {
  /** Without prefix. */
  readonly name: string;
  /** Empty where there is none. */
  readonly namespace: string;
}

/** What repeats in an invoice of UBL, so that its columns are the same with one line and with many. */
const ublListElements = [
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
 * prefix and joined by dots, an attribute `a` of the element `E` is the column `E@a`, and an
 * element that repeats is a section. Of an attachment that is longer than a value may be only that
 * is said. Nothing outside is fetched; a document type declaration is refused.
 */
export function readXml(
  bytes: Uint8Array,
  options: XmlOptions,
): (JsonDocuments & { readonly xml: string }) | Unreadable {
  const { origin, sectionNames, limits = recordLimits } = options;
  const read = elementsOf(bytes, options);
  if (read.kind === 'unreadable') return read;
  const { reader, text } = read;
  if (reader.documents.length === 0) {
    const message = `The file has no element "${options.documentElement}".`;
    return unreadable('not_a_document', message);
  }
  const made = documentsOf(reader.documents, { origin, sectionNames, limits });
  if (made.kind === 'unreadable') return made;
  return { ...made, xml: text.replace(/^\uFEFF?<\?xml[^>]*\?>\s*/, '') };
}

/** The root with its members as objects, arrays and texts, for somebody to find out how it is laid out. */
export function lookIntoXml(
  bytes: Uint8Array,
): { readonly kind: 'tree'; readonly value: unknown; readonly root: XmlRoot } | Unreadable {
  const read = elementsOf(bytes, { listElements: [] });
  if (read.kind === 'unreadable') return read;
  return { kind: 'tree', value: read.reader.documents[0], root: read.reader.root };
}

function elementsOf(bytes: Uint8Array, options: Omit<XmlOptions, 'origin'>) {
  const { limits = recordLimits } = options;
  const decoded = decodeText(bytes, limits, options.encoding ?? declaredEncoding(bytes));
  if (decoded.kind === 'unreadable') return decoded;
  const { text } = decoded;
  const reader = new Reader(options);
  const refusal = reader.read(text);
  if (refusal !== undefined) return refusal;
  return { kind: 'elements', reader, text } as const;
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
  root: XmlRoot = { name: '', namespace: '' };
  readonly #parser = new SaxesParser();
  readonly #open: Element[] = [];
  readonly #lists: ReadonlySet<string>;
  readonly #keys: ReadonlyMap<string, string>;
  readonly #documentElement: string | undefined;
  readonly #valueLengthMax: number;
  #count = 0;
  #refusal: Unreadable | undefined;

  constructor({
    documentElement,
    listElements = ublListElements,
    elementKeys = {},
    limits = recordLimits,
  }: Omit<XmlOptions, 'origin'>) {
    this.#lists = new Set(listElements);
    this.#keys = new Map(Object.entries(elementKeys));
    this.#documentElement = documentElement;
    this.#valueLengthMax = limits.valueLengthMax;
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
    if (this.#count === 1) this.#began(qualified, attributes);
    const own = Object.entries(attributes).filter(([name]) => !/^xmlns(:|$)|^xsi:/.test(name));
    this.#open.push({
      name: localName(qualified),
      attributes: new Map(own.map(([name, value]) => [localName(name), value])),
      members: new Map(),
      text: '',
    });
  }

  #began(qualified: string, attributes: Readonly<Record<string, string>>): void {
    const colon = qualified.indexOf(':');
    const declared = colon < 0 ? 'xmlns' : `xmlns:${qualified.slice(0, colon)}`;
    this.root = { name: localName(qualified), namespace: attributes[declared] ?? '' };
  }

  #said(text: string): void {
    const element = this.#open.at(-1);
    if (element !== undefined) element.text += text;
  }

  #closed(): void {
    const element = this.#open.pop();
    if (element === undefined || this.#refusal !== undefined) return;
    const { length } = element.text;
    if (length > this.#valueLengthMax && element.name.endsWith(attachmentEnding)) {
      element.text = `(${length} characters, which are left out)`;
    }
    const parent = this.#open.at(-1);
    const isDocument =
      this.#documentElement === undefined
        ? parent === undefined
        : element.name === this.#documentElement;
    if (isDocument) this.documents.push(rowOf(element));
    else if (parent !== undefined) addMember(parent, this.#keyed(element), this.#lists);
  }

  #keyed(element: Element): Element {
    const place = this.#keys.get(element.name);
    const value = place === undefined ? undefined : valueIn(element, place);
    return value === undefined ? element : { ...element, name: `${element.name}[${value}]` };
  }
}

/** The text at `A.B`, or the attribute at `A.B@c`, within an element; undefined where it is no short word. */
function valueIn(element: Element, place: string): string | undefined {
  const [path = '', attribute] = place.split('@');
  const found = path
    .split('.')
    .reduce<unknown>((at, name) => (isElement(at) ? at.members.get(name) : undefined), element);
  if (!isElement(found)) return undefined;
  const value = attribute === undefined ? found.text.trim() : found.attributes.get(attribute);
  return value !== undefined && /^[\w:-]{1,20}$/.test(value) ? value : undefined;
}

const pieceLength = 65_536;
/**
 * A long attachment is left out of the rows, as the file itself has it: it must not keep the invoice from being
 * read. What stands there instead is no base64, so that nobody sends it as the attachment.
 */
const attachmentEnding = 'BinaryObject';

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
  if (lists.has(name) || lists.has(`${parent.name}.${name}`) || known !== undefined) {
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
