import { readJson } from '@drawbridge/records/json.ts';
import type { RecordError } from '@drawbridge/records/limits.ts';
import type { XlsxTable } from '@drawbridge/records/xlsx.ts';
import { fault } from '../fault.ts';
import { type FileTable, joinedTables } from './joined-tables.ts';
import { isLeftOut } from './left-out.ts';
import { type ContentSettings, kindOfFile } from './settings.ts';
import type { WholeContent, WholeDocument } from './whole-document.ts';

/** Reads a file of any kind but CSV. */
export async function readWhole(
  name: string,
  bytes: Uint8Array,
  settings: ContentSettings,
): Promise<WholeContent> {
  switch (kindOfFile(name)) {
    case 'xlsx':
      return readWorkbook(name, bytes, settings);
    case 'pdf':
      return readPdf(name, bytes, settings);
    case 'xml':
      return readXmlFile(name, bytes, settings);
    default: {
      const { encoding, documentPath, sectionNames } = settings;
      const read = readJson(bytes, { origin: name, encoding, documentPath, sectionNames });
      return read.kind === 'unreadable'
        ? unreadable(name, read.error)
        : namedDocuments(name, read.documents, settings);
    }
  }
}

async function readXmlFile(
  name: string,
  bytes: Uint8Array,
  settings: ContentSettings,
): Promise<WholeContent> {
  const { readXml } = await import('@drawbridge/records/xml.ts');
  const { encoding, documentElement, listElements, elementKeys, sectionNames } = settings;
  const options = {
    origin: name,
    encoding,
    documentElement,
    listElements,
    elementKeys,
    sectionNames,
  };
  const read = readXml(bytes, options);
  if (read.kind === 'unreadable') return unreadable(name, read.error);
  return namedDocuments(name, read.documents, settings, read.xml);
}

/** The invoice that is attached to a PDF; one without holds no document. */
async function readPdf(
  name: string,
  bytes: Uint8Array,
  settings: ContentSettings,
): Promise<WholeContent> {
  const { embeddedInvoice } = await import('@drawbridge/records/pdf/embedded.ts');
  const found = embeddedInvoice(bytes);
  if (found.kind === 'unreadable') return unreadable(name, found.error);
  // Of the settings those of XML tell the encoding themselves: it was made by a program.
  return readXmlFile(name, found.bytes, { ...settings, encoding: undefined });
}

function namedDocuments(
  name: string,
  all: readonly WholeDocument['sections'][],
  { documentColumn, elementsAreRows, leaveOut }: ContentSettings,
  xml?: string,
): WholeContent {
  if (elementsAreRows === true) {
    const rows = all.flatMap(({ header = [] }, index) =>
      header.map((row) => ({ ...row, key: String(index + 1) })),
    );
    return { kind: 'rows', rows };
  }
  const isOne = all.length === 1;
  const documents: WholeDocument[] = [];
  for (const [index, sections] of all.entries()) {
    if (isLeftOut(sections.header?.[0], { leaveOut })) continue;
    const value =
      documentColumn === undefined
        ? String(index + 1)
        : sections.header?.[0]?.values[documentColumn];
    if (value === undefined || value === null || value === '') {
      const message = `${name}: document ${index + 1} has no "${documentColumn}", which the setting documentColumn names.`;
      return { kind: 'unusable', fault: fault('column_missing', message, 'never') };
    }
    const ref = isOne && documentColumn === undefined ? name : `${name}#${value}`;
    documents.push({ ref, sections, ...(isOne && xml !== undefined ? { xml } : {}) });
  }
  return { kind: 'documents', documents };
}

async function readWorkbook(
  name: string,
  bytes: Uint8Array,
  settings: ContentSettings,
): Promise<WholeContent> {
  const { readXlsxSheets } = await import('@drawbridge/records/xlsx.ts');
  const { sheet, headerLine, skipRows, sheets = {} } = settings;
  const isRagged = settings.rowSections === undefined ? undefined : true;
  const others = Object.values(sheets).map((each) => ({
    origin: name,
    sheet: each.sheet,
    headerLine: each.headerLine,
    skipRows,
  }));
  const read = readXlsxSheets(bytes, [
    { origin: name, sheet, headerLine, isRagged, skipRows },
    ...others,
  ]);
  if (read.kind === 'unreadable') return unreadable(name, read.error);
  const [first, ...rest] = read.tables;
  if (first === undefined || first.rows.length === 0) {
    return unreadable(name, { code: 'empty', message: 'The file has a header and no rows.' });
  }
  if (rest.length === 0) return { kind: 'rows', rows: first.rows };
  const joined = Object.entries(sheets).map(([section, { column, from }], at) => {
    return { ...titled(rest[at]!), section, column, from };
  });
  return joinedTables(name, titled(first), joined, settings);
}

function titled({ sheet, columns, rows }: XlsxTable): FileTable {
  return { title: `the sheet "${sheet}"`, columns, rows };
}

function unreadable(name: string, error: RecordError): WholeContent {
  return {
    kind: 'unusable',
    fault: fault(error.code, `${name}: ${error.message}`, 'never'),
  };
}
