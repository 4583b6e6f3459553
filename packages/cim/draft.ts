import { decimalPlaces, format } from '@drawbridge/decimal/decimal.ts';
import { amountText } from './amounts.ts';
import { type CimObject, type CimValue, decimalOf, groupOf, groupsOf, textOf } from './json.ts';
import { documentTax } from './totals.ts';

/** A supplier's invoice as a buyer's ERP takes it in: what a draft needs, every value as text. */
export interface Draft {
  readonly documentType: 'invoice' | 'credit-note';
  readonly number: string;
  /** `YYYY-MM-DD`, as are all days. */
  readonly issueDate: string;
  readonly dueDate?: string;
  readonly currency: string;
  /** The first the supplier gives of: VAT number, tax number, registration, electronic address. */
  readonly supplierId: string;
  readonly supplierName: string;
  readonly buyerId?: string;
  readonly buyerName?: string;
  readonly purchaseOrder?: string;
  readonly buyerReference?: string;
  /** The invoice that the document corrects; several with commas between them. */
  readonly correctedNumber?: string;
  readonly net?: string;
  readonly tax?: string;
  /** Including tax. */
  readonly gross: string;
  readonly due?: string;
  readonly lines: readonly DraftLine[];
}

/** A line of a draft. */
export interface DraftLine {
  readonly line: string;
  readonly sku?: string;
  readonly name?: string;
  readonly quantity?: string;
  readonly unit?: string;
  readonly unitPrice?: string;
  readonly net?: string;
  readonly taxCategory?: string;
  readonly taxRate?: string;
}

/** The members that a document lacks to be a draft, by their path in the model. */
export type DraftOutcome =
  | { readonly kind: 'draft'; readonly draft: Draft }
  | { readonly kind: 'incomplete'; readonly missing: readonly string[] };

/** The draft of an invoice in the JSON form of the model; without its identity there is none. */
export function draftOf(cim: CimObject, documentType: Draft['documentType']): DraftOutcome {
  const seller = groupOf(cim.seller);
  const buyer = groupOf(cim.buyer);
  const totals = groupOf(cim.totals);
  const gross = decimalOf(totals?.gross) ?? decimalOf(totals?.due);
  const required = {
    number: textOf(cim.number),
    issue_date: dayOf(textOf(cim.issue_date)),
    currency: textOf(cim.currency),
    'seller.trn': idOf(seller),
    'seller.name': textOf(seller?.name) ?? textOf(seller?.trading_name),
    'totals.gross': gross && amountText(gross),
  };
  const missing = Object.entries(required).flatMap(([path, value]) => (value ? [] : [path]));
  if (missing.length > 0) return { kind: 'incomplete', missing };
  const tax = documentTax(cim);
  return {
    kind: 'draft',
    draft: {
      documentType,
      number: required.number!,
      issueDate: required.issue_date!,
      currency: required.currency!,
      supplierId: required['seller.trn']!,
      supplierName: required['seller.name']!,
      gross: required['totals.gross']!,
      ...known({
        dueDate: dayOf(textOf(cim.due_date)),
        buyerId: idOf(buyer),
        buyerName: textOf(buyer?.name),
        purchaseOrder: textOf(cim.purchase_order),
        buyerReference: textOf(cim.buyer_reference),
        correctedNumber: correctedNumberOf(cim),
        net: numberOf(totals?.net),
        tax: tax && amountText(tax),
        due: numberOf(totals?.due),
      }),
      lines: groupsOf(cim.lines).map(lineOf),
    },
  };
}

function lineOf(line: CimObject, at: number): DraftLine {
  const [tax] = groupsOf(line.tax);
  const [breakdown] = groupsOf(groupsOf(line.tax_totals)[0]?.breakdown);
  return {
    line: textOf(line.id) ?? String(at + 1),
    ...known({
      sku: textOf(line.sku),
      name: textOf(line.name) ?? textOf(line.description),
      quantity: numberOf(line.qty),
      unit: textOf(line.unit),
      unitPrice: numberOf(line.unit_price),
      net: numberOf(line.net),
      taxCategory: textOf(tax?.category) ?? textOf(breakdown?.category),
      taxRate: numberOf(tax?.rate) ?? numberOf(breakdown?.rate),
    }),
  };
}

function correctedNumberOf(cim: CimObject): string | undefined {
  const numbers = groupsOf(cim.preceding_invoices).flatMap(({ number }) => textOf(number) ?? []);
  return numbers.length === 0 ? undefined : numbers.join(', ');
}

function idOf(party: CimObject | undefined): string | undefined {
  const address = textOf(party?.endpoint);
  return (
    textOf(party?.trn) ??
    textOf(party?.tin) ??
    textOf(groupsOf(party?.tax_registrations)[0]?.id) ??
    textOf(party?.registration_id) ??
    textOf(groupsOf(party?.identifiers)[0]?.id) ??
    (address && `${textOf(party?.endpoint_scheme) ?? ''}:${address}`)
  );
}

/** A day of the calendar; an XML date may have a zone behind it. */
function dayOf(text: string | undefined): string | undefined {
  const [, day] = /^(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2})?$/.exec(text ?? '') ?? [];
  if (day === undefined) return undefined;
  const date = new Date(`${day}T00:00:00Z`);
  // What there is not is another day, or none.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) ? day : undefined;
}

/** A number as written; what a supplier writes in the place of one would keep the draft from the ERP's columns. */
function numberOf(value: CimValue | undefined): string | undefined {
  const parsed = decimalOf(value);
  return parsed && format(parsed, decimalPlaces(textOf(value) ?? ''));
}

/** Without the members that are undefined. */
function known<Values extends Readonly<Record<string, string | undefined>>>(values: Values) {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { readonly [Name in keyof Values]?: string };
}
