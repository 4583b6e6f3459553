/** Updates conversations inside the transactions that write messages and calls. */

import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { holdContactByAddress, holdContacts } from '../../contacts/store.ts';
import type { MessageHooks, StatusChange } from '../../messages/hooks.ts';
import type { MessageRow } from '../../messages/message-row.ts';
import { keywordIn } from '../../messages/receiving/content-keyword.ts';
import type { InboxContext } from '../context.ts';
import { type Item, startRecording } from '../conversations/change-recorder.ts';
import {
  type ConversationRow,
  ensureConversations,
  lockConversations,
} from '../conversations/store.ts';
import { conversationIdOf, idSuffixOf, instantOfId } from '../item-id.ts';
import { insertChanges, type NewChange } from '../live-events/change-store.ts';
import { addVolume, type VolumeRow } from '../statistics/volume-store.ts';
import { type CallRow, insertCalls } from './call-store.ts';

/** An ended call; each is reported once. */
interface EndedCall {
  readonly id: string;
  /** The person's number, E.164; calls with numbers of no contact are skipped. */
  readonly phone: string;
  readonly direction: 'in' | 'out';
  /** A status of the calls API. */
  readonly status: string;
  /** Length of the conversation; null: nobody answered. */
  readonly durationSeconds: number | null;
  /** The member or key that placed or answered the call; null: a call flow. */
  readonly by: string | null;
  readonly at: Date;
}

export interface InboxHooks extends Required<MessageHooks> {
  /** Calls that have ended, each once. */
  callsEnded(tx: Tx, scope: TenantScope, calls: readonly EndedCall[]): Promise<void>;
  /** An API key sent a message through the inbox, which also answers the person. */
  answered(tx: Tx, scope: TenantScope, message: MessageFacts): Promise<void>;
}

type MessageFacts = Pick<MessageRow, 'id' | 'channel' | 'content' | 'author' | 'created_at'> & {
  readonly contact_id: string;
};

const quarterMs = 900_000;
const slots = 8;

export function inboxHooks(context: InboxContext): InboxHooks {
  return {
    received: async (tx, scope, messages) => {
      const said = messages.filter(hasContact);
      await recordItems(context, tx, scope, said.map(inbound), said.map(messageCount));
    },
    queued: async (tx, scope, messages) => {
      const said = messages.filter(hasContact).filter((row) => row.broadcast_id === null);
      const events = said.map((row) => outbound(row, isPerson(row.author)));
      await recordItems(context, tx, scope, events, said.map(messageCount));
    },
    statusChanged: async (tx, scope, moves) => {
      const changes = moves.filter(({ broadcastId }) => broadcastId === null).map(statusChange);
      if (changes.length === 0) return;
      await insertChanges(tx, scope, changes);
      tx.afterCommit(() => context.changed(scope));
    },
    answered: (tx, scope, message) =>
      recordItems(context, tx, scope, [outbound(message, true)], []),
    callsEnded: async (tx, scope, calls) => {
      const known = await withContacts(tx, scope, calls);
      await insertCalls(tx, scope, known.map(callRow));
      await recordItems(context, tx, scope, known.map(callItem), known.map(callCount));
    },
  };
}

/** A new message or call, with its effect on the conversation. */
interface NewItem {
  readonly contactId: string;
  readonly item: Item;
  readonly at: Date;
  readonly kind: 'inbound' | 'outbound';
  readonly by: string | null;
  readonly isAnswer: boolean;
  /** Of what a person wrote: STOP and nothing else. */
  readonly isOptOut?: boolean;
  readonly change: string;
}

async function recordItems(
  context: InboxContext,
  tx: Tx,
  scope: TenantScope,
  happenings: readonly NewItem[],
  counts: readonly VolumeRow[],
): Promise<void> {
  if (happenings.length === 0) return;
  await openConversations(tx, scope, happenings);
  const contacts = new Set(happenings.map(({ contactId }) => contactId));
  const rows = await lockConversations(tx, scope, [...contacts]);
  const byContact = new Map(rows.map((row) => [row.contact_id, row]));
  const recorder = await startRecording(tx, scope, context);
  const inOrder = happenings.toSorted((a, b) =>
    idSuffixOf(a.item.id) < idSuffixOf(b.item.id) ? -1 : 1,
  );
  for (const { contactId, item, at, kind, by, isAnswer, isOptOut = false, change } of inOrder) {
    const row = byContact.get(contactId);
    if (row === undefined) continue; // a program wrote to a contact who never wrote
    const trigger = kind === 'inbound' ? { kind, at, isOptOut } : { kind, at, by, isAnswer };
    recorder.apply(row, trigger, item);
    const data = { conversation_id: row.id, contact_id: contactId, item_id: item.id };
    recorder.addChange({ type: change, data: { ...data, channel: item.channel }, created_at: at });
  }
  await recorder.write();
  await addVolume(tx, scope, context.random(1)[0]! % slots, sumVolume(counts));
}

/** A message of a person on either side opens a conversation; a message of a program does not. */
async function openConversations(
  tx: Tx,
  scope: TenantScope,
  happenings: readonly NewItem[],
): Promise<void> {
  const beginning = happenings.filter(({ kind, isAnswer }) => kind === 'inbound' || isAnswer);
  const firsts = new Map(beginning.map((each) => [each.contactId, each]));
  // What was written for a contact may be recorded after that was deleted.
  const held = await holdContacts(tx, scope, [...firsts.keys()]);
  const rows = [...firsts.values()]
    .filter(({ contactId }) => held.has(contactId))
    .map(newConversation);
  await ensureConversations(
    tx,
    scope,
    rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
}

function newConversation({ contactId, item, at }: NewItem): ConversationRow {
  return {
    id: conversationIdOf(contactId),
    contact_id: contactId,
    state: 'closed',
    snoozed_until: null,
    assignee_id: null,
    opening: 0,
    opened_at: null,
    is_answered: false,
    waiting_since: null,
    due_at: null,
    unread: 0,
    last_item_id: item.id,
    last_item: idSuffixOf(item.id),
    last_channel: item.channel,
    created_at: at,
    updated_at: at,
  };
}

/** Whether the author is a member; API keys are programs. */
export function isPerson(author: string | null): boolean {
  return author?.startsWith('usr_') ?? false;
}

function hasContact<Row extends MessageRow>(row: Row): row is Row & { contact_id: string } {
  return row.contact_id !== null;
}

function inbound({ id, channel, contact_id, content, created_at }: MessageFacts): NewItem {
  return {
    contactId: contact_id,
    item: { id, channel },
    at: created_at,
    kind: 'inbound',
    by: null,
    isAnswer: false,
    isOptOut: keywordIn(content) === 'stop',
    change: 'message.received',
  };
}

function outbound(
  { id, channel, contact_id, author, created_at }: MessageFacts,
  isAnswer: boolean,
) {
  return {
    contactId: contact_id,
    item: { id, channel },
    at: created_at,
    kind: 'outbound' as const,
    by: author,
    isAnswer,
    change: 'message.queued',
  };
}

type ContactCall = EndedCall & { readonly contactId: string };

async function withContacts(
  tx: Tx,
  scope: TenantScope,
  calls: readonly EndedCall[],
): Promise<ContactCall[]> {
  const known: ContactCall[] = [];
  for (const call of calls) {
    const contactId = await holdContactByAddress(tx, scope, call.phone, []);
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
}: ContactCall): CallRow {
  return {
    id,
    contact_id: contactId,
    direction,
    status,
    duration_seconds: durationSeconds,
    author: by,
    item: idSuffixOf(id),
    created_at: at,
  };
}

/** A call with a conversation answers the person; a missed call begins a wait. */
function callItem({ id, contactId, direction, durationSeconds, by, at }: ContactCall): NewItem {
  const isAnswer = durationSeconds !== null && isPerson(by);
  const kind = direction === 'in' && !isAnswer ? 'inbound' : 'outbound';
  const item = { id, channel: 'voice' };
  return { contactId, item, at, kind, by, isAnswer, change: 'call.happened' };
}

function messageCount({ id, channel, direction, author }: MessageRow): VolumeRow {
  return volumeOf(instantOfId(id), channel, direction, direction === 'in' ? '' : (author ?? ''));
}

function callCount({ id, direction, by }: EndedCall): VolumeRow {
  return volumeOf(instantOfId(id), 'voice', direction, by ?? '');
}

function volumeOf(at: Date, channel: string, direction: 'in' | 'out', author: string): VolumeRow {
  const quarter = new Date(Math.floor(at.getTime() / quarterMs) * quarterMs);
  return { quarter, channel, direction, author, count: 1 };
}

function sumVolume(rows: readonly VolumeRow[]): VolumeRow[] {
  const sums = new Map<string, VolumeRow>();
  for (const row of rows) {
    const key = JSON.stringify([row.quarter, row.channel, row.direction, row.author]);
    sums.set(key, { ...row, count: row.count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()];
}

function statusChange({ id, channel, contactId, to, at }: StatusChange): NewChange {
  const data = { item_id: id, contact_id: contactId, channel, status: to };
  return { type: 'message.moved', data, created_at: at };
}
