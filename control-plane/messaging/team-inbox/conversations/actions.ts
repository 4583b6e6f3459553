/** What team members do with conversations; each action is one transaction. */
import type { Trigger } from '@drawbridge/messaging/inbox/conversation.ts';
import { holdMember } from '../../../people/members/store.ts';
import { mayAnswer } from '../../../people/roles/messaging-roles.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { type Made, makeOnce, type Once } from '../../../platform/idempotency/once.ts';
import { newId } from '../../../platform/ids.ts';
import type { NewJob } from '../../../platform/jobs/job.ts';
import { fail, invalid } from '../../errors.ts';
import type { InboxContext } from '../context.ts';
import { idSuffixOf } from '../item-id.ts';
import {
  countUnread,
  findNote,
  findTags,
  insertNote,
  type NoteRow,
  saveReader,
  setTags,
} from './annotation-store.ts';
import { type ChangeRecorder, startRecording } from './change-recorder.ts';
import { type ConversationRow, findConversations, type ListedRow, lockById } from './store.ts';

/** The queue of the jobs that end snoozing. */
export const wakeQueue = 'inbox-wake';

export interface WakePayload {
  readonly environment: TenantScope['environment'];
  readonly id: string;
  readonly until: string;
}

/** Undefined leaves a field unchanged. */
export interface ConversationChange {
  readonly state?: 'open' | 'snoozed' | 'closed' | undefined;
  /** With `snoozed`. */
  readonly snoozed_until?: string | undefined;
  readonly assignee_id?: string | null | undefined;
  /** The change is refused if somebody else is the assignee, unless it is the one who is wanted. */
  readonly expected_assignee_id?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** Changes all conversations or none; returns them in the order of lists. */
export function changeConversations(
  context: InboxContext,
  scope: TenantScope,
  actor: string,
  ids: readonly string[],
  change: ConversationChange,
): Promise<ListedRow[]> {
  const { tenantId } = scope;
  return context.db.tenant(tenantId, async (tx) => {
    const rows = await lockAll(tx, scope, [...new Set(ids)]);
    for (const row of rows) refuseTaken(row, change);
    if (typeof change.assignee_id === 'string') await checkMember(tx, tenantId, change.assignee_id);
    const tags = change.tags && (await readTags(tx, tenantId, change.tags));
    const recorder = await startRecording(tx, scope, context);
    const at = context.clock();
    for (const row of rows) {
      for (const trigger of triggersOf(change, actor, at)) applyOrRefuse(recorder, row, trigger);
      if (tags !== undefined && (await setTags(tx, scope, row.id, tags.ids)) > 0) {
        const data = { tags: tags.names };
        recorder.addHistory(row, { type: 'tagged', actor, data, created_at: at });
      }
    }
    await recorder.write();
    if (change.state === 'snoozed')
      await context.jobs.enqueue(tx, tenantId, wakeJobs(scope, rows, change));
    return findConversations(tx, scope, ids);
  });
}

/** Ends the snoozing of a conversation, unless it is open already or was snoozed again. */
export async function wakeConversation(
  tx: Tx,
  tenantId: string,
  context: InboxContext,
  { environment, id, until }: WakePayload,
): Promise<void> {
  const scope = { tenantId, environment };
  const [row] = await lockById(tx, scope, [id]);
  if (row?.snoozed_until?.toISOString() !== until) return;
  const recorder = await startRecording(tx, scope, context);
  recorder.apply(row, { kind: 'wake', at: context.clock() });
  await recorder.write();
}

/** Saves an internal note; throws `conversation_not_found`. */
export function addNote(
  context: InboxContext,
  scope: TenantScope,
  id: string,
  { author, text }: Pick<NoteRow, 'author' | 'text'>,
  once: Once | undefined,
): Promise<Made<NoteRow>> {
  return context.db.tenant(scope.tenantId, async (tx) => {
    const [row] = await lockAll(tx, scope, [id]);
    const created_at = context.clock();
    const note = { id: newId('not', () => created_at, context.random), author, text, created_at };
    const make = async () => {
      await insertNote(tx, scope, id, note);
      const recorder = await startRecording(tx, scope, context);
      recorder.addHistory(row!, {
        type: 'noted',
        actor: author,
        data: { note_id: note.id },
        created_at,
      });
      await recorder.write();
      return note;
    };
    const find = (known: string) => findNote(tx, scope, known);
    return makeOnce(tx, scope, once, { id: note.id, make, find });
  });
}

/** Marks all messages up to an item, or all, as read; throws `conversation_not_found`. */
export function markRead(
  context: InboxContext,
  scope: TenantScope,
  id: string,
  reader: string,
  upTo: string | undefined,
): Promise<ListedRow> {
  return context.db.tenant(scope.tenantId, async (tx) => {
    const [row] = await lockAll(tx, scope, [id]);
    const read_at = context.clock();
    const isAll = upTo === undefined || idSuffixOf(upTo) >= row!.last_item;
    const read_to = isAll ? row!.last_item : idSuffixOf(upTo);
    await saveReader(tx, scope, id, { reader, read_to, read_at });
    const left = isAll ? 0 : await countUnread(tx, scope, row!.contact_id, `msg_${read_to}`);
    if (left < row!.unread) {
      const recorder = await startRecording(tx, scope, context);
      recorder.setUnread(row!, left, read_at);
      await recorder.write();
    }
    const [shown] = await findConversations(tx, scope, [id]);
    return shown!;
  });
}

/** The rows, locked; throws `conversation_not_found` when one is missing. */
async function lockAll(
  tx: Tx,
  scope: TenantScope,
  ids: readonly string[],
): Promise<ConversationRow[]> {
  const rows = await lockById(tx, scope, ids);
  const missing = ids.find((id) => !rows.some((row) => row.id === id));
  if (missing !== undefined) throw conversationNotFound(missing);
  return rows;
}

/** The 404 of a conversation, also for one of another tenant. */
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

function applyOrRefuse(recorder: ChangeRecorder, row: ConversationRow, trigger: Trigger): void {
  const outcome = recorder.apply(row, trigger);
  if (outcome.kind === 'stepped') return;
  if (outcome.reason === 'past') throw invalid('snoozed_until', 'must be in the future');
  throw fail('conversation_closed', `The conversation "${row.id}" is closed: open it first.`);
}

function refuseTaken(
  { id, assignee_id }: ConversationRow,
  { expected_assignee_id: expected, assignee_id: wanted }: ConversationChange,
): void {
  if (expected === undefined || assignee_id === expected || assignee_id === wanted) return;
  const by = assignee_id === null ? 'nobody has it' : `"${assignee_id}" has it`;
  throw fail('conversation_taken', `The conversation "${id}" was assigned meanwhile: ${by} now.`, {
    body: { conversation_id: id, assignee_id },
  });
}

async function checkMember(tx: Tx, tenantId: string, userId: string): Promise<void> {
  // Held, or one who is removed meanwhile is assigned it after their conversations were unassigned.
  if (mayAnswer(await holdMember(tx, tenantId, userId))) return;
  throw invalid('assignee_id', 'must be a member whose role may answer conversations');
}

async function readTags(tx: Tx, tenantId: string, names: readonly string[]) {
  const found = await findTags(tx, tenantId, names);
  const known = new Set(found.map(({ name }) => name.toLowerCase()));
  const unknown = names.find((name) => !known.has(name.toLowerCase()));
  if (unknown !== undefined) throw invalid('tags', 'must be tags of /tenants/tenant-tags/');
  return { ids: found.map(({ id }) => id), names: found.map(({ name }) => name) };
}

function wakeJobs(
  scope: TenantScope,
  rows: readonly ConversationRow[],
  change: ConversationChange,
): NewJob[] {
  const runAt = new Date(change.snoozed_until!);
  const until = runAt.toISOString();
  return rows.map(({ id }) => {
    const payload: WakePayload = { environment: scope.environment, id, until };
    return { queue: wakeQueue, key: `${id} ${until}`, payload, runAt };
  });
}
