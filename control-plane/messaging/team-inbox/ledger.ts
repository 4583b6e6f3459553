/**
 * The steps of conversations in one transaction, and all that follows of them, written with a
 * statement a table:
 *   const ledger = await beginLedger(tx, place, edge);
 *   ledger.step(row, { kind: 'close', at, by });
 *   await ledger.write();
 */
import {
  alwaysOpen,
  type BusinessCalendar,
  businessCalendar,
} from '@drawbridge/messaging/inbox/business-hours.ts';
import {
  type Effect,
  type Step,
  step,
  type Trigger,
} from '@drawbridge/messaging/inbox/conversation.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { newId } from '../../platform/ids.ts';
import type { Place } from '../contacts/store.ts';
import { insertChanges, type NewChange } from './change-store.ts';
import {
  type ConversationRow,
  conversationOf,
  rowWith,
  saveConversations,
} from './conversation-store.ts';
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
} from './course-store.ts';
import { addConversationEvents } from './customer-event.ts';
import type { InboxEdge } from './edge.ts';
import { stemOf } from './item-id.ts';
import { findSettings, type InboxSettings } from './settings-store.ts';

/** A message or call that a conversation has as its newest. */
export interface Item {
  readonly id: string;
  readonly channel: string;
}

export interface Ledger {
  /** Steps a locked row; `item` is what it steps for. Later steps go on from there. */
  step(row: ConversationRow, trigger: Trigger, item?: Item): Step;
  /** The row as it stands now. */
  current(row: ConversationRow): ConversationRow;
  /** Adds to the history what is no step. */
  note(row: ConversationRow, entry: Omit<HistoryRow, 'id' | 'conversation_id'>): void;
  /** Leaves that many unread. */
  read(row: ConversationRow, unread: number, at: Date): void;
  /** Tells watchers something. */
  tell(change: NewChange): void;
  /** Writes everything down. */
  write(): Promise<void>;
}

export async function beginLedger(tx: Tx, place: Place, edge: InboxEdge): Promise<Ledger> {
  const promise = await readPromise(tx, place);
  const rows = new Map<string, ConversationRow>();
  const written = emptyBook();
  const changes: NewChange[] = [];
  const current = (row: ConversationRow) => rows.get(row.id) ?? row;
  const keep = (row: ConversationRow) => void rows.set(row.id, row);

  return {
    current,
    step: (given, asked, item) => {
      const before = withItem(current(given), item);
      const trigger = afterBefore(before, asked);
      const outcome = step(conversationOf(before), trigger);
      if (outcome.kind === 'refused') return outcome;
      const after = rowWith(before, outcome.conversation);
      const channel = item?.channel ?? before.last_channel;
      const due = enter(written, before, channel, outcome.effects, promise, edge);
      const updated_at = latest(trigger.at, before.updated_at);
      keep({ ...after, due_at: due ?? after.due_at, updated_at });
      return outcome;
    },
    note: (row, entry) => {
      const id = newId('cev', () => entry.created_at, edge.random);
      written.history.push({ ...entry, id, conversation_id: row.id });
      keep(current(row));
    },
    read: (row, unread, at) => keep({ ...current(row), unread, updated_at: at }),
    tell: (change) => void changes.push(change),
    write: async () => {
      const changed = [...rows.values()];
      written.history.splice(0, written.history.length, ...inOrder(written.history));
      if (changed.length > 0) await saveConversations(tx, place, changed);
      await writeBook(tx, place, written);
      await addConversationEvents(tx, place, rows, written.history, edge.random);
      await insertChanges(tx, place, [...changes, ...changed.map(changeOf)]);
      if (changes.length + changed.length > 0) tx.afterCommit(() => edge.changed(place));
    },
  };
}

/**
 * What opens or closes comes after what stood before, also when it was written earlier and had to wait
 * for that: else the history would tell it the wrong way round, and one opening reach into the next.
 */
function afterBefore({ state, opening, updated_at }: ConversationRow, trigger: Trigger): Trigger {
  const isTurn = opening > 0 && (state === 'closed' || trigger.kind === 'close');
  if (!isTurn || trigger.at > updated_at) return trigger;
  return { ...trigger, at: new Date(updated_at.getTime() + 1) };
}

function latest(a: Date, b: Date): Date {
  return a > b ? a : b;
}

/** Lists go by ids, which chance orders within a millisecond: what came first gets the lowest. */
function inOrder(history: readonly HistoryRow[]): HistoryRow[] {
  const instants = Map.groupBy(history, ({ created_at }) => created_at.getTime());
  return [...instants.values()].flatMap((rows) => {
    const ids = rows.map(({ id }) => id).sort();
    return rows.map((row, place) => ({ ...row, id: ids[place]! }));
  });
}

function withItem(row: ConversationRow, item: Item | undefined): ConversationRow {
  if (item === undefined) return row;
  const stem = stemOf(item.id);
  if (stem < row.last_item) return row;
  return { ...row, last_item_id: item.id, last_item: stem, last_channel: item.channel };
}

/** What watchers are told of a conversation that changed. */
export function changeOf(row: ConversationRow): NewChange {
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

/** What the tenant has promised, and by which hours. */
interface AnswerPromise {
  readonly calendar: BusinessCalendar;
  readonly settings: Pick<InboxSettings, 'first_response_minutes' | 'next_response_minutes'>;
}

const nothingPromised = { first_response_minutes: null, next_response_minutes: null };

async function readPromise(tx: Tx, place: Place): Promise<AnswerPromise> {
  const settings = await findSettings(tx, place);
  if (settings === undefined) {
    return { calendar: businessCalendar(alwaysOpen), settings: nothingPromised };
  }
  const { time_zone: timeZone, weekly_hours: weekly, holidays } = settings;
  return { calendar: businessCalendar({ timeZone, weekly, holidays }), settings };
}

interface Book {
  readonly openings: OpeningRow[];
  readonly openingEnds: OpeningEnd[];
  readonly waits: WaitRow[];
  readonly waitEnds: WaitEnd[];
  readonly history: HistoryRow[];
}

const emptyBook = (): Book => {
  return { openings: [], openingEnds: [], waits: [], waitEnds: [], history: [] };
};

/** Puts effects down as rows; answers when an answer is due, when a wait began. */
function enter(
  book: Book,
  before: ConversationRow,
  channel: string,
  effects: readonly Effect[],
  { calendar, settings }: AnswerPromise,
  { random }: InboxEdge,
): Date | null {
  const { id: conversation_id } = before;
  const end = (at: Date, by: string | null, is_answered: boolean) => {
    const business_seconds = calendar.secondsBetween(before.waiting_since ?? at, at);
    const closing = { answered_by: by, is_answered, business_seconds };
    book.waitEnds.push({ conversation_id, ended_at: at, ...closing });
  };
  let due: Date | null = null;
  for (const effect of effects) {
    const { kind, at } = effect;
    if (kind === 'opening-began') {
      const { opening, by: opened_by } = effect;
      book.openings.push({ conversation_id, opening, opened_at: at, opened_by });
    } else if (kind === 'opening-ended') {
      const { opening, by: closed_by } = effect;
      book.openingEnds.push({ conversation_id, opening, closed_at: at, closed_by });
    } else if (kind === 'wait-began') {
      const { opening, isFirst: is_first } = effect;
      const minutes = is_first ? settings.first_response_minutes : settings.next_response_minutes;
      due = minutes === null ? null : (calendar.after(at, minutes * 60) ?? null);
      const id = newId('wai', () => at, random);
      const wait = { id, conversation_id, opening, is_first, channel, asked_at: at, due_at: due };
      book.waits.push(wait);
    } else if (kind === 'wait-answered') end(at, effect.by, true);
    else if (kind === 'wait-dropped') end(at, null, false);
    else {
      const { type, by: actor, data = {} } = effect;
      const id = newId('cev', () => at, random);
      book.history.push({ id, conversation_id, type, actor, data, created_at: at });
    }
  }
  return due;
}

// A conversation may end one wait and begin another in one transaction, never the other way round;
// so what ends is written before what begins.
async function writeBook(tx: Tx, place: Place, book: Book): Promise<void> {
  await endWaits(tx, place, book.waitEnds);
  await insertWaits(tx, place, book.waits);
  await insertOpenings(tx, place, book.openings);
  await endOpenings(tx, place, book.openingEnds);
  await insertHistory(tx, place, book.history);
}
