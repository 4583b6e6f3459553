/**
 * Collects what happens to conversations in one transaction, and writes it with one statement per
 * table:
 *
 *     const recorder = await startRecording(tx, scope, context);
 *     recorder.apply(row, { kind: 'close', at, by });
 *     await recorder.write();
 */
import {
  alwaysOpen,
  type BusinessCalendar,
  businessCalendar,
} from '@drawbridge/messaging/inbox/business-hours.ts';
import {
  applyTrigger,
  type Effect,
  type Trigger,
  type TriggerOutcome,
} from '@drawbridge/messaging/inbox/conversation.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { newId } from '../../../platform/ids.ts';
import type { InboxContext } from '../context.ts';
import { idSuffixOf } from '../item-id.ts';
import { insertChanges, type NewChange } from '../live-events/change-store.ts';
import { findSettings, type InboxSettings } from '../settings/store.ts';
import {
  endOpenings,
  endWaits,
  type HistoryRow,
  insertHistory,
  insertOpenings,
  insertWaits,
  type OpeningEnd,
  type OpeningRow,
  type WaitEnd,
  type WaitRow,
} from './history-store.ts';
import { type ConversationRow, conversationOf, rowWith, saveConversations } from './store.ts';
import { addConversationEvents } from './webhook-events.ts';

/** The newest message or call of a conversation. */
export interface Item {
  readonly id: string;
  readonly channel: string;
}

export interface ChangeRecorder {
  /** Applies a trigger to a locked row; `item` is the message or call that caused it. */
  apply(row: ConversationRow, trigger: Trigger, item?: Item): TriggerOutcome;
  /** The row after all triggers so far. */
  current(row: ConversationRow): ConversationRow;
  /** Adds a history entry that no trigger causes, such as a note. */
  addHistory(row: ConversationRow, entry: Omit<HistoryRow, 'id' | 'conversation_id'>): void;
  /** Sets how many messages are unread. */
  setUnread(row: ConversationRow, unread: number, at: Date): void;
  /** Adds a change for the subscribers of live events. */
  addChange(change: NewChange): void;
  /** Writes everything that was collected. */
  write(): Promise<void>;
}

export async function startRecording(
  tx: Tx,
  scope: TenantScope,
  context: InboxContext,
): Promise<ChangeRecorder> {
  const promise = await readResponseTarget(tx, scope);
  const rows = new Map<string, ConversationRow>();
  const pending = noRows();
  const changes: NewChange[] = [];
  const current = (row: ConversationRow) => rows.get(row.id) ?? row;
  const keep = (row: ConversationRow) => void rows.set(row.id, row);

  return {
    current,
    apply: (given, asked, item) => {
      const before = withItem(current(given), item);
      const trigger = withLaterInstant(before, asked);
      const outcome = applyTrigger(conversationOf(before), trigger);
      if (outcome.kind === 'refused') return outcome;
      const after = rowWith(before, outcome.conversation);
      const channel = item?.channel ?? before.last_channel;
      const due = addEffects(pending, { before, channel }, outcome.effects, promise, context);
      const updated_at = latest(trigger.at, before.updated_at);
      keep({ ...after, due_at: due ?? after.due_at, updated_at });
      return outcome;
    },
    addHistory: (row, entry) => {
      const id = newId('cev', () => entry.created_at, context.random);
      pending.history.push({ ...entry, id, conversation_id: row.id });
      keep(current(row));
    },
    setUnread: (row, unread, at) => keep({ ...current(row), unread, updated_at: at }),
    addChange: (change) => void changes.push(change),
    write: async () => {
      const changed = [...rows.values()];
      pending.history.splice(0, pending.history.length, ...inOrder(pending.history));
      if (changed.length > 0) await saveConversations(tx, scope, changed);
      await writeRows(tx, scope, pending);
      await addConversationEvents(tx, scope, rows, pending.history, context.random);
      await insertChanges(tx, scope, [...changes, ...changed.map(conversationChange)]);
      if (changes.length + changed.length > 0) tx.afterCommit(() => context.changed(scope));
    },
  };
}

/**
 * Opening and closing must lie after the previous change. A transaction may have waited for the row's
 * lock, and its earlier instant would put history in the wrong order and make openings overlap.
 */
function withLaterInstant(
  { state, opening, updated_at }: ConversationRow,
  trigger: Trigger,
): Trigger {
  const isTurn = opening > 0 && (state === 'closed' || trigger.kind === 'close');
  if (!isTurn || trigger.at > updated_at) return trigger;
  return { ...trigger, at: new Date(updated_at.getTime() + 1) };
}

function latest(a: Date, b: Date): Date {
  return a > b ? a : b;
}

/** Lists are sorted by id, whose order within one millisecond is random: sort the ids by entry order. */
function inOrder(history: readonly HistoryRow[]): HistoryRow[] {
  const instants = Map.groupBy(history, ({ created_at }) => created_at.getTime());
  return [...instants.values()].flatMap((rows) => {
    const ids = rows.map(({ id }) => id).sort();
    return rows.map((row, place) => ({ ...row, id: ids[place]! }));
  });
}

function withItem(row: ConversationRow, item: Item | undefined): ConversationRow {
  if (item === undefined) return row;
  const suffix = idSuffixOf(item.id);
  if (suffix < row.last_item) return row;
  return { ...row, last_item_id: item.id, last_item: suffix, last_channel: item.channel };
}

/** The live event of a conversation that changed. */
export function conversationChange(row: ConversationRow): NewChange {
  return {
    type: 'conversation.changed',
    data: {
      conversation_id: row.id,
      contact_id: row.contact_id,
      state: row.state,
      assignee_id: row.assignee_id,
      unread: row.unread,
    },
    created_at: row.updated_at,
  };
}

/** The response times that the tenant promises, and its business hours. */
interface ResponseTarget {
  readonly calendar: BusinessCalendar;
  readonly settings: Pick<InboxSettings, 'first_response_minutes' | 'next_response_minutes'>;
}

const noTarget = { first_response_minutes: null, next_response_minutes: null };

async function readResponseTarget(tx: Tx, scope: TenantScope): Promise<ResponseTarget> {
  const settings = await findSettings(tx, scope);
  if (settings === undefined) {
    return { calendar: businessCalendar(alwaysOpen), settings: noTarget };
  }
  const { time_zone: timeZone, weekly_hours: weekly, holidays } = settings;
  return { calendar: businessCalendar({ timeZone, weekly, holidays }), settings };
}

interface PendingRows {
  readonly openings: OpeningRow[];
  readonly openingEnds: OpeningEnd[];
  readonly waits: WaitRow[];
  readonly waitEnds: WaitEnd[];
  readonly history: HistoryRow[];
}

const noRows = (): PendingRows => {
  return { openings: [], openingEnds: [], waits: [], waitEnds: [], history: [] };
};

/** Turns effects into rows; returns when the response is due, if a wait began. */
function addEffects(
  pending: PendingRows,
  { before, channel }: { readonly before: ConversationRow; readonly channel: string },
  effects: readonly Effect[],
  { calendar, settings }: ResponseTarget,
  { random }: InboxContext,
): Date | null {
  const { id: conversation_id } = before;
  const end = (at: Date, by: string | null, is_answered: boolean) => {
    const business_seconds = calendar.secondsBetween(before.waiting_since ?? at, at);
    const closing = { answered_by: by, is_answered, business_seconds };
    pending.waitEnds.push({ conversation_id, ended_at: at, ...closing });
  };
  let due: Date | null = null;
  for (const effect of effects) {
    const { kind, at } = effect;
    if (kind === 'opening-began') {
      const { opening, by: opened_by } = effect;
      pending.openings.push({ conversation_id, opening, opened_at: at, opened_by });
    } else if (kind === 'opening-ended') {
      const { opening, by: closed_by } = effect;
      pending.openingEnds.push({ conversation_id, opening, closed_at: at, closed_by });
    } else if (kind === 'wait-began') {
      const { opening, isFirst: is_first } = effect;
      const minutes = is_first ? settings.first_response_minutes : settings.next_response_minutes;
      due = minutes === null ? null : (calendar.after(at, minutes * 60) ?? null);
      const id = newId('wai', () => at, random);
      const wait = { id, conversation_id, opening, is_first, channel, asked_at: at, due_at: due };
      pending.waits.push(wait);
    } else if (kind === 'wait-answered') end(at, effect.by, true);
    else if (kind === 'wait-dropped') end(at, null, false);
    else {
      const { type, by: actor, data = {} } = effect;
      const id = newId('cev', () => at, random);
      pending.history.push({ id, conversation_id, type, actor, data, created_at: at });
    }
  }
  return due;
}

// One transaction may end a wait and begin the next, never the reverse, so ends are written first.
async function writeRows(tx: Tx, scope: TenantScope, pending: PendingRows): Promise<void> {
  await endWaits(tx, scope, pending.waitEnds);
  await insertWaits(tx, scope, pending.waits);
  await insertOpenings(tx, scope, pending.openings);
  await endOpenings(tx, scope, pending.openingEnds);
  await insertHistory(tx, scope, pending.history);
}
