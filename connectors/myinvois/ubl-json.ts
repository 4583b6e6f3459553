/**
 * Invoices in UBL's JSON form, as most suppliers submit them to MyInvois, written as the XML that they
 * stand for: `{ "_D": …, "Invoice": [{ "ID": [{ "_": "INV-1" }], … }] }`.
 */

const namespaces = {
  cac: 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
  cbc: 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
};
const roots: Readonly<Record<string, string>> = {
  Invoice: 'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2',
  CreditNote: 'urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2',
  DebitNote: 'urn:oasis:names:specification:ubl:schema:xsd:DebitNote-2',
};
/** Signatures: they are of the JSON text, and mean nothing in XML. */
const leftOut = new Set(['UBLExtensions', 'Signature']);
const depthMax = 64;
const namePattern = /^[A-Za-z][A-Za-z0-9]{0,100}$/;

type Members = Readonly<Record<string, unknown>>;

/** The XML of an invoice in UBL's JSON form; undefined when the value is none. Throws for nothing. */
export function xmlOfUblJson(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const [name, ...others] = Object.keys(value).filter((key) => Object.hasOwn(roots, key));
  if (name === undefined || others.length > 0) return undefined;
  const [root, second] = arrayOf(value[name]);
  if (!isObject(root) || second !== undefined) return undefined;
  const content = elementsOf(root, 1);
  if (content === undefined) return undefined;
  const declared = `xmlns="${roots[name]}" xmlns:cac="${namespaces.cac}" xmlns:cbc="${namespaces.cbc}"`;
  return `<${name} ${declared}>${content}</${name}>`;
}

function elementsOf(members: Members, depth: number): string | undefined {
  if (depth > depthMax) return undefined;
  let xml = '';
  for (const [name, occurrences] of Object.entries(members)) {
    if (leftOut.has(name)) continue;
    if (!namePattern.test(name)) return undefined;
    for (const occurrence of arrayOf(occurrences)) {
      const element = elementOf(name, occurrence, depth);
      if (element === undefined) return undefined;
      xml += element;
    }
  }
  return xml;
}

function elementOf(name: string, occurrence: unknown, depth: number): string | undefined {
  if (!isObject(occurrence)) return undefined;
  if (!Object.hasOwn(occurrence, '_')) {
    const content = elementsOf(occurrence, depth + 1);
    // An empty element says nothing.
    return content === undefined || content === ''
      ? content
      : `<cac:${name}>${content}</cac:${name}>`;
  }
  const { _: text, ...attributes } = occurrence;
  let written = '';
  for (const [attribute, value] of Object.entries(attributes)) {
    if (!namePattern.test(attribute) || typeof value === 'object') return undefined;
    written += ` ${attribute}="${escaped(String(value))}"`;
  }
  if (typeof text === 'object' && text !== null) return undefined;
  return `<cbc:${name}${written}>${escaped(String(text ?? ''))}</cbc:${name}>`;
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Without characters that XML cannot hold. */
function escaped(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters meant
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .toWellFormed()
      .replace(/[&<>"]/g, (character) => entities[character]!)
  );
}
