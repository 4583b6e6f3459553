import type { FoundTable } from '@drawbridge/mapping/discovery/database.ts';
import { leaveOutOf, leaveOutReason } from '@drawbridge/mapping/discovery/left-out-documents.ts';
import { likelyReferences, surestReferences } from '@drawbridge/mapping/discovery/references.ts';
import { proposeSections } from '@drawbridge/mapping/discovery/sections.ts';
import type { LayoutProposal } from '../contract.ts';
import type { LookedTable } from './look.ts';

/** How workbooks with these sheets are read: sheets that belong together, or the surest one of them. */
export function sheetsLayout(
  workbooks: readonly (readonly LookedTable[])[],
): Omit<LayoutProposal, 'documents'> | undefined {
  const [sheets = []] = workbooks;
  const joined = joinedSheetsLayout(sheets);
  if (joined !== undefined) return joined;
  const best = sheets.toSorted((one, other) => other.layout.confidence - one.layout.confidence)[0];
  if (best === undefined) return undefined;
  const { layout } = best;
  const own = workbooks.flatMap((all) => all.filter(({ name }) => name === best.name));
  const isSingle = own.every((each) => each.layout.isOneDocument);
  const { documentColumn, continuedRows, ...settings } = layout.settings;
  const others = sheets.filter(({ name }) => name !== best.name).map(({ name }) => `"${name}"`);
  return {
    title: `Sheet "${best.name}"`,
    layout: {
      sheet: best.name,
      ...settings,
      ...(isSingle || documentColumn === undefined ? {} : { documentColumn }),
      ...(isSingle || continuedRows === undefined ? {} : { continuedRows }),
    },
    reasons: isSingle
      ? { ...layout.reasons, documents: 'In each file all rows are of one invoice: a file is one.' }
      : layout.reasons,
    confidence: layout.confidence,
    notes: [
      ...layout.notes,
      ...(others.length === 0 ? [] : [`Further sheets are not read: ${others.join(', ')}.`]),
    ],
  };
}

/** Of several tables the one with the headers, and the one with their lines; undefined where there are none. */
export function headerAndLines(tables: readonly FoundTable[]) {
  const references = surestReferences([...likelyReferences(tables, [])].flat());
  const { sections, reasons, confidence } = proposeSections({ tables, references });
  const { header, lines, ...others } = sections;
  if (header === undefined || lines === undefined || lines.table === header.table) return undefined;
  return { header, lines, others, reasons, confidence };
}

/** A sheet of headers, one of lines, and those that hang on the header, found as the tables of a database are. */
function joinedSheetsLayout(
  sheets: readonly LookedTable[],
): Omit<LayoutProposal, 'documents'> | undefined {
  if (sheets.length < 2) return undefined;
  const found = headerAndLines(sheets.map(({ layout }) => layout.table));
  if (found === undefined) return undefined;
  const { header, lines, others, reasons, confidence } = found;
  const layoutOf = (name: string) => sheets.find((sheet) => sheet.name === name)!.layout;
  const sheetOf = ({ table, match, matchFrom }: typeof lines) => ({
    sheet: table,
    headerLine: layoutOf(table).settings.headerLine,
    column: match,
    ...(matchFrom === undefined || matchFrom === header.match ? {} : { from: matchFrom }),
  });
  const hanging = Object.entries(others).filter(([, { of = 'header' }]) => of === 'header');
  const skipRows = [header, lines].flatMap(({ table }) => layoutOf(table).settings.skipRows ?? []);
  const leaveOut = leaveOutOf(layoutOf(header.table).table, header.match);
  return {
    title: `Sheets "${header.table}" and "${lines.table}"`,
    layout: {
      sheet: header.table,
      headerLine: layoutOf(header.table).settings.headerLine,
      documentColumn: header.match,
      sheets: {
        lines: sheetOf(lines),
        ...Object.fromEntries(hanging.map(([name, section]) => [name, sheetOf(section)])),
      },
      ...(skipRows.length === 0 ? {} : { skipRows }),
      ...(leaveOut === undefined ? {} : { leaveOut }),
    },
    reasons: {
      ...reasons,
      header: reasons.header ?? layoutOf(header.table).reasons.header ?? '',
      ...(leaveOut === undefined ? {} : { leaveOut: leaveOutReason(leaveOut) }),
    },
    confidence,
    notes: [],
  };
}
