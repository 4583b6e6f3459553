import { type RecordLimits, recordLimits, type Unreadable, unreadable } from '../limits.ts';
import { PdfDocument, PdfEncrypted } from './document.ts';
import { isDictionary } from './filters.ts';
import { latin1, PdfSyntaxError, PdfTooLarge, type PdfValue } from './values.ts';

/** An invoice in XML, as it was put into a PDF file. */
export interface EmbeddedInvoice {
  readonly kind: 'invoice';
  /** `factur-x.xml`, `xrechnung.xml`, … */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Files of one PDF that are looked at, and how deep their names are nested. */
const filesMax = 1_000;
const nodesMax = 10_000;

/** As Factur-X, ZUGFeRD and XRechnung call it. */
const usualName = /^(factur-x|zugferd-invoice|xrechnung)\.xml$/i;
const invoiceRoot =
  /<(?:[\w.-]+:)?(?:CrossIndustryInvoice|CrossIndustryDocument|Invoice|CreditNote)[\s>/]/;

/**
 * The invoice that a PDF file carries (Factur-X, ZUGFeRD, XRechnung): an attached file of XML. Nothing of
 * its pages is looked at; what else is attached is not unpacked, but for its beginning.
 */
export function embeddedInvoice(
  bytes: Uint8Array,
  limits: RecordLimits = recordLimits,
): EmbeddedInvoice | Unreadable {
  if (bytes.length > limits.bytesMax) {
    const message = `The file has ${bytes.length} bytes; at most ${limits.bytesMax} are read.`;
    return unreadable('too_large', message);
  }
  const start = latin1(bytes.subarray(0, 1_024)).indexOf('%PDF-');
  if (start < 0) return unreadable('not_pdf', 'The file is not a PDF: it does not begin as one.');
  try {
    // Places in the file are counted from where the PDF begins.
    return invoiceOf(new PdfDocument(bytes.subarray(start)), limits);
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): Unreadable {
  if (error instanceof PdfEncrypted) {
    const message =
      'The PDF is encrypted, so that its invoice cannot be read. Ask the sender for one without a ' +
      'password, or save it without one.';
    return unreadable('encrypted', message);
  }
  if (error instanceof PdfTooLarge) {
    const message =
      'The PDF holds more than may be unpacked (32 MiB a file, 64 MiB together). Ask the sender for the ' +
      'invoice as XML.';
    return unreadable('too_large', message);
  }
  if (error instanceof PdfSyntaxError) {
    const message = `The PDF is broken (${error.message}). Save it again with the program that made it.`;
    return unreadable('not_pdf', message);
  }
  throw error;
}

function invoiceOf(pdf: PdfDocument, limits: RecordLimits): EmbeddedInvoice | Unreadable {
  const attached = filesOf(pdf);
  const usual = attached.filter(({ name }) => usualName.test(name));
  const found: EmbeddedInvoice[] = [];
  for (const { name, content } of usual.length > 0 ? usual : attached) {
    if (usual.length === 0 && !/\.xml$/i.test(name)) continue;
    const bytes = pdf.stream(content, limits.bytesMax);
    if (bytes === undefined) continue;
    const isInvoice = usual.length > 0 || invoiceRoot.test(beginningOf(bytes));
    if (isInvoice) found.push({ kind: 'invoice', name, bytes });
  }
  const [only, second] = found;
  if (only === undefined) {
    const held = attached.length === 0 ? 'no file' : `${attached.length} files, none of them one`;
    const message = `There is no invoice in the PDF that programs can read: it carries ${held}.`;
    return unreadable('no_invoice', message);
  }
  if (second === undefined) return only;
  const message = `The PDF carries several invoices: ${only.name} and ${second.name}. One is read alone.`;
  return unreadable('several_invoices', message.slice(0, 300));
}

function beginningOf(bytes: Uint8Array): string {
  // In UTF-16 each of these characters has a zero beside it.
  return latin1(bytes.subarray(0, 8_192)).replaceAll('\0', '');
}

interface AttachedFile {
  readonly name: string;
  /** The reference to its stream. */
  readonly content: PdfValue;
}

/** What is attached to the document: in the tree of names, or associated with it (PDF/A-3). */
function filesOf(pdf: PdfDocument): readonly AttachedFile[] {
  const { catalog } = pdf;
  const specifications: PdfValue[] = [];
  const tree = pdf.member(pdf.member(catalog, 'Names'), 'EmbeddedFiles');
  collect(pdf, tree, specifications);
  specifications.push(...listOf(pdf.member(catalog, 'AF')).slice(0, filesMax));
  const files = new Map<string, AttachedFile>();
  for (const each of specifications) {
    const specification = pdf.resolve(each);
    const held = pdf.member(specification, 'EF');
    if (!isDictionary(held)) continue;
    const content = held.members.get('UF') ?? held.members.get('F') ?? null;
    const name = textOf(pdf.member(specification, 'UF')) || textOf(pdf.member(specification, 'F'));
    files.set(JSON.stringify(content), { name: plainName(name), content });
  }
  return [...files.values()];
}

/** The values of a tree of names, whose nodes may lead to each other. */
function collect(pdf: PdfDocument, tree: PdfValue, into: PdfValue[]): void {
  const waiting: PdfValue[] = [tree];
  for (let count = 0; count < nodesMax && into.length < filesMax; count += 1) {
    const node = waiting.shift();
    if (node === undefined) return;
    const names = listOf(pdf.member(node, 'Names'));
    into.push(...names.filter((_, index) => index % 2 === 1).slice(0, filesMax));
    for (const kid of listOf(pdf.member(node, 'Kids')).slice(0, filesMax)) {
      if (waiting.length < nodesMax) waiting.push(pdf.resolve(kid));
    }
  }
}

function listOf(value: PdfValue): readonly PdfValue[] {
  return Array.isArray(value) ? (value as readonly PdfValue[]) : [];
}

function textOf(value: PdfValue): string {
  if (typeof value !== 'object' || value === null || !('bytes' in value)) return '';
  const { bytes } = value;
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const isUtf8 = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isUtf8 ? new TextDecoder().decode(bytes) : latin1(bytes);
}

/** The last part of a name that may look like a path, without what does not show. */
function plainName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  return last
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, '_')
    .toWellFormed()
    .slice(-100);
}
