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

export type State = (typeof states)[number];

/** What happened; each trigger has one row in the table below. */
export type Trigger =
  | 'accept'
  | 'start-validation'
  | 'pass'
  | 'fail'
  | 'submit'
  | 'clear'
  | 'deliver'
  | 'refuse'
  | 'acknowledge';

export type EventName = `invoice.${State}`;

export interface Transition {
  readonly trigger: Trigger;
  readonly from: readonly (State | 'new')[];
  readonly to: State;
}

/** Every move an invoice can make. A move that is not a row is a bug, and `next` refuses it. */
export const transitions: readonly Transition[] = [
  { trigger: 'accept', from: ['new'], to: 'received' },
  { trigger: 'start-validation', from: ['received'], to: 'validating' },
  { trigger: 'pass', from: ['validating'], to: 'validated' },
  { trigger: 'fail', from: ['validating'], to: 'rejected' },
  { trigger: 'submit', from: ['validated'], to: 'submitted' },
  { trigger: 'deliver', from: ['submitted'], to: 'delivered' },
  { trigger: 'clear', from: ['submitted'], to: 'cleared' },
  // An authority may refuse what our checks let pass; the client sees the authority's own codes.
  { trigger: 'refuse', from: ['submitted'], to: 'rejected' },
  { trigger: 'acknowledge', from: ['delivered', 'cleared'], to: 'acknowledged' },
];

/** The state that `trigger` leads to, or undefined when it is not allowed from `from`. */
export function next(from: State | 'new', trigger: Trigger): State | undefined {
  return transitions.find((row) => row.trigger === trigger && row.from.includes(from))?.to;
}

/** No pipeline step follows: the invoice waits for an acknowledgement or is at its end. */
export function isSettled(state: State): boolean {
  return (
    state === 'rejected' || state === 'acknowledged' || state === 'delivered' || state === 'cleared'
  );
}

export function eventOf(state: State): EventName {
  return `invoice.${state}`;
}

/** One check of a submission; `skipped` follows a failed stage. */
export type CheckValue = 'pending' | 'passed' | 'failed' | 'skipped';

export interface Checks {
  schema: CheckValue;
  business_rules: CheckValue;
  authority_clearance?: CheckValue;
}
