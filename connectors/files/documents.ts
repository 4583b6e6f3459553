import { readCsv } from '@drawbridge/records/csv.ts';
import type { SourceDocument, SourceRow } from '@drawbridge/records/document.ts';
import { readJson } from '@drawbridge/records/json.ts';
import type { RecordError } from '@drawbridge/records/limits.ts';
import { type ConnectorFault, limits, type ReadOutcome } from '../contract.ts';
import { fault } from '../fault.ts';
import type { FilesSettings } from './settings.ts';

/** The documents of a file by their refs. */
export type FileOutcome =
  | { readonly kind: 'documents'; readonly documents: readonly SourceDocument[] }
  | { readonly kind: 'unusable'; readonly fault: ConnectorFault };

/** What a ref names: a file, and the document in it where the file holds several. */
export interface FileRef {
  readonly name: string;
  readonly document?: string;
}

/**
 * Splits `file.csv#INV-1` at the `#` that follows the extension; any other `#` is part of a name.
 */
export function parseFileRef(ref: string): FileRef {
  const match = /^(.+?\.(?:csv|json))#(.+)$/is.exec(ref);
  const [, name, document] = match ?? [];
  return name === undefined || document === undefined ? { name: ref } : { name, document };
}

/** Splits a file into documents as the settings say; the refs are `name`, or `name#document`. */
export function fileDocuments(
  name: string,
  bytes: Uint8Array,
  settings: FilesSettings,
): FileOutcome {
  return /\.csv$/i.test(name)
    ? csvDocuments(name, bytes, settings)
    : jsonDocuments(name, bytes, settings);
}

/** The one document that `ref` names. */
export function pickDocument(ref: FileRef, documents: readonly SourceDocument[]): ReadOutcome {
  const wanted = ref.document === undefined ? undefined : `${ref.name}#${ref.document}`;
  const found =
    wanted === undefined ? documents : documents.filter((document) => document.ref === wanted);
  const [document, second] = found;
  if (document === undefined) return { kind: 'missing' };
  if (second !== undefined) {
    const message =
      wanted === undefined
        ? `${ref.name} holds ${found.length} documents: name one of them, as in ${document.ref}`
        : `${ref.name} holds ${found.length} documents called "${ref.document}".`;
    return { kind: 'unusable', fault: fault('header_not_unique', message, 'never') };
  }
  const rowCount = Object.values(document.sections).reduce((sum, rows) => sum + rows.length, 0);
  if (rowCount > limits.rowsMax) {
    const message = `${document.ref} has more than ${limits.rowsMax} rows.`;
    return { kind: 'unusable', fault: fault('too_many_rows', message, 'never') };
  }
  return { kind: 'found', document };
}

function csvDocuments(name: string, bytes: Uint8Array, settings: FilesSettings): FileOutcome {
  const table = readCsv(bytes, { origin: name, delimiter: settings.delimiter });
  if (table.kind === 'unreadable') return unreadable(name, table.error);
  const { documentColumn } = settings;
  if (documentColumn === undefined) {
    if (table.rows.length > 0) return documents([csvDocument(name, table.rows)]);
    return unreadable(name, { code: 'empty', message: 'The file has a header and no rows.' });
  }
  if (!table.columns.includes(documentColumn)) return columnMissing(name, documentColumn);
  const groups = Map.groupBy(table.rows, (row) => row.values[documentColumn] ?? null);
  const unnamed = groups.get(null)?.[0];
  if (unnamed !== undefined) {
    const message = `Line ${unnamed.key} names no document: "${documentColumn}" is empty.`;
    return unreadable(name, { code: 'column_count', message });
  }
  return documents([...groups].map(([value, rows]) => csvDocument(`${name}#${value}`, rows)));
}

/** A flat file repeats the header in each row; it is read from the first one. */
function csvDocument(ref: string, rows: readonly SourceRow[]): SourceDocument {
  return { ref, sections: { header: rows.slice(0, 1), lines: rows } };
}

function jsonDocuments(name: string, bytes: Uint8Array, settings: FilesSettings): FileOutcome {
  const read = readJson(bytes, { origin: name });
  if (read.kind === 'unreadable') return unreadable(name, read.error);
  const { documentColumn } = settings;
  if (documentColumn === undefined) {
    const isOne = read.documents.length === 1;
    return documents(
      read.documents.map((sections, index) => ({
        ref: isOne ? name : `${name}#${index + 1}`,
        sections,
      })),
    );
  }
  const named = read.documents.map((sections) => ({
    ref: `${name}#${sections.header?.[0]?.values[documentColumn] ?? ''}`,
    sections,
  }));
  const hasNames = named.every(({ ref }) => ref !== `${name}#`);
  return hasNames ? documents(named) : columnMissing(name, documentColumn);
}

function documents(all: readonly SourceDocument[]): FileOutcome {
  return { kind: 'documents', documents: all };
}

function columnMissing(name: string, column: string): FileOutcome {
  const message = `${name} has no column "${column}", which the setting documentColumn names.`;
  return { kind: 'unusable', fault: fault('column_missing', message, 'never') };
}

function unreadable(name: string, error: RecordError): FileOutcome {
  return { kind: 'unusable', fault: fault(error.code, `${name}: ${error.message}`, 'never') };
}
