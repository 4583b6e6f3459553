import { leafTypeOf } from '@drawbridge/binding/schema/leaf-types.ts';
import type { PrintedXsd } from '@drawbridge/binding/schema/profile-xsd.ts';
import {
  ParseOption,
  XmlBufferInputProvider,
  XmlDocument,
  XmlParseError,
  XmlValidateError,
  XsdValidator,
  xmlRegisterInputProvider,
} from 'libxml2-wasm';
import { locateLines, oneElementPerLine } from './element-lines.ts';

/** A fault that the schema found. */
export interface SchemaFault {
  /** The kind of fault, which is part of the rule id `<PROFILE>-XSD-<code>`. */
  readonly code: 'unexpected-element' | 'missing-element' | 'missing-attribute' | 'value' | 'other';
  /** XPath of the element in the document. */
  readonly field: string;
  readonly message: string;
}

/** How many structure faults are reported of one document. */
export const schemaFaultsMax = 100;

// Never uses the network or external entities. The size was limited before, so an attachment may be
// longer than libxml2's default limit of ten million characters.
const parseOption = (ParseOption.XML_PARSE_NONET |
  ParseOption.XML_PARSE_NO_XXE |
  ParseOption.XML_PARSE_HUGE |
  ParseOption.XML_PARSE_BIG_LINES |
  ParseOption.XML_PARSE_COMPACT) as ParseOption;

const encoder = new TextEncoder();

// One for all schemas, because libxml2 accepts no more than fifteen.
const imports = new XmlBufferInputProvider({});
xmlRegisterInputProvider(imports);

/** Stage 1: a W3C schema run by libxml2. */
export class SchemaStage {
  readonly #validator: XsdValidator;

  /** `name` is unique to the schema: its files have that name while they are read. */
  constructor(name: string, printed: PrintedXsd) {
    const files = Object.entries(printed.imports).map(
      ([file, text]) =>
        [`drawbridge:/${name}/${file}`, encoder.encode(withTrimmedDates(text))] as const,
    );
    for (const [url, bytes] of files) imports.addBuffer(url, bytes);
    const main = XmlDocument.fromString(printed.main, { url: `drawbridge:/${name}/main.xsd` });
    this.#validator = XsdValidator.fromDoc(main);
    main.dispose();
    for (const [url] of files) imports.removeBuffer(url);
  }

  /** Faults of a well-formed document without document type declaration; none when it is valid. */
  check(xml: string): SchemaFault[] {
    if (this.#details(xml).length === 0) return [];
    // Only an invalid document is checked again with one element on each line, so that a line
    // identifies an element.
    const faults = this.#details(oneElementPerLine(xml));
    const paths = locateLines(
      xml,
      faults.map((fault) => fault.line),
    );
    const seen = new Set<string>();
    const found: SchemaFault[] = [];
    for (const [index, { message }] of faults.entries()) {
      const field = paths[index]!;
      // libxml2 reports a bad value twice: for its type and for its element.
      if (seen.has(field)) continue;
      seen.add(field);
      found.push({ ...describe(message), field });
      if (found.length === schemaFaultsMax) break;
    }
    return found;
  }

  #details(xml: string): { line: number; message: string }[] {
    try {
      // As bytes, because libxml2-wasm copies those at once and a string character by character.
      const document = XmlDocument.fromBuffer(encoder.encode(xml), { option: parseOption });
      try {
        this.#validator.validate(document);
        return [];
      } finally {
        document.dispose();
      }
    } catch (error) {
      // Another parser read the document before; where libxml2 is stricter, that is a fault too.
      if (!(error instanceof XmlValidateError || error instanceof XmlParseError)) throw error;
      return error.details.map(({ line, message }) => ({ line, message }));
    }
  }
}

/**
 * A schema with types of its own for dates and times. White space around them is not part of the value (XML Schema 2,
 * 3.2.9), but libxml2 takes it off only where a pattern is to be matched.
 */
function withTrimmedDates(schema: string): string {
  const xs = /<(\w+):schema\b/.exec(schema)?.[1];
  const target = /targetNamespace="([^"]*)"/.exec(schema)?.[1];
  if (xs === undefined || target === undefined) return schema;
  const types = ['date', 'time', 'dateTime'].map(
    (type) =>
      `<${xs}:simpleType name="${type}"><${xs}:restriction base="${xs}:${type}"><${xs}:pattern value=".*"/></${xs}:restriction></${xs}:simpleType>`,
  );
  return schema
    .replaceAll(new RegExp(`(base|type)="${xs}:(date|time|dateTime)"`, 'g'), '$1="own:$2"')
    .replace(`<${xs}:schema`, `$& xmlns:own="${target}"`)
    .replace(`</${xs}:schema>`, `${types.join('')}$&`);
}

/** The most characters of a value, or of a sentence of libxml2, in a message. */
const shownMax = 100;

/** Translates a sentence of libxml2, whose forms are in its xmlschemas.c. */
function describe(message: string): Pick<SchemaFault, 'code' | 'message'> {
  const text = shortened(message.replaceAll(/\{[^{}]*\}/g, '').trim());
  const element = /^Element '([^']+)'/.exec(text)?.[1] ?? 'The element';
  const expected = /Expected is (?:one of )?\(?([^()]+?)\)?\.?$/.exec(text)?.[1]?.trim();
  if (text.includes('This element is not expected')) {
    const hint = expected === undefined ? '' : ` Expected here: ${expected}.`;
    return {
      code: 'unexpected-element',
      message: `${element} may not stand here, or stands here too often.${hint}`,
    };
  }
  if (text.includes('Missing child element')) {
    return { code: 'missing-element', message: `${element} is incomplete. Next: ${expected}.` };
  }
  const attribute = /The attribute '([^']+)' is required/.exec(text)?.[1];
  if (attribute !== undefined) {
    return { code: 'missing-attribute', message: `${element} needs the attribute ${attribute}.` };
  }
  const value = valueFault.exec(text);
  if (value !== null) {
    return { code: 'value', message: `"${shown(value[1]!)}" is not ${kindOf(value[2]!)}.` };
  }
  const ofUnnamedType = unnamedTypeFault.exec(text);
  if (ofUnnamedType !== null) {
    const { base } = leafTypeOf(element);
    return { code: 'value', message: `"${shown(ofUnnamedType[1]!)}" is not ${kindOf(base)}.` };
  }
  return { code: 'other', message: shown(text) };
}

const valueFault =
  /^Element '[^']*'(?:, attribute '[^']*')?: '(.*)' is not a valid value of the .*type '(?:xs:)?(\w+)'/s;

/** Of a type of the standard, which has no name of its own. */
const unnamedTypeFault = /^Element '[^']*': '(.*)' is not a valid value of the local atomic type/s;

/** The beginning and end of a sentence, which may quote a whole document. */
function shortened(text: string): string {
  const part = 5 * shownMax;
  return text.length <= 2 * part ? text : `${text.slice(0, part)}…${text.slice(-part)}`;
}

/** The beginning of a text, for a message. */
export function shown(text: string): string {
  return text.length > shownMax ? `${text.slice(0, shownMax).toWellFormed()} …` : text;
}

const kinds: Readonly<Record<string, string>> = {
  decimal: 'a decimal number such as 1234.50 (no grouping, no exponent)',
  date: 'a date in the form YYYY-MM-DD',
  time: 'a time in the form hh:mm:ss',
  boolean: 'true or false',
  base64Binary: 'Base64 text',
};

function kindOf(type: string): string {
  return kinds[type] ?? `a valid ${type}`;
}
