import { createCsvReader } from '@drawbridge/records/csv.ts';
import { readJson } from '@drawbridge/records/json.ts';
import type { RecordError } from '@drawbridge/records/limits.ts';
import { createTextReader } from '@drawbridge/records/text.ts';
import { fault } from '../fault.ts';
import { joinedNames } from './file-names.ts';
import { type FileTable, type JoinedTable, joinedTables } from './joined-tables.ts';
import { type ContentSettings, kindOfFile } from './settings.ts';
import type { WholeContent } from './whole-document.ts';

/** A file of headers, with what reads the files beside it by their names. */
export interface HeaderFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  beside(name: string): Promise<Uint8Array | undefined>;
}

/** Reads the documents of a file of headers, whose lines stand in another file. */
export async function readJoinedFiles(
  { name, bytes, beside }: HeaderFile,
  settings: ContentSettings,
): Promise<WholeContent> {
  const headers = await readTable(name, bytes, settings);
  if ('code' in headers) return unusable(name, headers);
  const joined: JoinedTable[] = [];
  for (const [section, file] of joinedNames(name, settings)) {
    const { column, from, headerLine } = settings.joinedFiles![section]!;
    const content = await beside(file);
    if (content === undefined) {
      return unusable(name, { code: 'file_missing', message: `${file} is not beside it.` });
    }
    const { encoding, skipRows } = settings;
    const table = await readTable(file, content, { encoding, skipRows, headerLine });
    if ('code' in table) return unusable(file, table);
    joined.push({ ...table, section, column, from });
  }
  return joinedTables(name, headers, joined, settings);
}

type TableSettings = Pick<ContentSettings, 'headerLine'> &
  Partial<Pick<ContentSettings, 'delimiter' | 'encoding' | 'skipRows' | 'documentPath' | 'sheet'>>;

type Unreadable = Pick<RecordError, 'message'> & { readonly code: string };

async function readTable(
  name: string,
  bytes: Uint8Array,
  settings: TableSettings,
): Promise<FileTable | Unreadable> {
  const read = await readRows(name, bytes, settings);
  if ('code' in read) return read;
  if (read.rows.length > 0) return read;
  return { code: 'empty', message: 'The file has a header and no rows.' };
}

async function readRows(
  name: string,
  bytes: Uint8Array,
  { delimiter, encoding, skipRows, headerLine, documentPath, sheet }: TableSettings,
): Promise<FileTable | Unreadable> {
  switch (kindOfFile(name)) {
    case 'csv': {
      const text = createTextReader(encoding);
      const [first, last] = [text.push(bytes), text.end()];
      if (first.kind === 'unreadable') return first.error;
      if (last.kind === 'unreadable') return last.error;
      const csv = createCsvReader({ origin: name, delimiter, headerLine, skipRows });
      const read = csv.end(first.text + last.text);
      return read.kind === 'unreadable' ? read.error : tableOf(name, read.rows);
    }
    case 'xlsx': {
      const { readXlsxSheets } = await import('@drawbridge/records/xlsx.ts');
      const read = readXlsxSheets(bytes, [{ origin: name, sheet, headerLine, skipRows }]);
      return read.kind === 'unreadable' ? read.error : tableOf(name, read.tables[0]!.rows);
    }
    case 'json': {
      const read = readJson(bytes, { origin: name, encoding, documentPath });
      if (read.kind === 'unreadable') return read.error;
      const rows = read.documents.flatMap(({ header = [] }, at) =>
        header.map((row) => ({ ...row, key: String(at + 1) })),
      );
      return tableOf(name, rows);
    }
    default:
      return { code: 'not_a_table', message: 'Only CSV, XLSX and JSON files are read together.' };
  }
}

function tableOf(title: string, rows: FileTable['rows']): FileTable {
  return { title, rows, columns: [...new Set(rows.flatMap(({ values }) => Object.keys(values)))] };
}

function unusable(name: string, { code, message }: Unreadable): WholeContent {
  return { kind: 'unusable', fault: fault(code, `${name}: ${message}`, 'never') };
}
