/**
 * The state machine of a conversation. Each contact has one, which is opened, closed and opened
 * again. Each wait for an answer is a separate interval, so that later events do not change past
 * figures.
 *
 *     const outcome = applyTrigger(conversation, { kind: 'close', at, by: 'usr_1' });
 *     if (outcome.kind === 'refused') return outcome.reason;
 */

export const conversationStates = ['open', 'snoozed', 'closed'] as const;
/** One of `conversationStates`. */
export type ConversationState = (typeof conversationStates)[number];

/** What is stored of a conversation between two triggers. */
export interface Conversation {
  readonly state: ConversationState;
  readonly snoozedUntil: Date | null;
  readonly assigneeId: string | null;
  /** How often it was opened. */
  readonly opening: number;
  readonly openedAt: Date | null;
  /** Whether the team has written since it was opened. */
  readonly isAnswered: boolean;
  /** When the person first wrote or called without getting an answer. */
  readonly waitingSince: Date | null;
  /** How many messages the person sent since a member last read. */
  readonly unread: number;
}

/** A conversation without messages. */
export const emptyConversation: Conversation = {
  state: 'closed',
  snoozedUntil: null,
  assigneeId: null,
  opening: 0,
  openedAt: null,
  isAnswered: false,
  waitingSince: null,
  unread: 0,
};

/**
 * What happens to a conversation. `by` is a member or an API key; null: the person, or a program.
 */
export type Trigger = {
  readonly at: Date;
} /** `isOptOut`: it says STOP and nothing else, which asks for no answer. */ & (
  | { readonly kind: 'inbound'; readonly isOptOut?: boolean }
  /** `isAnswer`: a member of the team wrote it, not a program (an order notice, for example). */
  | { readonly kind: 'outbound'; readonly by: string | null; readonly isAnswer: boolean }
  | { readonly kind: 'assign'; readonly by: string; readonly to: string | null }
  | { readonly kind: 'snooze'; readonly by: string; readonly until: Date }
  | { readonly kind: 'wake' }
  | { readonly kind: 'close'; readonly by: string }
  | { readonly kind: 'open'; readonly by: string }
);

/** The kinds of entries in a conversation's history. */
export const historyTypes = [
  'opened',
  'closed',
  'snoozed',
  'woken',
  'assigned',
  'unassigned',
  'tagged',
  'noted',
] as const;
/** One of `historyTypes`. */
type HistoryType = (typeof historyTypes)[number];

/** What else to record after a trigger, in order. */
export type Effect = { readonly at: Date } & (
  | {
      readonly kind: 'history';
      readonly type: HistoryType;
      readonly by: string | null;
      readonly data?: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'opening-began'; readonly opening: number; readonly by: string | null }
  | { readonly kind: 'opening-ended'; readonly opening: number; readonly by: string }
  /** `isFirst`: the team has not written since the opening. */
  | { readonly kind: 'wait-began'; readonly opening: number; readonly isFirst: boolean }
  | { readonly kind: 'wait-answered'; readonly by: string | null }
  /** The conversation was closed while the person waited. */
  | { readonly kind: 'wait-dropped' }
);

/** The conversation after a trigger with its effects, or why the trigger is refused. */
export type TriggerOutcome =
  | {
      readonly kind: 'stepped';
      readonly conversation: Conversation;
      readonly effects: readonly Effect[];
    }
  | { readonly kind: 'refused'; readonly reason: 'closed' | 'past' };

/** Applies a trigger, or says why it is refused. A trigger that changes nothing has no effects. */
export function applyTrigger(before: Conversation, trigger: Trigger): TriggerOutcome {
  switch (trigger.kind) {
    case 'inbound':
      // A conversation that would only be STOP stays closed.
      if (trigger.isOptOut === true && before.state === 'closed') return applied(before);
      return inbound(before, trigger.at);
    case 'outbound':
      return trigger.isAnswer ? answered(before, trigger.at, trigger.by) : applied(before);
    case 'assign':
      return assigned(before, trigger);
    case 'snooze':
      return snoozed(before, trigger);
    case 'wake':
      return before.state === 'snoozed' ? woken(before, trigger.at, null, 'time') : applied(before);
    case 'close':
      return closed(before, trigger);
    case 'open':
      if (before.state === 'snoozed') return woken(before, trigger.at, trigger.by);
      return before.state === 'open' ? applied(before) : opened(before, trigger.at, trigger.by);
  }
}

function inbound(before: Conversation, at: Date): TriggerOutcome {
  const awake =
    before.state === 'closed'
      ? opened(before, at, null)
      : before.state === 'snoozed'
        ? woken(before, at, null, 'message')
        : applied(before);
  const { conversation, effects } = awake;
  const next = { ...conversation, unread: conversation.unread + 1 };
  if (next.waitingSince !== null) return applied(next, effects);
  const { opening, isAnswered } = next;
  const began: Effect = { kind: 'wait-began', at, opening, isFirst: !isAnswered };
  return applied({ ...next, waitingSince: at }, [...effects, began]);
}

function answered(before: Conversation, at: Date, by: string | null): TriggerOutcome {
  const { conversation, effects } =
    before.state === 'closed' ? opened(before, at, by) : applied(before);
  const ended: Effect[] =
    conversation.waitingSince === null ? [] : [{ kind: 'wait-answered', at, by }];
  const next = { ...conversation, isAnswered: true, waitingSince: null, unread: 0 };
  return applied(next, [...effects, ...ended]);
}

function assigned(before: Conversation, { at, by, to }: Extract<Trigger, { kind: 'assign' }>) {
  if (before.assigneeId === to) return applied(before);
  const type = to === null ? 'unassigned' : 'assigned';
  const data = { from: before.assigneeId, to };
  const told: Effect = { kind: 'history', type, at, by, data };
  return applied({ ...before, assigneeId: to }, [told]);
}

function snoozed(
  before: Conversation,
  trigger: Extract<Trigger, { kind: 'snooze' }>,
): TriggerOutcome {
  const { at, by, until } = trigger;
  if (before.state === 'closed') return { kind: 'refused', reason: 'closed' };
  if (until <= at) return { kind: 'refused', reason: 'past' };
  const data = { until: until.toISOString() };
  const told: Effect = { kind: 'history', type: 'snoozed', at, by, data };
  return applied({ ...before, state: 'snoozed', snoozedUntil: until }, [told]);
}

function closed(
  before: Conversation,
  { at, by }: Extract<Trigger, { kind: 'close' }>,
): TriggerOutcome {
  if (before.state === 'closed') return applied(before);
  const dropped: Effect[] = before.waitingSince === null ? [] : [{ kind: 'wait-dropped', at }];
  return applied(
    { ...before, state: 'closed', snoozedUntil: null, waitingSince: null, unread: 0 },
    [
      ...dropped,
      { kind: 'opening-ended', at, by, opening: before.opening },
      { kind: 'history', type: 'closed', at, by },
    ],
  );
}

function opened(before: Conversation, at: Date, by: string | null) {
  const opening = before.opening + 1;
  return applied(
    { ...before, state: 'open', opening, openedAt: at, isAnswered: false, waitingSince: null },
    [
      { kind: 'opening-began', at, by, opening },
      { kind: 'history', type: 'opened', at, by, data: { opening } },
    ],
  );
}

function woken(before: Conversation, at: Date, by: string | null, because?: 'time' | 'message') {
  const data = because === undefined ? {} : { because };
  const told: Effect = { kind: 'history', type: 'woken', at, by, data };
  return applied({ ...before, state: 'open', snoozedUntil: null }, [told]);
}

function applied(conversation: Conversation, effects: readonly Effect[] = []) {
  return { kind: 'stepped', conversation, effects } as const;
}
