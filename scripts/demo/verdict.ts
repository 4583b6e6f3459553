import type { Invoice, InvoiceEvent, ValidationError } from '@drawbridge/sdk/clients/einvoice.ts';
import type { SampleDocument } from './erp-documents.ts';

interface TimelineEntry {
  readonly status: string;
  readonly timestamp: string;
  readonly elapsedMs: number;
}

interface Fault {
  readonly rule: string;
  readonly field: string;
  readonly message: string;
  /** `table.column` of the ERP. */
  readonly source: string;
  readonly value: string;
}

/** The outcome of one invoice, and how it differs from the expected one. */
export interface InvoiceResult {
  readonly ref: string;
  readonly profile: string;
  readonly kind: 'invoice' | 'credit note';
  readonly id: string;
  readonly status: string;
  readonly uin: string | undefined;
  readonly expected: 'settles' | 'rejected';
  readonly timeline: readonly TimelineEntry[];
  readonly faults: readonly Fault[];
  readonly problems: readonly string[];
}

export function verdictOf(
  document: SampleDocument,
  invoice: Invoice,
  events: readonly InvoiceEvent[],
): InvoiceResult {
  const ref = String(document.header.DOC_NO);
  const faults = invoice.errors.map(faultOf);
  return {
    ref,
    profile: document.profile,
    kind: document.header.DOC_KIND === 'C' ? 'credit note' : 'invoice',
    id: invoice.id,
    status: invoice.status,
    uin: invoice.uin,
    expected: document.expect.kind,
    timeline: events.map(({ status, timestamp, elapsed_ms }) => ({
      status,
      timestamp,
      elapsedMs: elapsed_ms,
    })),
    faults,
    problems: problemsOf(document, ref, invoice, faults),
  };
}

function faultOf({ rule, field, message, source }: ValidationError): Fault {
  return {
    rule,
    field,
    message,
    source: source === undefined ? '' : `${source.origin}.${source.column}`,
    value: source?.value ?? '',
  };
}

function problemsOf(
  { expect, profile }: SampleDocument,
  ref: string,
  invoice: Invoice,
  faults: readonly Fault[],
): string[] {
  if (expect.kind === 'rejected') {
    if (invoice.status !== 'rejected') return [`${ref} should be rejected, is ${invoice.status}`];
    const found = faults.find((fault) => expect.rule.test(fault.rule));
    if (found === undefined) return [`${ref} was not rejected by ${expect.rule}`];
    return found.source === expect.at
      ? []
      : [`${ref}: ${found.rule} names ${found.source || 'nothing'} instead of ${expect.at}`];
  }
  const wanted =
    profile === 'PINT-MY' ? ['cleared', 'acknowledged'] : ['delivered', 'acknowledged'];
  if (!wanted.includes(invoice.status)) {
    const why = faults
      .map((fault) => `${fault.rule} at ${fault.field}: ${fault.message}`)
      .join('; ');
    return [`${ref} should be ${wanted[0]}, is ${invoice.status}. ${why}`];
  }
  return profile === 'PINT-MY' && !invoice.uin ? [`${ref} was cleared without an identifier`] : [];
}
