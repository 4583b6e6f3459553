/**
 * How a conversation moves. There is one a contact, for good: it is opened, closed and opened again,
 * and each time somebody waits for an answer is an interval of its own, so that figures stay right
 * whatever happens later.
 */

export const conversationStates = ['open', 'snoozed', 'closed'] as const;
export type ConversationState = (typeof conversationStates)[number];

export interface Conversation {
  readonly state: ConversationState;
  readonly snoozedUntil: Date | null;
  readonly assigneeId: string | null;
  /** How often it was opened. */
  readonly opening: number;
  readonly openedAt: Date | null;
  /** Whether the team has written since it was opened. */
  readonly isAnswered: boolean;
  /** When the person first wrote, or called, without an answer so far. */
  readonly waitingSince: Date | null;
  /** What the person sent since anybody looked. */
  readonly unread: number;
}

/** A conversation in which nothing was said yet. */
export const blank: Conversation = {
  state: 'closed',
  snoozedUntil: null,
  assigneeId: null,
  opening: 0,
  openedAt: null,
  isAnswered: false,
  waitingSince: null,
  unread: 0,
};

/** `by` is a member or a key; null: the person, or nobody. */
export type Trigger = { readonly at: Date } & (
  | { readonly kind: 'inbound' }
  /** `isAnswer`: one of the team wrote it, not a program that tells of a parcel. */
  | { readonly kind: 'outbound'; readonly by: string | null; readonly isAnswer: boolean }
  | { readonly kind: 'assign'; readonly by: string; readonly to: string | null }
  | { readonly kind: 'snooze'; readonly by: string; readonly until: Date }
  | { readonly kind: 'wake' }
  | { readonly kind: 'close'; readonly by: string }
  | { readonly kind: 'open'; readonly by: string }
);

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
export type HistoryType = (typeof historyTypes)[number];

/** What else follows of a step, in order. */
export type Effect = { readonly at: Date } & (
  | {
      readonly kind: 'history';
      readonly type: HistoryType;
      readonly by: string | null;
      readonly data?: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'opening-began'; readonly opening: number; readonly by: string | null }
  | { readonly kind: 'opening-ended'; readonly opening: number; readonly by: string }
  /** `isFirst`: nobody of the team has written since the opening. */
  | { readonly kind: 'wait-began'; readonly opening: number; readonly isFirst: boolean }
  | { readonly kind: 'wait-answered'; readonly by: string | null }
  /** It was closed with the person still waiting. */
  | { readonly kind: 'wait-dropped' }
);

export type Step =
  | {
      readonly kind: 'stepped';
      readonly conversation: Conversation;
      readonly effects: readonly Effect[];
    }
  | { readonly kind: 'refused'; readonly reason: 'closed' | 'past' };

/** The conversation after a trigger. What changes nothing has no effects. */
export function step(before: Conversation, trigger: Trigger): Step {
  switch (trigger.kind) {
    case 'inbound':
      return inbound(before, trigger.at);
    case 'outbound':
      return trigger.isAnswer ? answered(before, trigger.at, trigger.by) : stepped(before);
    case 'assign':
      return assigned(before, trigger);
    case 'snooze':
      return snoozed(before, trigger);
    case 'wake':
      return before.state === 'snoozed' ? woken(before, trigger.at, null, 'time') : stepped(before);
    case 'close':
      return closed(before, trigger);
    case 'open':
      if (before.state === 'snoozed') return woken(before, trigger.at, trigger.by);
      return before.state === 'open' ? stepped(before) : opened(before, trigger.at, trigger.by);
  }
}

function inbound(before: Conversation, at: Date): Step {
  const roused =
    before.state === 'closed'
      ? opened(before, at, null)
      : before.state === 'snoozed'
        ? woken(before, at, null, 'message')
        : stepped(before);
  const { conversation, effects } = roused;
  const next = { ...conversation, unread: conversation.unread + 1 };
  if (next.waitingSince !== null) return stepped(next, effects);
  const { opening, isAnswered } = next;
  const began: Effect = { kind: 'wait-began', at, opening, isFirst: !isAnswered };
  return stepped({ ...next, waitingSince: at }, [...effects, began]);
}

function answered(before: Conversation, at: Date, by: string | null): Step {
  const { conversation, effects } =
    before.state === 'closed' ? opened(before, at, by) : stepped(before);
  const ended: Effect[] =
    conversation.waitingSince === null ? [] : [{ kind: 'wait-answered', at, by }];
  const next = { ...conversation, isAnswered: true, waitingSince: null, unread: 0 };
  return stepped(next, [...effects, ...ended]);
}

function assigned(before: Conversation, { at, by, to }: Extract<Trigger, { kind: 'assign' }>) {
  if (before.assigneeId === to) return stepped(before);
  const type = to === null ? 'unassigned' : 'assigned';
  const data = { from: before.assigneeId, to };
  const told: Effect = { kind: 'history', type, at, by, data };
  return stepped({ ...before, assigneeId: to }, [told]);
}

function snoozed(before: Conversation, trigger: Extract<Trigger, { kind: 'snooze' }>): Step {
  const { at, by, until } = trigger;
  if (before.state === 'closed') return { kind: 'refused', reason: 'closed' };
  if (until <= at) return { kind: 'refused', reason: 'past' };
  const data = { until: until.toISOString() };
  const told: Effect = { kind: 'history', type: 'snoozed', at, by, data };
  return stepped({ ...before, state: 'snoozed', snoozedUntil: until }, [told]);
}

function closed(before: Conversation, { at, by }: Extract<Trigger, { kind: 'close' }>): Step {
  if (before.state === 'closed') return stepped(before);
  const dropped: Effect[] = before.waitingSince === null ? [] : [{ kind: 'wait-dropped', at }];
  return stepped(
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
  return stepped(
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
  return stepped({ ...before, state: 'open', snoozedUntil: null }, [told]);
}

function stepped(conversation: Conversation, effects: readonly Effect[] = []) {
  return { kind: 'stepped', conversation, effects } as const;
}
