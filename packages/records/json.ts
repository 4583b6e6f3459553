import type { SourceRow } from './document.ts';
import { parseJsonPath, valueAt } from './json-path.ts';
import { type RecordLimits, recordLimits, type Unreadable, unreadable } from './limits.ts';
import { plainNumber } from './number.ts';
import { decodeText, type Encoding } from './text.ts';

/** One document of a JSON file: sections of rows, always with `header`. */
type JsonSections = Readonly<Record<string, readonly SourceRow[]>>;

/** The documents of a JSON file. */
export interface JsonDocuments {
  readonly kind: 'documents';
  readonly documents: readonly JsonSections[];
}

/** How to read a JSON file. */
export interface JsonOptions {
  /** Shown to people as the origin of each row, e.g. the file name. */
  readonly origin: string;
  /** Default: UTF-8, or UTF-16 with its byte order mark. */
  readonly encoding?: Encoding | undefined;
  /** Where the documents stand in the file, as JSONPath (`$.data.invoices`). Default: the file itself. */
  readonly documentPath?: string | undefined;
  /** What a section is called in place of the array or element that it is: `{ lines: 'data.items' }`. */
  readonly sectionNames?: Readonly<Record<string, string>> | undefined;
  readonly limits?: RecordLimits;
}

/** The column with the parent row's key, in rows from an array inside an array's element. */
const parentColumn = '#parent';

const depthMax = 16;

/**
 * Reads a JSON file: one document, or an array of documents. Scalars are the `header`; a nested
 * object's members are named with dots (those of an object called `header` without prefix); an
 * array is a section by its dotted name, its rows keyed by position from 1 (`2.1` is the first in
 * the second). Numbers keep their digits; booleans are `true`, `false`.
 */
export function readJson(bytes: Uint8Array, options: JsonOptions): JsonDocuments | Unreadable {
  const limits = options.limits ?? recordLimits;
  const decoded = decodeText(bytes, limits, options.encoding);
  if (decoded.kind === 'unreadable') return decoded;
  const parsed = parseJsonText(decoded.text);
  if (parsed.kind === 'unreadable') return parsed;
  const value = placeOf(parsed.value, options.documentPath);
  if (value === undefined) {
    const message =
      `The file has nothing at "${options.documentPath}", which the setting documentPath names. ` +
      'Correct the path, or leave it out where the file itself is the document.';
    return unreadable('path_missing', message);
  }
  return documentsOf(Array.isArray(value) ? value : [value], options);
}

function placeOf(value: unknown, path: string | undefined): unknown {
  const steps = path === undefined ? [] : parseJsonPath(path);
  return steps === undefined ? undefined : valueAt(value, steps);
}

/** The documents that these values are, each an object; its sections are made as of a JSON file. */
export function documentsOf(
  values: readonly unknown[],
  { origin, limits = recordLimits, sectionNames = {} }: Omit<JsonOptions, 'encoding'>,
): JsonDocuments | Unreadable {
  const documents: JsonSections[] = [];
  const shape: Shape = { origin, limits, rowCount: 0 };
  for (const [index, value] of values.entries()) {
    const sections = documentSections(value, index + 1, shape);
    if (sections.kind === 'unreadable') return sections;
    const renamed = withNames(sections.sections, sectionNames);
    if (renamed.kind === 'unreadable') return renamed;
    documents.push(renamed.sections);
  }
  return { kind: 'documents', documents };
}

function withNames(
  sections: JsonSections,
  names: Readonly<Record<string, string>>,
): SectionsOutcome {
  const wanted = new Map(Object.entries(names).map(([name, array]) => [array, name]));
  const renamed = new Map<string, readonly SourceRow[]>();
  for (const [array, rows] of Object.entries(sections)) {
    const name = wanted.get(array) ?? shortName(array);
    if (renamed.has(name)) {
      const message =
        `The document has two sections "${name}": one of its own, and "${names[name]}", which the setting ` +
        'sectionNames calls so. Name another one.';
      return unreadable('section_duplicate', message);
    }
    renamed.set(name, rows);
  }
  return { kind: 'sections', sections: Object.fromEntries(renamed) };
}

/** Characters of a section's name; no more are sent between agent and control plane. */
const nameLengthMax = 64;

/** A long name without the elements that stand farthest around it. */
function shortName(name: string): string {
  let short = name;
  while (short.length > nameLengthMax && short.includes('.')) {
    short = short.slice(short.indexOf('.') + 1);
  }
  return short.slice(-nameLengthMax);
}

/** A JSON value whose numbers are texts, or what is wrong with it. */
type Parsed = { readonly kind: 'parsed'; readonly value: unknown } | Unreadable;

/** Parses JSON; numbers become texts, so that they keep their digits. */
export function parseJsonText(text: string): Parsed {
  if (text.trim() === '')
    return unreadable('empty', 'The file is empty; it must hold a JSON object or array.');
  try {
    return { kind: 'parsed', value: JSON.parse(text, numberAsWritten as JsonReviver) };
  } catch (error) {
    if (error instanceof RangeError) return tooDeep();
    if (!(error instanceof SyntaxError)) throw error;
    const position = Number(/position (\d+)/.exec(error.message)?.[1] ?? text.length);
    const before = text.slice(0, position).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1;
    return unreadable(
      'not_json',
      `Line ${before.length}, column ${column}: this is not JSON. ` +
        'A comma, a quote or a bracket is missing or one too many.',
      before.length,
    );
  }
}

type JsonReviver = (this: unknown, key: string, value: unknown) => unknown;

/**
 * Keeps the digits of a number as text, because a double changes 12345678901234567890 into another
 * amount.
 */
function numberAsWritten(
  _key: string,
  value: unknown,
  context: { readonly source?: string },
): unknown {
  return typeof value === 'number' ? plainNumber(context.source ?? String(value)) : value;
}

function tooDeep(): Unreadable {
  return unreadable('too_deep', `The JSON is nested deeper than ${depthMax} levels.`);
}

interface Shape {
  readonly origin: string;
  readonly limits: RecordLimits;
  rowCount: number;
}

type SectionsOutcome = { readonly kind: 'sections'; readonly sections: JsonSections } | Unreadable;

function documentSections(value: unknown, position: number, shape: Shape): SectionsOutcome {
  if (!isObject(value)) {
    return unreadable(
      'not_a_document',
      `Document ${position} is not a JSON object. Each document must be one.`,
    );
  }
  const sections = new Map<string, SourceRow[]>([['header', []]]);
  const refusal = addRow(
    value,
    { section: 'header', key: '1', prefix: '', depth: 1 },
    sections,
    shape,
  );
  return refusal ?? { kind: 'sections', sections: Object.fromEntries(sections) };
}

/** The section of a row, its key there, and the prefix of its nested arrays. */
interface Place {
  readonly section: string;
  readonly key: string;
  readonly prefix: string;
  readonly depth: number;
  readonly parent?: string;
}

function addRow(
  value: Readonly<Record<string, unknown>>,
  place: Place,
  sections: Map<string, SourceRow[]>,
  shape: Shape,
): Unreadable | undefined {
  const values = new Map<string, string | null>();
  if (place.parent !== undefined) values.set(parentColumn, place.parent);
  const arrays = new Map<string, readonly unknown[]>();
  const refusal = flatten(value, '', place.depth, values, arrays, shape);
  if (refusal !== undefined) return refusal;
  shape.rowCount += 1;
  if (shape.rowCount > shape.limits.rowsMax) {
    return unreadable(
      'too_many_rows',
      `The file has more than ${shape.limits.rowsMax} rows. Split it into smaller files.`,
    );
  }
  const rows = sections.get(place.section) ?? [];
  rows.push({ origin: shape.origin, key: place.key, values: Object.fromEntries(values) });
  sections.set(place.section, rows);
  for (const [name, elements] of arrays) {
    const nested = addArray(name, elements, place, sections, shape);
    if (nested !== undefined) return nested;
  }
  return undefined;
}

function addArray(
  name: string,
  elements: readonly unknown[],
  place: Place,
  sections: Map<string, SourceRow[]>,
  shape: Shape,
): Unreadable | undefined {
  const section = place.prefix + name;
  if (section === 'header') {
    return unreadable(
      'section_duplicate',
      'A member called "header" is an array; a document has one header. Rename it.',
    );
  }
  if (!sections.has(section)) sections.set(section, []);
  const isInner = place.section !== 'header';
  for (const [index, element] of elements.entries()) {
    const row = isObject(element) ? element : { value: element };
    const inner: Place = {
      section,
      key: isInner ? `${place.key}.${index + 1}` : String(index + 1),
      prefix: `${section}.`,
      depth: place.depth + 1,
      ...(isInner ? { parent: place.key } : {}),
    };
    const refusal = addRow(row, inner, sections, shape);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function flatten(
  value: Readonly<Record<string, unknown>>,
  prefix: string,
  depth: number,
  values: Map<string, string | null>,
  arrays: Map<string, readonly unknown[]>,
  shape: Shape,
): Unreadable | undefined {
  if (depth > depthMax) return tooDeep();
  for (const [name, member] of Object.entries(value)) {
    const column = prefix + name;
    if (isObject(member)) {
      const isHeader = column === 'header' && depth === 1;
      const refusal = flatten(
        member,
        isHeader ? '' : `${column}.`,
        depth + 1,
        values,
        arrays,
        shape,
      );
      if (refusal !== undefined) return refusal;
      continue;
    }
    if (values.has(column) || arrays.has(column)) {
      return unreadable(
        'column_duplicate',
        `"${column}" is named twice in one row. Rename one of them.`,
      );
    }
    if (Array.isArray(member)) {
      arrays.set(column, member);
      continue;
    }
    const text = member === null ? null : String(member);
    if (text !== null && text.length > shape.limits.valueLengthMax) {
      return unreadable(
        'value_too_long',
        `"${column}" has more than ${shape.limits.valueLengthMax} characters.`,
      );
    }
    values.set(column, text);
    if (values.size > shape.limits.columnsMax) {
      return unreadable(
        'too_many_columns',
        `A row has more than ${shape.limits.columnsMax} members.`,
      );
    }
  }
  return undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
