/** Reads a conversation as the document to print. The result does not depend on the clock. */

import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { firstIdAt } from '../../../platform/ids.ts';
import { fail } from '../../errors.ts';
import { findLogo } from '../../tenants/store.ts';
import type { ListedRow } from '../conversations/store.ts';
import { idSuffixOf } from '../item-id.ts';
import {
  callEntry,
  fileEntry,
  historyEntry,
  messageEntry,
  type Naming,
  noteEntry,
} from './document-entries.ts';
import type { ConversationDocument, Entry } from './pdf/document.ts';
import { timesIn } from './pdf/typesetting/times.ts';
import {
  type ConsentRow,
  callsOf,
  consentsOf,
  filesOf,
  findPeople,
  findTenantName,
  historyOf,
  messagesOf,
  notesOf,
  type PersonRow,
  type Span,
} from './store.ts';

export interface DocumentRequest {
  readonly since: Date | undefined;
  readonly until: Date | undefined;
  readonly includeNotes: boolean;
  readonly timeZone: string;
  /** The member or key that requested the export. */
  readonly by: string;
}

/** The most rows of one kind; a larger conversation must be exported in periods. */
const rowsMax = 100_000;
const consentsMax = 1_000;

/** Reads the whole document. Throws `conversation_too_large`. */
export async function readDocument(
  tx: Tx,
  scope: TenantScope,
  conversation: ListedRow,
  request: DocumentRequest,
): Promise<ConversationDocument> {
  const { id } = conversation;
  const rows = await readRows(tx, scope, conversation, request);
  const { consents } = rows;
  const { entries, people, naming } = await entriesOf(tx, scope, conversation, request, rows);
  const logo = await findLogo(tx, scope.tenantId);
  const { since, until, includeNotes: hasNotes } = request;
  return {
    conversationId: id,
    tenant: {
      name: await findTenantName(tx, scope.tenantId),
      ...(logo === undefined ? {} : { logo: logo.logo }),
    },
    timeZone: request.timeZone,
    contact: { name: nameOf(conversation), details: detailsOf(conversation) },
    channels: [...new Set(entries.flatMap(({ channel }) => channel ?? []))].sort(),
    participants: people.map(({ name, detail }) => ({ name, details: [detail] })),
    entries,
    consents: consents.slice(-consentsMax).map(({ created_at: at, note, ...row }) => {
      return { at, ...row, ...(note === null ? {} : { note }) };
    }),
    hasMoreConsents: consents.length > consentsMax,
    extent: { ...(since && { since }), ...(until && { until }), hasNotes },
    exportedBy: naming.person(request.by),
    exportedAt: newestOf(entries, consents, conversation.created_at),
  };
}

type Rows = Awaited<ReturnType<typeof readRows>>;

async function readRows(
  tx: Tx,
  scope: TenantScope,
  conversation: ListedRow,
  request: DocumentRequest,
) {
  const { id, contact_id: contactId } = conversation;
  const { includeNotes } = request;
  const span = spanOf(request);
  const most = rowsMax + 1;
  return {
    messages: whole(await messagesOf(tx, scope, contactId, span, most)),
    calls: whole(await callsOf(tx, scope, contactId, span, most)),
    history: whole(await historyOf(tx, scope, id, span, most)),
    notes: includeNotes ? whole(await notesOf(tx, scope, id, span, most)) : [],
    files: whole(await filesOf(tx, scope, id, span, { ofTeam: includeNotes, limit: most })),
    consents: await consentsOf(tx, scope, contactId, consentsMax + 1),
  };
}

/** The entries in order, and the members and keys that took part. */
async function entriesOf(
  tx: Tx,
  scope: TenantScope,
  conversation: ListedRow,
  request: DocumentRequest,
  { messages, calls, history, notes, files }: Rows,
): Promise<{ entries: Entry[]; people: PersonRow[]; naming: Naming }> {
  const ofTeam = files.filter(({ message_id }) => message_id === null);
  const authors = [...messages, ...calls, ...notes, ...ofTeam].map(({ author }) => author);
  const actors = history.flatMap(({ actor, data: { to, from } }) => [actor, to, from]);
  const part = new Set([...authors, ...history.map(({ actor }) => actor)]);
  const ids = [...new Set([...authors, ...actors, request.by])].filter(
    (each): each is string => typeof each === 'string',
  );
  const known = await findPeople(tx, scope.tenantId, ids);
  const naming = namingOf(known, conversation, request);
  const byMessage = new Map(files.map((row) => [row.message_id, row]));
  const stemmed: [string, Entry][] = [
    ...messages.map((row) =>
      withIdSuffix(row.id, messageEntry(row, byMessage.get(row.id), naming)),
    ),
    ...calls.map((row) => withIdSuffix(row.id, callEntry(row, naming))),
    ...history.map((row) => withIdSuffix(row.id, historyEntry(row, naming))),
    ...notes.map((row) => withIdSuffix(row.id, noteEntry(row, naming))),
    ...ofTeam.map((row) => withIdSuffix(row.id, fileEntry(row, naming))),
  ];
  const entries = stemmed.sort(inOrder).map(([, entry]) => entry);
  return { entries, people: known.filter(({ id }) => part.has(id)), naming };
}

const ranks = { message: 0, call: 0, note: 1, event: 2 } as const;

/**
 * By the printed time, because networks report late and in seconds; at the same time messages come
 * before notes and events.
 */
function inOrder([stemA, a]: [string, Entry], [stemB, b]: [string, Entry]): number {
  if (a.at.getTime() !== b.at.getTime()) return a.at.getTime() - b.at.getTime();
  if (a.kind !== b.kind) return ranks[a.kind] - ranks[b.kind];
  return stemA < stemB ? -1 : 1;
}

function withIdSuffix(id: string, entry: Entry): [string, Entry] {
  return [idSuffixOf(id), entry];
}

function namingOf(people: readonly PersonRow[], row: ListedRow, request: DocumentRequest): Naming {
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const { full, utcFull } = timesIn(request.timeZone);
  return {
    contact: nameOf(row),
    person: (id) => names.get(id) ?? id,
    instant: (at) => `${full(at)} (${utcFull(at)})`,
  };
}

function spanOf({ since, until }: DocumentRequest): Span {
  const stemAt = (instant: Date) => idSuffixOf(firstIdAt('msg', instant));
  return {
    after: since === undefined ? '' : stemAt(since),
    until: until === undefined ? 'z'.repeat(26) : stemAt(until),
  };
}

function whole<Row>(rows: readonly Row[]): readonly Row[] {
  if (rows.length <= rowsMax) return rows;
  const detail = `It has more than ${rowsMax} messages: ask for less by since and until.`;
  throw fail('conversation_too_large', detail);
}

function nameOf({ contact_name, contact_phone, contact_id }: ListedRow): string {
  return contact_name ?? contact_phone ?? contact_id;
}

function detailsOf({ contact_phone, contact_id }: ListedRow): string[] {
  return contact_phone === null ? [contact_id] : [contact_phone, contact_id];
}

/** A consent given after the last message is also part of the printed state. */
function newestOf(
  entries: readonly Entry[],
  consents: readonly ConsentRow[],
  otherwise: Date,
): Date {
  const said = entries.flatMap(({ at, states = [] }) => [at, ...states.flatMap((s) => s.at ?? [])]);
  const instants = [...said, ...consents.map(({ created_at }) => created_at)];
  return instants.reduce((newest, at) => (at > newest ? at : newest), otherwise);
}
