/** What messages and calls do to conversations, inside the transactions that write them. */
import type { Tx } from '../../platform/db/tx.ts';
import { findHolder, type Place } from '../contacts/store.ts';
import type { MessageHooks, Move } from '../messages/hooks.ts';
import type { MessageRow } from '../messages/message-row.ts';
import { type CallRow, insertCalls } from './call-store.ts';
import { insertChanges, type NewChange } from './change-store.ts';
import {
  type ConversationRow,
  ensureConversations,
  lockConversations,
} from './conversation-store.ts';
import type { InboxEdge } from './edge.ts';
import { conversationIdOf, instantOf, stemOf } from './item-id.ts';
import { beginLedger, type Item } from './ledger.ts';
import { addVolume, type VolumeRow } from './volume-store.ts';

/** A call as the inbox sees it. Told once, when it is over: nobody reads a call that rings. */
export interface CallFact {
  readonly id: string;
  /** Of the person, E.164; a call with somebody who is no contact is not told. */
  readonly phone: string;
  readonly direction: 'in' | 'out';
  /** As the calls' API says it. */
  readonly status: string;
  /** Of talking; null: nobody answered. */
  readonly durationSeconds: number | null;
  /** The member or key that placed or took it; null: nobody of the team, a call flow. */
  readonly by: string | null;
  readonly at: Date;
}

export interface InboxHooks extends Required<MessageHooks> {
  /** Calls that are over, each once. */
  callHappened(tx: Tx, place: Place, calls: readonly CallFact[]): Promise<void>;
  /** A message that a program sent through the inbox answers the person all the same. */
  answered(tx: Tx, place: Place, message: Said): Promise<void>;
}

type Said = Pick<MessageRow, 'id' | 'channel' | 'author' | 'created_at'> & {
  readonly contact_id: string;
};

const quarterMs = 900_000;
const slots = 8;

export function inboxHooks(edge: InboxEdge): InboxHooks {
  return {
    received: async (tx, place, messages) => {
      const said = messages.filter(hasContact);
      await take(edge, tx, place, said.map(inbound), said.map(messageCount));
    },
    queued: async (tx, place, messages) => {
      const said = messages.filter(hasContact).filter((row) => row.broadcast_id === null);
      const events = said.map((row) => outbound(row, isPerson(row.author)));
      await take(edge, tx, place, events, said.map(messageCount));
    },
    moved: async (tx, place, moves) => {
      const changes = moves.filter(({ broadcastId }) => broadcastId === null).map(moveChange);
      if (changes.length === 0) return;
      await insertChanges(tx, place, changes);
      tx.afterCommit(() => edge.changed(place));
    },
    answered: (tx, place, message) => take(edge, tx, place, [outbound(message, true)], []),
    callHappened: async (tx, place, calls) => {
      const known = await ofContacts(tx, place, calls);
      await insertCalls(tx, place, known.map(callRow));
      await take(edge, tx, place, known.map(calling), known.map(callCount));
    },
  };
}

/** Something said, and what it is to the conversation. */
interface Happening {
  readonly contactId: string;
  readonly item: Item;
  readonly at: Date;
  readonly kind: 'inbound' | 'outbound';
  readonly by: string | null;
  readonly isAnswer: boolean;
  readonly change: string;
}

async function take(
  edge: InboxEdge,
  tx: Tx,
  place: Place,
  happenings: readonly Happening[],
  counts: readonly VolumeRow[],
): Promise<void> {
  if (happenings.length === 0) return;
  await openMissing(tx, place, happenings);
  const contacts = new Set(happenings.map(({ contactId }) => contactId));
  const rows = await lockConversations(tx, place, [...contacts]);
  const byContact = new Map(rows.map((row) => [row.contact_id, row]));
  const ledger = await beginLedger(tx, place, edge);
  const inOrder = happenings.toSorted((a, b) => (stemOf(a.item.id) < stemOf(b.item.id) ? -1 : 1));
  for (const { contactId, item, at, kind, by, isAnswer, change } of inOrder) {
    const row = byContact.get(contactId);
    if (row === undefined) continue; // nobody has talked with this contact: a program tells it something
    ledger.step(row, kind === 'inbound' ? { kind, at } : { kind, at, by, isAnswer }, item);
    const data = { conversation_id: row.id, contact_id: contactId, item_id: item.id };
    ledger.tell({ type: change, data: { ...data, channel: item.channel }, created_at: at });
  }
  await ledger.write();
  await addVolume(tx, place, edge.random(1)[0]! % slots, summed(counts));
}

/** A person on either side begins a conversation; a program does not. */
async function openMissing(tx: Tx, place: Place, happenings: readonly Happening[]): Promise<void> {
  const beginning = happenings.filter(({ kind, isAnswer }) => kind === 'inbound' || isAnswer);
  const firsts = new Map(beginning.map((each) => [each.contactId, each]));
  const rows = [...firsts.values()].map(blankRow);
  await ensureConversations(
    tx,
    place,
    rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
}

function blankRow({ contactId, item, at }: Happening): ConversationRow {
  return {
    ...{ id: conversationIdOf(contactId), contact_id: contactId, state: 'closed' },
    ...{ snoozed_until: null, assignee_id: null, opening: 0, opened_at: null },
    ...{ is_answered: false, waiting_since: null, due_at: null, unread: 0 },
    ...{ last_item_id: item.id, last_item: stemOf(item.id), last_channel: item.channel },
    ...{ created_at: at, updated_at: at },
  };
}

/** Sessions are of people, keys are of programs. */
export function isPerson(author: string | null): boolean {
  return author?.startsWith('usr_') ?? false;
}

function hasContact<Row extends MessageRow>(row: Row): row is Row & { contact_id: string } {
  return row.contact_id !== null;
}

function inbound({ id, channel, contact_id, created_at }: Said): Happening {
  return {
    ...{ contactId: contact_id, item: { id, channel }, at: created_at, kind: 'inbound' },
    ...{ by: null, isAnswer: false, change: 'message.received' },
  };
}

function outbound({ id, channel, contact_id, author, created_at }: Said, isAnswer: boolean) {
  return {
    ...{ contactId: contact_id, item: { id, channel }, at: created_at, kind: 'outbound' as const },
    ...{ by: author, isAnswer, change: 'message.queued' },
  };
}

type KnownCall = CallFact & { readonly contactId: string };

async function ofContacts(tx: Tx, place: Place, calls: readonly CallFact[]): Promise<KnownCall[]> {
  const known: KnownCall[] = [];
  for (const call of calls) {
    const contactId = await findHolder(tx, place, call.phone, []);
    if (contactId !== undefined) known.push({ ...call, contactId });
  }
  return known;
}

function callRow({
  id,
  contactId,
  direction,
  status,
  durationSeconds,
  by,
  at,
}: KnownCall): CallRow {
  return {
    ...{ id, contact_id: contactId, direction, status, duration_seconds: durationSeconds },
    ...{ author: by, item: stemOf(id), created_at: at },
  };
}

/** Who is spoken with has been answered; whom nobody took the call of still waits. */
function calling({ id, contactId, direction, durationSeconds, by, at }: KnownCall): Happening {
  const isAnswer = durationSeconds !== null && isPerson(by);
  const kind = direction === 'in' && !isAnswer ? 'inbound' : 'outbound';
  const item = { id, channel: 'voice' };
  return { contactId, item, at, kind, by, isAnswer, change: 'call.happened' };
}

function messageCount({ id, channel, direction, author }: MessageRow): VolumeRow {
  return countOf(instantOf(id), channel, direction, direction === 'in' ? '' : (author ?? ''));
}

function callCount({ id, direction, by }: CallFact): VolumeRow {
  return countOf(instantOf(id), 'voice', direction, by ?? '');
}

function countOf(at: Date, channel: string, direction: 'in' | 'out', author: string): VolumeRow {
  const quarter = new Date(Math.floor(at.getTime() / quarterMs) * quarterMs);
  return { quarter, channel, direction, author, count: 1 };
}

function summed(rows: readonly VolumeRow[]): VolumeRow[] {
  const sums = new Map<string, VolumeRow>();
  for (const row of rows) {
    const key = JSON.stringify([row.quarter, row.channel, row.direction, row.author]);
    sums.set(key, { ...row, count: row.count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()];
}

function moveChange({ id, channel, contactId, to, at }: Move): NewChange {
  const data = { item_id: id, contact_id: contactId, channel, status: to };
  return { type: 'message.moved', data, created_at: at };
}
