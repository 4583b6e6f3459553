import { z } from 'zod';

/** A document as its source holds it. */
export interface SourceDocument {
  readonly ref: string;
  readonly sections: Readonly<Record<string, readonly SourceRow[]>>;
  /** The document itself, where the source holds it as one XML file. */
  readonly xml?: string;
}

interface SourceRow {
  readonly origin: string;
  readonly key: string;
  readonly values: Readonly<Record<string, string | null>>;
}

export const refLengthMax = 512;
const rowsMax = 50_000;
const nameLengthMax = 64;
const originLengthMax = 1_024;
const columnLengthMax = 256;
export const valueLengthMax = 1_048_576;
/** Characters of a document that its source holds as XML. */
const xmlLengthMax = 20_000_000;

/**
 * The document in a value from the peer; undefined when it is none, or over a limit. Written by hand:
 * documents come by the hundred thousand, and a schema takes ten times as long for each.
 */
export function readSourceDocument(value: unknown): SourceDocument | undefined {
  if (!isObject(value)) return undefined;
  const { ref, sections, xml } = value;
  if (!isText(ref, refLengthMax) || ref === '' || !isObject(sections)) return undefined;
  if (xml !== undefined && !isText(xml, xmlLengthMax)) return undefined;
  const read: [string, SourceRow[]][] = [];
  let rowCount = 0;
  for (const [name, rows] of Object.entries(sections)) {
    if (name.length > nameLengthMax || !Array.isArray(rows)) return undefined;
    rowCount += rows.length;
    if (rowCount > rowsMax) return undefined;
    const own: SourceRow[] = [];
    for (const one of rows) {
      const row = readRow(one);
      if (row === undefined) return undefined;
      own.push(row);
    }
    read.push([name, own]);
  }
  return { ref, sections: Object.fromEntries(read), ...(xml === undefined ? {} : { xml }) };
}

function readRow(value: unknown): SourceRow | undefined {
  if (!isObject(value)) return undefined;
  const { origin, key, values } = value;
  if (!isText(origin, originLengthMax) || !isText(key, originLengthMax)) return undefined;
  if (!isObject(values)) return undefined;
  for (const column in values) {
    const each = values[column];
    if (column.length > columnLengthMax) return undefined;
    if (each !== null && !isText(each, valueLengthMax)) return undefined;
  }
  return { origin, key, values: values as SourceRow['values'] };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown, lengthMax: number): value is string {
  return typeof value === 'string' && value.length <= lengthMax;
}

/** The same as a part of a schema. */
export const sourceDocument = z.unknown().transform((value, context): SourceDocument => {
  const document = readSourceDocument(value);
  if (document !== undefined) return document;
  context.addIssue({ code: 'custom', message: 'is no document of a source' });
  return z.NEVER;
});
