/** A conversation as a document: what is printed of it, and nothing from the clock. */
import type { Tx } from '../../platform/db/tx.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import type { Place } from '../contacts/store.ts';
import { fail } from '../errors.ts';
import type { MessageRow } from '../messages/message-row.ts';
import { findLogo } from '../tenants/store.ts';
import { type AttachmentRow, listAttachments } from './attachment-store.ts';
import type { CallRow } from './call-store.ts';
import type { ListedRow } from './conversation-store.ts';
import type { HistoryRow } from './course-store.ts';
import {
  callsOf,
  consentsOf,
  findPeople,
  findTenantName,
  historyOf,
  messagesOf,
  notesOf,
  type PersonRow,
  type Span,
} from './export-store.ts';
import { firstIdAt, stemOf } from './item-id.ts';
import type { ConversationDocument, Entry, Medium } from './pdf/document.ts';
import { pictureBytesMax } from './pdf/picture.ts';

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
const attachmentsMax = 200;
const consentsMax = 1_000;

/** Reads all that is printed. Throws `conversation_too_large`. */
export async function readDocument(
  tx: Tx,
  place: Place,
  objects: Objects,
  conversation: ListedRow,
  request: PrintRequest,
): Promise<ConversationDocument> {
  const { id, contact_id: contactId } = conversation;
  const span = spanOf(request);
  const messages = whole(await messagesOf(tx, place, contactId, span, rowsMax + 1));
  const calls = whole(await callsOf(tx, place, contactId, span, rowsMax + 1));
  const history = whole(await historyOf(tx, place, id, span, rowsMax + 1));
  const notes = request.includeNotes ? await notesOf(tx, place, id, span, rowsMax + 1) : [];
  const files = request.includeNotes ? await filesOf(tx, place, id, span) : [];
  const consents = await consentsOf(tx, place, contactId, consentsMax);
  const authors = [...messages, ...calls, ...whole(notes), ...files].map(({ author }) => author);
  const actors = history.flatMap(({ actor, data: { to, from } }) => [actor, to, from]);
  const ids = new Set(
    [...authors, ...actors, request.by].filter((each) => typeof each === 'string'),
  );
  const people = new Map(
    (await findPeople(tx, place.tenantId, [...ids])).map((each) => [each.id, each]),
  );
  const names: Names = { people, contact: nameOf(conversation) };
  const stemmed: [string, Entry][] = [
    ...messages.map((row) => [stemOf(row.id), messageEntry(row, names)] as [string, Entry]),
    ...calls.map((row) => [row.item, callEntry(row, names)] as [string, Entry]),
    ...history.map((row) => [stemOf(row.id), historyEntry(row, names)] as [string, Entry]),
    ...notes.map(
      (row) => [stemOf(row.id), { ...noteOf(row, names), text: row.text }] as [string, Entry],
    ),
    ...(await fileEntries(objects, files, names)),
  ];
  const entries = stemmed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  const logo = await findLogo(tx, place.tenantId);
  return {
    conversationId: id,
    tenant: {
      name: await findTenantName(tx, place.tenantId),
      ...(logo === undefined ? {} : { logo: logo.logo }),
    },
    timeZone: request.timeZone,
    contact: { name: names.contact, details: detailsOf(conversation) },
    channels: [...new Set(entries.flatMap(({ channel }) => channel ?? []))].sort(),
    participants: [...people.values()]
      .filter((each) => authors.includes(each.id))
      .map(({ name, detail }) => ({ name, details: [detail] })),
    entries,
    consents: consents.map(({ created_at: at, note, ...row }) => {
      return { at, ...row, ...(note === null ? {} : { note }) };
    }),
    exportedBy: personName(request.by, names),
    exportedAt: newestOf(entries, conversation.created_at),
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

async function filesOf(tx: Tx, place: Place, id: string, { after, until }: Span) {
  const rows = await listAttachments(tx, place, id, undefined, attachmentsMax);
  return rows.filter((row) => stemOf(row.id) > after && stemOf(row.id) < until);
}

interface Names {
  readonly people: ReadonlyMap<string, PersonRow>;
  readonly contact: string;
}

function nameOf({ contact_name, contact_phone, contact_id }: ListedRow): string {
  return contact_name ?? contact_phone ?? contact_id;
}

function detailsOf({ contact_phone, contact_id }: ListedRow): string[] {
  return contact_phone === null ? [contact_id] : [contact_phone, contact_id];
}

function personName(id: string | null, { people }: Names): string {
  if (id === null) return 'Broadcast';
  return people.get(id)?.name ?? id;
}

function messageEntry(row: MessageRow, names: Names): Entry {
  const { direction, channel, content, created_at: at } = row;
  const isIn = direction === 'in';
  const medium = mediumOf(content);
  return {
    ...{ kind: 'message', at, direction, channel },
    author: isIn ? names.contact : personName(row.author, names),
    text: content.kind === 'text' ? content.text : row.preview,
    ...(isIn ? {} : { states: statesOf(row) }),
    ...(medium === undefined ? {} : { media: [medium] }),
  };
}

function statesOf(row: MessageRow) {
  const reached = [
    { name: 'sent', at: row.sent_at },
    { name: 'delivered', at: row.delivered_at },
    { name: 'read', at: row.read_at },
    { name: 'failed', at: row.failed_at },
  ].flatMap(({ name, at }) => (at === null ? [] : [{ name, at }]));
  return reached.some(({ name }) => name === row.status)
    ? reached
    : [...reached, { name: row.status }];
}

/** Files of messages are with the network; what they are is told. */
function mediumOf(content: MessageRow['content']): Medium | undefined {
  if (content.kind !== 'media') return undefined;
  const { type, filename } = 'media' in content ? content.media : content;
  const contentType = 'mimeType' in content ? content.mimeType : undefined;
  return {
    type,
    ...(filename === undefined ? {} : { filename }),
    ...(contentType === undefined ? {} : { contentType }),
  };
}

function callEntry(row: CallRow, names: Names): Entry {
  const { direction, status, duration_seconds: seconds, created_at: at } = row;
  return {
    ...{ kind: 'call', at, direction, channel: 'voice' },
    author: direction === 'in' ? names.contact : personName(row.author, names),
    text: seconds === null ? status : `${status}, ${seconds} s`,
  };
}

type Signed = { readonly author: string; readonly created_at: Date };

function noteOf({ author, created_at: at }: Signed, names: Names) {
  return { kind: 'note' as const, at, author: personName(author, names) };
}

function historyEntry({ type, actor, data, created_at: at }: HistoryRow, names: Names): Entry {
  const { to, until, tags } = data;
  const words = [
    type,
    ...(typeof to === 'string' ? [`to ${personName(to, names)}`] : []),
    ...(typeof until === 'string' ? [`until ${until}`] : []),
    ...(Array.isArray(tags) ? [tags.join(', ')] : []),
  ];
  const author = actor === null ? names.contact : personName(actor, names);
  return { kind: 'event', at, author, text: words.join(' ') };
}

async function fileEntries(
  objects: Objects,
  rows: readonly AttachmentRow[],
  names: Names,
): Promise<[string, Entry][]> {
  const entries: [string, Entry][] = [];
  for (const row of rows) {
    const { media_type: contentType, name: filename, bytes } = row;
    const thumbnail = await thumbnailOf(objects, row);
    const type = contentType.split('/')[0]!;
    const medium = { type, filename, contentType, bytes, ...(thumbnail && { thumbnail }) };
    entries.push([stemOf(row.id), { ...noteOf(row, names), text: '', media: [medium] }]);
  }
  return entries;
}

async function thumbnailOf(
  objects: Objects,
  { media_type, bytes, object_key }: AttachmentRow,
): Promise<Uint8Array | undefined> {
  if (!/^image\/(png|jpeg)$/.test(media_type) || bytes > pictureBytesMax) return undefined;
  const object = await objects.get(object_key);
  return object && Buffer.concat(await object.stream.toArray());
}

function newestOf(entries: readonly Entry[], otherwise: Date): Date {
  const instants = entries.flatMap(({ at, states = [] }) => [
    at,
    ...states.flatMap((s) => s.at ?? []),
  ]);
  return instants.reduce((newest, at) => (at > newest ? at : newest), otherwise);
}
