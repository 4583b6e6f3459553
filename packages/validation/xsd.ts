import type { PrintedXsd } from '@drawbridge/binding/xsd.ts';
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

/** A structure fault, as the schema sees it. */
export interface SchemaFault {
  /** What kind of fault: part of the rule id `<PROFILE>-XSD-<code>`. */
  readonly code: 'unexpected-element' | 'missing-element' | 'missing-attribute' | 'value' | 'other';
  /** XPath of the element in the document. */
  readonly field: string;
  readonly message: string;
}

/** How many structure faults are reported of one document. */
export const schemaFaultsMax = 100;

// No network, no external entities, whatever the document says. Its size was limited before, so an
// attachment may be longer than the ten million characters that libxml2 would take.
const parseOption = (ParseOption.XML_PARSE_NONET |
  ParseOption.XML_PARSE_NO_XXE |
  ParseOption.XML_PARSE_HUGE |
  ParseOption.XML_PARSE_BIG_LINES |
  ParseOption.XML_PARSE_COMPACT) as ParseOption;

const encoder = new TextEncoder();

// One for all schemas: libxml2 takes no more than fifteen.
const imports = new XmlBufferInputProvider({});
xmlRegisterInputProvider(imports);

/** Stage 1: a W3C schema run by libxml2. */
export class SchemaStage {
  readonly #validator: XsdValidator;

  /** `name` is unique to the schema: its files live under it while they are read. */
  constructor(name: string, printed: PrintedXsd) {
    const files = Object.entries(printed.imports).map(
      ([file, text]) => [`drawbridge:/${name}/${file}`, encoder.encode(text)] as const,
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
    // The slow way only for what is wrong: one element a line, so that a line names an element.
    const faults = this.#details(oneElementPerLine(xml));
    const paths = locateLines(
      xml,
      faults.map((fault) => fault.line),
    );
    const seen = new Set<string>();
    const found: SchemaFault[] = [];
    for (const [index, { message }] of faults.entries()) {
      const field = paths[index]!;
      // A bad value is told twice: once by its type, once by its element.
      if (seen.has(field)) continue;
      seen.add(field);
      found.push({ ...describe(message), field });
      if (found.length === schemaFaultsMax) break;
    }
    return found;
  }

  #details(xml: string): { line: number; message: string }[] {
    try {
      // As bytes: libxml2-wasm copies those at once, and a string character by character.
      const document = XmlDocument.fromBuffer(encoder.encode(xml), { option: parseOption });
      try {
        this.#validator.validate(document);
        return [];
      } finally {
        document.dispose();
      }
    } catch (error) {
      // Another parser read the document before: where libxml2 is stricter, that is a fault too.
      if (!(error instanceof XmlValidateError || error instanceof XmlParseError)) throw error;
      return error.details.map(({ line, message }) => ({ line, message }));
    }
  }
}

/** Characters of a value, or of a sentence of libxml2's, that a message shows. */
const shownMax = 100;

/** libxml2's sentence → ours. The shapes are those of libxml2's xmlschemas.c. */
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
  return { code: 'other', message: shown(text) };
}

const valueFault =
  /^Element '[^']*'(?:, attribute '[^']*')?: '(.*)' is not a valid value of the .*type '(?:xs:)?(\w+)'/s;

/** A sentence may quote a whole document: its beginning and its end tell what is wrong. */
function shortened(text: string): string {
  const part = 5 * shownMax;
  return text.length <= 2 * part ? text : `${text.slice(0, part)}…${text.slice(-part)}`;
}

function shown(text: string): string {
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
