import { fail } from '../errors.ts';
import { withExplanations } from './explanations.ts';
import { showHold } from './hold.ts';
import type { InvoiceRow } from './store.ts';

/** The invoice, or 404. */
export function found(row: InvoiceRow | undefined, id: string): InvoiceRow {
  if (row === undefined) throw fail('invoice_not_found', `There is no invoice "${id}".`);
  return row;
}

/** One invoice, whose errors have explanations. */
export function showInvoiceInFull(row: InvoiceRow) {
  return { ...showInvoice(row), errors: withExplanations(row.errors) };
}

/** An invoice as clients see it. */
export function showInvoice(row: InvoiceRow) {
  const { id, environment, profile, connector_id, source_ref, checks, errors, warnings } = row;
  return {
    id,
    status: row.state,
    environment,
    profile,
    connector_id,
    source_ref,
    ...optional('number', row.number),
    ...optional('buyer', row.buyer),
    ...optional('currency', row.currency),
    ...optional('gross', row.gross),
    checks,
    errors,
    warnings,
    ...optional('duplicate_of', row.duplicate_of),
    ...optional('uin', row.uin),
    ...optional('validation_url', row.validation_url),
    ...optional('authority_status', row.authority_status),
    ...optional('cancellable_until', row.cancellable_until?.toISOString() ?? null),
    ...optional('write_back', row.write_back),
    ...optional('forwarding', row.forwarding),
    ...optional('buyer_response', row.buyer_response),
    ...optional('hold', row.hold === null ? null : showHold(row.hold, row.waits_for)),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    links: linksOf(id),
  };
}

function optional(name: string, value: unknown): Record<string, unknown> {
  return value === null ? {} : { [name]: value };
}

/** Where to go on from an invoice. */
export function linksOf(id: string) {
  return { self: `/v1/invoices/${id}`, events: `/v1/invoices/${id}/events` };
}
