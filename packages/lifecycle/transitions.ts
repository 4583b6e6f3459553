/** The states an invoice may be in (specification, "States and transitions"). */
export const states = [
  'received',
  'validating',
  'validated',
  'submitted',
  'cleared',
  'delivered',
  'acknowledged',
  'rejected',
] as const;

/** One of the states. */
export type State = (typeof states)[number];

/** The events that change a state; each trigger has one row in the table below. */
export type Trigger =
  | 'accept'
  | 'start-validation'
  | 'pass'
  | 'fail'
  | 'submit'
  | 'clear'
  | 'deliver'
  | 'refuse'
  | 'withdraw'
  | 'acknowledge';

/** The name of a state's event, as in webhooks. */
export type EventName = `invoice.${State}`;

/** A row of the table of transitions. */
export interface Transition {
  readonly trigger: Trigger;
  readonly from: readonly (State | 'new')[];
  readonly to: State;
}

/** Every transition of an invoice. A transition without a row is a bug, and `next` refuses it. */
export const transitions: readonly Transition[] = [
  { trigger: 'accept', from: ['new'], to: 'received' },
  { trigger: 'start-validation', from: ['received'], to: 'validating' },
  { trigger: 'pass', from: ['validating'], to: 'validated' },
  { trigger: 'fail', from: ['validating'], to: 'rejected' },
  { trigger: 'submit', from: ['validated'], to: 'submitted' },
  { trigger: 'deliver', from: ['submitted'], to: 'delivered' },
  { trigger: 'clear', from: ['submitted'], to: 'cleared' },
  // An authority may refuse a valid document; the client sees the authority's own codes.
  { trigger: 'refuse', from: ['submitted'], to: 'rejected' },
  // A held document that nobody let go, or that changed in its source; it was never sent.
  { trigger: 'withdraw', from: ['validated'], to: 'rejected' },
  { trigger: 'acknowledge', from: ['delivered', 'cleared'], to: 'acknowledged' },
];

/** The state that `trigger` leads to, or undefined when it is not allowed from `from`. */
export function next(from: State | 'new', trigger: Trigger): State | undefined {
  return transitions.find((row) => row.trigger === trigger && row.from.includes(from))?.to;
}

/** Whether no pipeline step follows: the invoice waits for an acknowledgement or is final. */
export function isSettled(state: State): boolean {
  return (
    state === 'rejected' || state === 'acknowledged' || state === 'delivered' || state === 'cleared'
  );
}

/** The event that reports this state. */
export function eventOf(state: State): EventName {
  return `invoice.${state}`;
}

/** One check of a submission; `skipped` follows a failed stage. */
export type CheckValue = 'pending' | 'passed' | 'failed' | 'skipped';

/** The checks that a client sees on an invoice. */
export interface Checks {
  schema: CheckValue;
  business_rules: CheckValue;
  authority_clearance?: CheckValue;
}
