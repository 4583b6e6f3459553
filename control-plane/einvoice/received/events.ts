import {
  documentCancelledEvent,
  draftKeptEvent,
  receivedEvent,
  rejectionEndsEvent,
  rejectionUnansweredEvent,
  unreadableEvent,
} from '@drawbridge/webhooks/events.ts';
import type { NewEvent } from '../../webhooks/store.ts';
import { einvoiceEvent, type Moment } from '../event.ts';
import type { NewReceived, ReceivedRow } from './store.ts';

/** What an event says of a document. */
type DocumentSummary = Pick<
  ReceivedRow,
  'id' | 'environment' | 'supplier_id' | 'supplier_name' | 'number' | 'currency' | 'gross'
>;

/** A document has come in, or has taken the place of one that was rejected or cancelled. */
export function receivedEventOf(row: NewReceived | ReceivedRow, moment: Moment): NewEvent {
  const content = {
    event: receivedEvent,
    ...(row.profile === null ? {} : { profile: row.profile }),
    data: {
      source: row.source,
      document_type: row.document_type,
      supplier: supplierOf(row),
      number: row.number,
      issue_date: row.issue_date,
      currency: row.currency,
      gross: row.gross,
      valid: row.errors.length === 0,
      links: { ...linksOf(row), document: `/v1/received/${row.id}/document` },
    },
  };
  return einvoiceEvent(row, content, moment);
}

/** Something has come in that is no invoice, or cannot be read. */
export function unreadableEventOf(row: NewReceived, moment: Moment): NewEvent {
  const { source, network_id, errors } = row;
  const reason = errors[0]?.message ?? '';
  const links = { ...linksOf(row), document: `/v1/received/${row.id}/document` };
  const data = { source, network_id, reason, links };
  return einvoiceEvent(row, { event: unreadableEvent, data }, moment);
}

/** A document can soon not be rejected any more. */
export function rejectionEndsEventOf(row: DocumentSummary, until: Date, moment: Moment): NewEvent {
  const data = { rejectable_until: until.toISOString(), ...summaryOf(row) };
  return einvoiceEvent(row, { event: rejectionEndsEvent, data }, moment);
}

/** Its supplier has not cancelled a document that was rejected. */
export function rejectionUnansweredEventOf(
  row: DocumentSummary,
  until: Date,
  moment: Moment,
): NewEvent {
  const data = { rejectable_until: until.toISOString(), ...summaryOf(row) };
  return einvoiceEvent(row, { event: rejectionUnansweredEvent, data }, moment);
}

/** Its supplier has cancelled a document; `status` is the one before. */
export function cancelledEventOf(
  row: DocumentSummary & Pick<ReceivedRow, 'status'>,
  { at, reason }: { readonly at: Date; readonly reason: string | null },
  moment: Moment,
): NewEvent {
  const inErp = row.status === 'imported';
  const data = { cancelled_at: at.toISOString(), reason, in_erp: inErp, ...summaryOf(row) };
  return einvoiceEvent(row, { event: documentCancelledEvent, data }, moment);
}

/** The draft of a cancelled document stays in the ERP. */
export function draftKeptEventOf(row: DocumentSummary, reason: string, moment: Moment): NewEvent {
  return einvoiceEvent(row, { event: draftKeptEvent, data: { reason, ...summaryOf(row) } }, moment);
}

function summaryOf(row: DocumentSummary) {
  const { number, gross, currency } = row;
  return { supplier: supplierOf(row), number, gross, currency, links: linksOf(row) };
}

function supplierOf({ supplier_id: id, supplier_name: name }: DocumentSummary) {
  return { id, name };
}

function linksOf({ id }: DocumentSummary) {
  return { self: `/v1/received/${id}` };
}
