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
export const cancelledEvent = 'invoice.cancelled';

const invoiceEvents = [
  ...states.map(eventOf),
  stalledEvent,
  heldEvent,
  sourceChangedEvent,
  cancelledEvent,
];

/** A document of a supplier has come in; `data` says of whom, and where to read it. */
export const receivedEvent = 'document.received';
/** A document of a supplier can soon not be rejected any more; `data` says until when. */
export const rejectionEndsEvent = 'document.rejection_ends';
/** Sent only to endpoints whose filter names them: others did not ask for them. */
export const namedOnlyEvents: readonly string[] = [
  receivedEvent,
  rejectionEndsEvent,
  heldEvent,
  sourceChangedEvent,
  cancelledEvent,
];
/** Of these, those that `invoice.*` does not name: the specification says which it stands for. */
export const exactlyNamedEvents: readonly string[] = [
  heldEvent,
  sourceChangedEvent,
  cancelledEvent,
];

/** Sent when a customer asks for it; reaches one endpoint, whatever its filter. */
export const testEvent = 'webhook.test';
/** Sent to the tenant's other endpoints when one is disabled. */
export const disabledEvent = 'endpoint.disabled';

/** Event names of the messaging service. */
const messagingEvents = namesOf({
  contact: ['created', 'updated', 'merged'],
  message: ['queued', 'sent', 'delivered', 'read', 'failed', 'skipped', 'received'],
  broadcast: ['queued', 'started', 'paused', 'completed', 'failed', 'click'],
  template: ['approved', 'rejected', 'paused', 'category_changed'],
  call: ['ringing', 'answered', 'dtmf', 'transferred', 'completed', 'failed', 'cost_changed'],
  recording: ['ready'],
  consent: ['granted', 'revoked'],
  conversation: ['opened', 'assigned', 'closed'],
  wallet: ['low'],
});

/** Which of the two services an event or an endpoint belongs to. */
export type Service = 'einvoice' | 'messaging';

/** What an endpoint's filter may name: an event, or all of a subject (`invoice.*`). */
export function filtersOf(service: Service): readonly string[] {
  const names: readonly string[] =
    service === 'einvoice'
      ? [...invoiceEvents, receivedEvent, rejectionEndsEvent]
      : messagingEvents;
  const subjects = new Set(names.map((name) => `${name.split('.')[0]}.*`));
  return [...names, disabledEvent, ...subjects, stalledWorkEvent];
}

function namesOf(subjects: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.entries(subjects).flatMap(([subject, what]) =>
    what.map((event) => `${subject}.${event}`),
  );
}
