import { eventOf, states } from '@drawbridge/lifecycle/transitions.ts';

/**
 * The payload of a webhook without `ts` and `signature`, which are appended; member order is kept.
 */
export interface WebhookPayload {
  readonly event: string;
  /** The id of what it happened to: an invoice, a message. */
  readonly id: string;
  readonly profile?: string;
  /** On `invoice.cleared`: the authority's own identifier. */
  readonly uin?: string;
  /** When it happened, ISO 8601 UTC. */
  readonly timestamp: string;
  readonly data?: unknown;
}

/** Sent when the service could not work on an invoice, which then stays in its state. */
export const stalledEvent = 'invoice.stalled';

/** Sent when the service has stopped trying to do anything else; `data` names the queue. */
export const stalledWorkEvent = 'work.stalled';

/** A valid document waits for a person before it is sent; `data` says why. */
export const heldEvent = 'invoice.held';

/** The source holds a document otherwise than it was sent; `data` says what differs. */
export const sourceChangedEvent = 'invoice.source_changed';

/** The authority says that a document which it had cleared was cancelled. */
export const invoiceCancelledEvent = 'invoice.cancelled';

const invoiceEvents = [
  ...states.map(eventOf),
  stalledEvent,
  heldEvent,
  sourceChangedEvent,
  invoiceCancelledEvent,
];

/** A document of a supplier has come in; `data` says of whom, and where to read it. */
export const receivedEvent = 'document.received';
/** A document of a supplier can soon not be rejected any more; `data` says until when. */
export const rejectionEndsEvent = 'document.rejection_ends';
/** Something has come in as a document of a supplier that is none, or cannot be read; `data` says why. */
export const unreadableEvent = 'document.unreadable';
/** A supplier has not cancelled a document that was rejected, and cannot any more; `data` says until when it could. */
export const rejectionUnansweredEvent = 'document.rejection_unanswered';
/** A supplier has cancelled a document at its authority; `data` says when and why. */
export const documentCancelledEvent = 'document.cancelled';
/** The draft of a cancelled document stays in the ERP, where a person must look at it; `data` says why. */
export const draftKeptEvent = 'document.draft_kept';
const documentEvents = [
  receivedEvent,
  unreadableEvent,
  rejectionEndsEvent,
  rejectionUnansweredEvent,
  documentCancelledEvent,
  draftKeptEvent,
];
/** Those of invoices that `invoice.*` does not name: the specification says which it stands for. */
export const exactlyNamedEvents: readonly string[] = [
  heldEvent,
  sourceChangedEvent,
  invoiceCancelledEvent,
];
/** Sent only to endpoints whose filter names them: others did not ask for them. */
export const namedOnlyEvents: readonly string[] = [...documentEvents, ...exactlyNamedEvents];

/** Sent when a customer asks for it; reaches one endpoint, whatever its filter. */
export const testEvent = 'webhook.test';
/** Sent to the tenant's other endpoints when one is disabled. */
export const disabledEvent = 'endpoint.disabled';

/** Event names of the messaging service. */
const messagingEvents = namesOf({
  app: ['stopped'],
  contact: ['created', 'updated', 'merged', 'deleted'],
  message: ['queued', 'unknown', 'sent', 'delivered', 'read', 'failed', 'skipped', 'received'],
  broadcast: [
    'queued',
    'rescheduled',
    'started',
    'paused',
    'resumed',
    'canceled',
    'completed',
    'failed',
    'click',
  ],
  template: ['approved', 'rejected', 'paused', 'disabled', 'deleted', 'category_changed'],
  call: ['ringing', 'answered', 'dtmf', 'transferred', 'completed', 'failed', 'cost_changed'],
  recording: ['ready'],
  consent: ['granted', 'revoked'],
  conversation: ['opened', 'assigned', 'snoozed', 'woken', 'closed'],
  wallet: ['low'],
});

/** Which of the two services an event or an endpoint belongs to. */
export type Service = 'einvoice' | 'messaging';

/** What an endpoint's filter may name: an event, or all of a subject (`invoice.*`). */
export function filtersOf(service: Service): readonly string[] {
  const names: readonly string[] =
    service === 'einvoice' ? [...invoiceEvents, ...documentEvents] : messagingEvents;
  const subjects = new Set(names.map((name) => `${name.split('.')[0]}.*`));
  return [...names, disabledEvent, ...subjects, stalledWorkEvent];
}

function namesOf(subjects: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.entries(subjects).flatMap(([subject, what]) =>
    what.map((event) => `${subject}.${event}`),
  );
}
