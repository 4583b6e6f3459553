/** What the team does with conversations: each is one transaction. */
import type { Trigger } from '@drawbridge/messaging/inbox/conversation.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { type Made, makeOnce, type Once } from '../../platform/idempotency/once.ts';
import { newId } from '../../platform/ids.ts';
import type { NewJob } from '../../platform/jobs/job.ts';
import type { Place } from '../contacts/store.ts';
import { fail, invalid } from '../errors.ts';
import { mayAnswer } from '../rbac.ts';
import { findMember } from '../tenants/people-store.ts';
import {
  type ConversationRow,
  findConversations,
  type ListedRow,
  lockById,
} from './conversation-store.ts';
import {
  countUnread,
  findNote,
  findTags,
  insertNote,
  type NoteRow,
  saveReader,
  setTags,
} from './desk-store.ts';
import type { InboxEdge } from './edge.ts';
import { stemOf } from './item-id.ts';
import { beginLedger, type Ledger } from './ledger.ts';

/** The queue that ends snoozing. */
export const wakeQueue = 'inbox-wake';

export interface WakePayload {
  readonly environment: Place['environment'];
  readonly id: string;
  readonly until: string;
}

/** Undefined leaves a field as it is. */
export interface ConversationChange {
  readonly state?: 'open' | 'snoozed' | 'closed' | undefined;
  /** With `snoozed`. */
  readonly snoozed_until?: string | undefined;
  readonly assignee_id?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** Changes all of them or none; the answer is in the order of lists. */
export function changeConversations(
  edge: InboxEdge,
  place: Place,
  actor: string,
  ids: readonly string[],
  change: ConversationChange,
): Promise<ListedRow[]> {
  const { tenantId } = place;
  return edge.db.tenant(tenantId, async (tx) => {
    const rows = await lockAll(tx, place, [...new Set(ids)]);
    if (typeof change.assignee_id === 'string') await checkMember(tx, tenantId, change.assignee_id);
    const tags = change.tags && (await readTags(tx, tenantId, change.tags));
    const ledger = await beginLedger(tx, place, edge);
    const at = edge.clock();
    for (const row of rows) {
      for (const trigger of triggersOf(change, actor, at)) stepOrRefuse(ledger, row, trigger);
      if (tags !== undefined && (await setTags(tx, place, row.id, tags.ids)) > 0) {
        const data = { tags: tags.names };
        ledger.note(row, { type: 'tagged', actor, data, created_at: at });
      }
    }
    await ledger.write();
    if (change.state === 'snoozed')
      await edge.jobs.enqueue(tx, tenantId, wakes(place, rows, change));
    return findConversations(tx, place, ids);
  });
}

/** Wakes a conversation whose time has come, unless it was snoozed anew or is awake. */
export async function wakeConversation(
  tx: Tx,
  tenantId: string,
  edge: InboxEdge,
  { environment, id, until }: WakePayload,
): Promise<void> {
  const place = { tenantId, environment };
  const [row] = await lockById(tx, place, [id]);
  if (row?.snoozed_until?.toISOString() !== until) return;
  const ledger = await beginLedger(tx, place, edge);
  ledger.step(row, { kind: 'wake', at: edge.clock() });
  await ledger.write();
}

/** Writes a note down; throws `conversation_not_found`. */
export function addNote(
  edge: InboxEdge,
  place: Place,
  id: string,
  { author, text }: Pick<NoteRow, 'author' | 'text'>,
  once: Once | undefined,
): Promise<Made<NoteRow>> {
  return edge.db.tenant(place.tenantId, async (tx) => {
    const [row] = await lockAll(tx, place, [id]);
    const created_at = edge.clock();
    const note = { id: newId('not', () => created_at, edge.random), author, text, created_at };
    const make = async () => {
      await insertNote(tx, place, id, note);
      const ledger = await beginLedger(tx, place, edge);
      ledger.note(row!, { type: 'noted', actor: author, data: { note_id: note.id }, created_at });
      await ledger.write();
      return note;
    };
    const find = (known: string) => findNote(tx, place, known);
    return makeOnce(tx, place, once, { id: note.id, make, find });
  });
}

/** Marks what came up to an item, or everything, as read; throws `conversation_not_found`. */
export function markRead(
  edge: InboxEdge,
  place: Place,
  id: string,
  reader: string,
  upTo: string | undefined,
): Promise<ListedRow> {
  return edge.db.tenant(place.tenantId, async (tx) => {
    const [row] = await lockAll(tx, place, [id]);
    const read_at = edge.clock();
    const isAll = upTo === undefined || stemOf(upTo) >= row!.last_item;
    const read_to = isAll ? row!.last_item : stemOf(upTo);
    await saveReader(tx, place, id, { reader, read_to, read_at });
    const left = isAll ? 0 : await countUnread(tx, place, row!.contact_id, `msg_${read_to}`);
    if (left < row!.unread) {
      const ledger = await beginLedger(tx, place, edge);
      ledger.read(row!, left, read_at);
      await ledger.write();
    }
    const [shown] = await findConversations(tx, place, [id]);
    return shown!;
  });
}

/** The rows, locked; throws `conversation_not_found` when one is missing. */
async function lockAll(tx: Tx, place: Place, ids: readonly string[]): Promise<ConversationRow[]> {
  const rows = await lockById(tx, place, ids);
  const missing = ids.find((id) => !rows.some((row) => row.id === id));
  if (missing !== undefined) throw conversationNotFound(missing);
  return rows;
}

/** The 404 of a conversation; one of another tenant is as missing as one that never was. */
export function conversationNotFound(id: string) {
  return fail('conversation_not_found', `There is no conversation "${id}".`);
}

function triggersOf(change: ConversationChange, by: string, at: Date): Trigger[] {
  const { state, assignee_id: to, snoozed_until } = change;
  const assigning: Trigger[] = to === undefined ? [] : [{ kind: 'assign', at, by, to }];
  if (state === 'open') return [...assigning, { kind: 'open', at, by }];
  if (state === 'closed') return [...assigning, { kind: 'close', at, by }];
  if (state === undefined) return assigning;
  return [...assigning, { kind: 'snooze', at, by, until: new Date(snoozed_until!) }];
}

function stepOrRefuse(ledger: Ledger, row: ConversationRow, trigger: Trigger): void {
  const outcome = ledger.step(row, trigger);
  if (outcome.kind === 'stepped') return;
  if (outcome.reason === 'past') throw invalid('snoozed_until', 'must be in the future');
  throw fail('conversation_closed', `The conversation "${row.id}" is closed: open it first.`);
}

async function checkMember(tx: Tx, tenantId: string, userId: string): Promise<void> {
  const member = await findMember(tx, tenantId, userId);
  if (mayAnswer(member?.role)) return;
  throw invalid('assignee_id', 'must be a member whose role may answer conversations');
}

async function readTags(tx: Tx, tenantId: string, names: readonly string[]) {
  const found = await findTags(tx, tenantId, names);
  const known = new Set(found.map(({ name }) => name.toLowerCase()));
  const unknown = names.find((name) => !known.has(name.toLowerCase()));
  if (unknown !== undefined) throw invalid('tags', 'must be tags of /tenants/tenant-tags/');
  return { ids: found.map(({ id }) => id), names: found.map(({ name }) => name) };
}

function wakes(
  place: Place,
  rows: readonly ConversationRow[],
  change: ConversationChange,
): NewJob[] {
  const runAt = new Date(change.snoozed_until!);
  const until = runAt.toISOString();
  return rows.map(({ id }) => {
    const payload: WakePayload = { environment: place.environment, id, until };
    return { queue: wakeQueue, key: `${id} ${until}`, payload, runAt };
  });
}
