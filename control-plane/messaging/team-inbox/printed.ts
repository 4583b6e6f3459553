/** A conversation as a document: what is printed of it, and nothing from the clock. */
import type { Tx } from '../../platform/db/tx.ts';
import type { Place } from '../contacts/store.ts';
import { fail } from '../errors.ts';
import { findLogo } from '../tenants/store.ts';
import type { ListedRow } from './conversation-store.ts';
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
} from './export-store.ts';
import { firstIdAt, stemOf } from './item-id.ts';
import type { ConversationDocument, Entry } from './pdf/document.ts';
import { timesIn } from './pdf/times.ts';
import {
  callEntry,
  fileEntry,
  historyEntry,
  messageEntry,
  type Naming,
  noteEntry,
} from './printed-entries.ts';

export interface PrintRequest {
  readonly since: Date | undefined;
  readonly until: Date | undefined;
  readonly includeNotes: boolean;
  readonly timeZone: string;
  /** Who wants it: a member or a key. */
  readonly by: string;
}

/** Rows of one kind; what has more must be asked for in pieces. */
const rowsMax = 100_000;
const consentsMax = 1_000;

/** Reads all that is printed. Throws `conversation_too_large`. */
export async function readDocument(
  tx: Tx,
  place: Place,
  conversation: ListedRow,
  request: PrintRequest,
): Promise<ConversationDocument> {
  const { id } = conversation;
  const rows = await readRows(tx, place, conversation, request);
  const { consents } = rows;
  const { entries, people, naming } = await entriesOf(tx, place, conversation, request, rows);
  const logo = await findLogo(tx, place.tenantId);
  const { since, until, includeNotes: hasNotes } = request;
  return {
    conversationId: id,
    tenant: {
      name: await findTenantName(tx, place.tenantId),
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

async function readRows(tx: Tx, place: Place, conversation: ListedRow, request: PrintRequest) {
  const { id, contact_id: contactId } = conversation;
  const { includeNotes } = request;
  const span = spanOf(request);
  const most = rowsMax + 1;
  return {
    messages: whole(await messagesOf(tx, place, contactId, span, most)),
    calls: whole(await callsOf(tx, place, contactId, span, most)),
    history: whole(await historyOf(tx, place, id, span, most)),
    notes: includeNotes ? whole(await notesOf(tx, place, id, span, most)) : [],
    files: whole(await filesOf(tx, place, id, span, { ofTeam: includeNotes }, most)),
    consents: await consentsOf(tx, place, contactId, consentsMax + 1),
  };
}

/** What is printed, in order, and those of the tenant who had a part in it. */
async function entriesOf(
  tx: Tx,
  place: Place,
  conversation: ListedRow,
  request: PrintRequest,
  { messages, calls, history, notes, files }: Rows,
): Promise<{ entries: Entry[]; people: PersonRow[]; naming: Naming }> {
  const ofTeam = files.filter(({ message_id }) => message_id === null);
  const authors = [...messages, ...calls, ...notes, ...ofTeam].map(({ author }) => author);
  const actors = history.flatMap(({ actor, data: { to, from } }) => [actor, to, from]);
  const part = new Set([...authors, ...history.map(({ actor }) => actor)]);
  const ids = [...new Set([...authors, ...actors, request.by])].filter(
    (each): each is string => typeof each === 'string',
  );
  const known = await findPeople(tx, place.tenantId, ids);
  const naming = namingOf(known, conversation, request);
  const byMessage = new Map(files.map((row) => [row.message_id, row]));
  const stemmed: [string, Entry][] = [
    ...messages.map((row) => stemmedBy(row.id, messageEntry(row, byMessage.get(row.id), naming))),
    ...calls.map((row) => stemmedBy(row.id, callEntry(row, naming))),
    ...history.map((row) => stemmedBy(row.id, historyEntry(row, naming))),
    ...notes.map((row) => stemmedBy(row.id, noteEntry(row, naming))),
    ...ofTeam.map((row) => stemmedBy(row.id, fileEntry(row, naming))),
  ];
  const entries = stemmed.sort(inOrder).map(([, entry]) => entry);
  return { entries, people: known.filter(({ id }) => part.has(id)), naming };
}

const ranks = { message: 0, call: 0, note: 1, event: 2 } as const;

/** As times are printed: networks tell late, and in seconds. What was said comes before what followed. */
function inOrder([stemA, a]: [string, Entry], [stemB, b]: [string, Entry]): number {
  if (a.at.getTime() !== b.at.getTime()) return a.at.getTime() - b.at.getTime();
  if (a.kind !== b.kind) return ranks[a.kind] - ranks[b.kind];
  return stemA < stemB ? -1 : 1;
}

function stemmedBy(id: string, entry: Entry): [string, Entry] {
  return [stemOf(id), entry];
}

function namingOf(people: readonly PersonRow[], row: ListedRow, request: PrintRequest): Naming {
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const { full, utcFull } = timesIn(request.timeZone);
  return {
    contact: nameOf(row),
    person: (id) => names.get(id) ?? id,
    instant: (at) => `${full(at)} (${utcFull(at)})`,
  };
}

function spanOf({ since, until }: PrintRequest): Span {
  const stemAt = (instant: Date) => stemOf(firstIdAt('msg', instant));
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

/** What was agreed to after the last message belongs to the state that is printed, too. */
function newestOf(
  entries: readonly Entry[],
  consents: readonly ConsentRow[],
  otherwise: Date,
): Date {
  const said = entries.flatMap(({ at, states = [] }) => [at, ...states.flatMap((s) => s.at ?? [])]);
  const instants = [...said, ...consents.map(({ created_at }) => created_at)];
  return instants.reduce((newest, at) => (at > newest ? at : newest), otherwise);
}
