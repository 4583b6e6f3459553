/** Turns rows of a conversation into entries of its document. */
import type { MessageRow } from '../../messages/message-row.ts';
import type { AttachmentRow } from '../attachments/store.ts';
import type { NoteRow } from '../conversations/annotation-store.ts';
import type { HistoryRow } from '../conversations/history-store.ts';
import type { CallRow } from '../messages/call-store.ts';
import { textOfCall, textOfHistory, textOfMessage } from './entry-text.ts';
import type { Entry, Medium } from './pdf/document.ts';
import { pictureBytesMax } from './pdf/pictures/picture.ts';

/** How people and instants are printed. */
export interface Naming {
  readonly contact: string;
  /** The name of a member or key by its id. */
  person(id: string): string;
  instant(at: Date): string;
}

/** `file`: the stored file of the message, if it has one. */
export function messageEntry(
  row: MessageRow,
  file: AttachmentRow | undefined,
  naming: Naming,
): Entry {
  const { direction, channel, created_at: at, author, broadcast_id } = row;
  const isIn = direction === 'in';
  const medium = mediumOf(row, file);
  const nobody = broadcast_id === null ? 'Sent automatically' : 'Broadcast';
  return {
    kind: 'message',
    at,
    direction,
    channel,
    text: textOfMessage(row),
    author: isIn ? naming.contact : author === null ? nobody : naming.person(author),
    ...(isIn ? {} : { states: statesOf(row), ...problemOf(row) }),
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

function problemOf({ error_code, error_detail }: MessageRow) {
  if (error_code === null) return {};
  return { problem: error_detail ? `${error_code}: ${error_detail}` : error_code };
}

/** The file of a message and its location, or what is known of it. */
function mediumOf(row: MessageRow, file: AttachmentRow | undefined): Medium | undefined {
  const { content, error_code, error_detail } = row;
  if (content.kind !== 'media') return undefined;
  const { type, filename, source } = 'media' in content ? content.media : content;
  if (file !== undefined) return { ...mediumOfFile(file), type };
  const contentType = 'mimeType' in content ? content.mimeType : undefined;
  // An outbound file stays at its address; an inbound file was fetched, or could not be.
  const address = row.direction === 'out' && 'url' in source ? source.url : undefined;
  const name = filename ?? address;
  return {
    type,
    ...(name === undefined ? {} : { filename: name }),
    ...(contentType === undefined ? {} : { contentType }),
    ...(error_code === 'file_not_kept' ? { problem: error_detail ?? error_code } : {}),
  };
}

function mediumOfFile({ media_type, name: filename, bytes, object_key }: AttachmentRow): Medium {
  const isShown = /^image\/(png|jpeg|gif|webp)$/.test(media_type) && bytes <= pictureBytesMax;
  return {
    type: media_type.split('/')[0]!,
    filename,
    contentType: media_type,
    bytes,
    ...(isShown ? { storedAt: object_key } : {}),
  };
}

export function callEntry(row: CallRow, naming: Naming): Entry {
  const { direction, status, duration_seconds, author, created_at: at } = row;
  const caller = author === null ? 'Call flow' : naming.person(author);
  return {
    kind: 'call',
    at,
    direction,
    channel: 'voice',
    author: direction === 'in' ? naming.contact : caller,
    text: textOfCall(status, duration_seconds),
  };
}

export function noteEntry({ author, text, created_at: at }: NoteRow, naming: Naming): Entry {
  return { kind: 'note', at, author: naming.person(author), text };
}

/** A file that the team added to the conversation. */
export function fileEntry(row: AttachmentRow, naming: Naming): Entry {
  const author = naming.person(row.author);
  return { kind: 'note', at: row.created_at, author, text: '', media: [mediumOfFile(row)] };
}

export function historyEntry(row: HistoryRow, naming: Naming): Entry {
  const { type, actor, data, created_at: at } = row;
  // A snoozed conversation wakes when the person writes, or at the end of its time.
  const isPerson = type === 'opened' || data.because === 'message';
  const nobody = isPerson ? naming.contact : 'By itself';
  const author = actor === null ? nobody : naming.person(actor);
  const words = textOfHistory(row, { name: naming.person, instant: naming.instant });
  return { kind: 'event', at, author, text: words };
}
