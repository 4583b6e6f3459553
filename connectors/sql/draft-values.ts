import type { DraftLine } from '@drawbridge/cim/draft.ts';
import type { ImportCommand } from '../contract.ts';
import type { NewColumn } from './dialect.ts';

type Documents = ImportCommand['document'];

/** Values of a draft by the name of their column in `einv_received`. */
const headerValues = {
  document_id: ({ id }: Documents) => id,
  source: ({ source }: Documents) => source,
  network_id: ({ networkId }: Documents) => networkId,
  profile: ({ profile }: Documents) => profile,
  document_type: ({ draft }: Documents) => draft.documentType,
  supplier_id: ({ draft }: Documents) => draft.supplierId,
  supplier_name: ({ draft }: Documents) => draft.supplierName,
  buyer_id: ({ draft }: Documents) => draft.buyerId,
  number: ({ draft }: Documents) => draft.number,
  issue_date: ({ draft }: Documents) => draft.issueDate,
  due_date: ({ draft }: Documents) => draft.dueDate,
  currency: ({ draft }: Documents) => draft.currency,
  net: ({ draft }: Documents) => draft.net,
  tax: ({ draft }: Documents) => draft.tax,
  gross: ({ draft }: Documents) => draft.gross,
  due: ({ draft }: Documents) => draft.due,
  purchase_order: ({ draft }: Documents) => draft.purchaseOrder,
  buyer_reference: ({ draft }: Documents) => draft.buyerReference,
  corrected_number: ({ draft }: Documents) => draft.correctedNumber,
  received_at: ({ receivedAt }: Documents) => receivedAt,
  xml: ({ xml }: Documents) => xml,
} as const;

/** Values of a line by the name of their column in `einv_received_line`. */
const lineValues = {
  line_no: (_: DraftLine, position: number) => String(position),
  line: ({ line }: DraftLine) => line,
  sku: ({ sku }: DraftLine) => sku,
  name: ({ name }: DraftLine) => name,
  quantity: ({ quantity }: DraftLine) => quantity,
  unit: ({ unit }: DraftLine) => unit,
  unit_price: ({ unitPrice }: DraftLine) => unitPrice,
  line_net: ({ net }: DraftLine) => net,
  tax_category: ({ taxCategory }: DraftLine) => taxCategory,
  tax_rate: ({ taxRate }: DraftLine) => taxRate,
} as const;

export type DraftField = keyof typeof headerValues;
export type DraftLineField = keyof typeof lineValues;

/** What a column of a configured table may be filled with. */
export const draftFields = Object.keys(headerValues) as [DraftField, ...DraftField[]];
/** What a column of a configured table of lines may be filled with besides. */
export const draftLineFields = Object.keys(lineValues) as [DraftLineField, ...DraftLineField[]];

/** The value of a column; null where the document has none. */
export function headerValue(document: Documents, field: DraftField): string | null {
  return headerValues[field](document) ?? null;
}

/** The value of a line's column; also one of its document. Positions are counted from 1. */
export function lineValue(
  document: Documents,
  field: DraftField | DraftLineField,
  position: number,
): string | null {
  if (!(field in lineValues)) return headerValue(document, field as DraftField);
  const line = document.draft.lines[position - 1]!;
  return lineValues[field as DraftLineField](line, position) ?? null;
}

const decimals: ReadonlySet<string> = new Set([
  'net',
  'tax',
  'gross',
  'due',
  'line_no',
  'quantity',
  'unit_price',
  'line_net',
  'tax_rate',
]);
const lengths: Readonly<Record<string, number>> = {
  document_id: 64,
  document_type: 16,
  issue_date: 10,
  due_date: 10,
  currency: 8,
  received_at: 32,
  profile: 64,
};
const required: ReadonlySet<string> = new Set([
  'document_id',
  'supplier_id',
  'number',
  'issue_date',
  'currency',
  'gross',
  'line_no',
]);
/** The most characters of other texts. A longer one is cut: the document itself has all of it. */
const lengthMax = 512;

function newColumn(name: string): NewColumn {
  const isRequired = required.has(name);
  if (name === 'xml') return { name, holds: 'long' };
  return { name, holds: decimals.has(name) ? 'decimal' : (lengths[name] ?? lengthMax), isRequired };
}

/** `draft` until somebody goes on with it in the ERP, who then writes another word. */
export const draftStatus = { name: 'status', holds: 32, isRequired: true, draft: 'draft' } as const;

/** The columns of the side tables. */
export const sideTableColumns: readonly NewColumn[] = [draftStatus, ...draftFields.map(newColumn)];
export const sideLineColumns: readonly NewColumn[] = ['document_id', ...draftLineFields].map(
  newColumn,
);

/** Cuts a text to what its column holds. */
export function cutTo({ holds }: NewColumn, value: string | null): string | null {
  return typeof holds === 'number' && value !== null ? value.slice(0, holds) : value;
}
