import {
  documentCancelledEvent,
  draftKeptEvent,
  receivedEvent,
  rejectionEndsEvent,
  rejectionUnansweredEvent,
  unreadableEvent,
  type WebhookPayload,
} from '@drawbridge/webhooks/events.ts';
import { newId, type RandomBytes } from '../../platform/ids.ts';
import type { NewEvent } from '../../webhooks/store.ts';
import type { NewReceived, ReceivedRow } from './store.ts';

/** What an event says of a document. */
type Told = Pick<
  ReceivedRow,
  'id' | 'environment' | 'supplier_id' | 'supplier_name' | 'number' | 'currency' | 'gross'
>;

/** When something happened, and what an event's id is made of. */
export interface Moment {
  readonly now: Date;
  readonly random: RandomBytes;
}

/** A document has come in, or has taken the place of one that was rejected or cancelled. */
export function receivedEventOf(row: NewReceived | ReceivedRow, moment: Moment): NewEvent {
  return eventOf(row, moment, {
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
  });
}

/** Something has come in that is no invoice, or cannot be read. */
export function unreadableEventOf(row: NewReceived, moment: Moment): NewEvent {
  const { source, network_id, errors } = row;
  const reason = errors[0]?.message ?? '';
  const links = { ...linksOf(row), document: `/v1/received/${row.id}/document` };
  const data = { source, network_id, reason, links };
  return eventOf(row, moment, { event: unreadableEvent, data });
}

/** A document can soon not be rejected any more. */
export function rejectionEndsEventOf(row: Told, until: Date, moment: Moment): NewEvent {
  const data = { rejectable_until: until.toISOString(), ...toldOf(row) };
  return eventOf(row, moment, { event: rejectionEndsEvent, data });
}

/** Its supplier has not cancelled a document that was rejected. */
export function rejectionUnansweredEventOf(row: Told, until: Date, moment: Moment): NewEvent {
  const data = { rejectable_until: until.toISOString(), ...toldOf(row) };
  return eventOf(row, moment, { event: rejectionUnansweredEvent, data });
}

/** Its supplier has cancelled a document; `status` is the one before. */
export function cancelledEventOf(
  row: Told & Pick<ReceivedRow, 'status'>,
  { at, reason }: { readonly at: Date; readonly reason: string | null },
  moment: Moment,
): NewEvent {
  const inErp = row.status === 'imported';
  const data = { cancelled_at: at.toISOString(), reason, in_erp: inErp, ...toldOf(row) };
  return eventOf(row, moment, { event: documentCancelledEvent, data });
}

/** The draft of a cancelled document stays in the ERP. */
export function draftKeptEventOf(row: Told, reason: string, moment: Moment): NewEvent {
  return eventOf(row, moment, { event: draftKeptEvent, data: { reason, ...toldOf(row) } });
}

function toldOf(row: Told) {
  const { number, gross, currency } = row;
  return { supplier: supplierOf(row), number, gross, currency, links: linksOf(row) };
}

function supplierOf({ supplier_id: id, supplier_name: name }: Told) {
  return { id, name };
}

function linksOf({ id }: Told) {
  return { self: `/v1/received/${id}` };
}

function eventOf(
  { id, environment }: Told,
  { now, random }: Moment,
  { event, profile, data }: Pick<WebhookPayload, 'event' | 'profile' | 'data'>,
): NewEvent {
  const payload: WebhookPayload = {
    event,
    id,
    ...(profile === undefined ? {} : { profile }),
    timestamp: now.toISOString(),
    data,
  };
  return {
    id: newId('evt', () => now, random),
    environment,
    service: 'einvoice',
    type: event,
    subject_id: id,
    payload: JSON.stringify(payload),
    created_at: now,
  };
}
