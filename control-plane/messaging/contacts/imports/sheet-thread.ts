/** A thread that reads workbooks: a sheet becomes CSV in UTF-8, a row a record. */
import { readXlsx, type XlsxTable } from '@drawbridge/records/xlsx.ts';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { yieldProcessor } from '../../../platform/concurrency/thread-priority.ts';

export interface SheetTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sheet: string | undefined;
}

export type SheetAnswer =
  | { readonly kind: 'unreadable'; readonly problem: string }
  | {
      readonly kind: 'sheet';
      readonly csv: Uint8Array<ArrayBuffer>;
      readonly sheet: string;
      readonly sheets: readonly string[];
    };

/** A sheet has at most so many rows. */
const rowNumberMax = 1_048_576;

yieldProcessor();

export default function ({ bytes, sheet }: SheetTask): unknown {
  const table = readXlsx(bytes, { origin: 'file', headerLine: 0, sheet });
  if (table.kind === 'unreadable') return { kind: 'unreadable', problem: table.error.message };
  const csv = new TextEncoder().encode(csvOf(table));
  const answer = { kind: 'sheet', csv, sheet: table.sheet, sheets: table.sheets };
  return move({ [transferableSymbol]: [csv.buffer], [valueSymbol]: answer });
}

/** Rows that are left out in the sheet are empty here, so that the numbers of rows stay. */
function csvOf({ rows }: XlsxTable): string {
  const lines: string[] = [];
  for (const { key, values } of rows) {
    const number = Math.min(Number(key), rowNumberMax);
    while (lines.length < number - 1) lines.push('');
    lines.push(Object.values(values).map(cellOf).join(','));
  }
  return lines.join('\n');
}

function cellOf(value: string | null): string {
  if (value === null) return '';
  return /[",\n\r]|^ /.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
