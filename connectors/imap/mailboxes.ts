import type { FetchMessageObject, FetchQueryObject, ImapFlow, SearchObject } from 'imapflow';
import { errorCode } from '../fault.ts';
import {
  attachedFiles,
  headersOf,
  isMessageId,
  type MessageContent,
  messageKey,
  messageLimits,
} from './message.ts';

/** A message as it stands in its mailbox. */
export interface FoundMessage {
  readonly uid: number;
  readonly key: string;
  readonly content: MessageContent;
}

export const mailboxTooLarge = 'mailbox_too_large';

/** Of a mailbox that is searched: all their numbers may come in one answer. */
export const messagesMax = 1_000_000;

/** Headers that are looked through for a message whose key is not a Message-ID. */
const headersLooked = 5_000;

/** Opens a mailbox; the UIDVALIDITY it has now. Makes it when `isMade` and it is missing. */
export async function openMailbox(
  client: ImapFlow,
  path: string,
  isMade = false,
): Promise<{ readonly uidValidity: string; readonly exists: number; readonly mayFlag: boolean }> {
  const open = async () => {
    const known = client.mailbox;
    const isOpen = known !== false && known.path === path;
    // What came since it was opened is told with the answer.
    if (isOpen) await client.noop();
    mustBeUsable(client);
    const opened = isOpen ? known : await client.mailboxOpen(path);
    const mayFlag = opened.permanentFlags?.has('\\*') === true && opened.readOnly !== true;
    return { uidValidity: String(opened.uidValidity), exists: opened.exists, mayFlag };
  };
  try {
    return await open();
  } catch (error) {
    if (!isMade || (error as { mailboxMissing?: unknown }).mailboxMissing !== true) throw error;
    await client.mailboxCreate(path);
    return open();
  }
}

/**
 * Throws when the session is over: the library answers some commands of such a session as if nothing
 * had been found.
 */
function mustBeUsable(client: ImapFlow): void {
  if (client.usable) return;
  const code = overlong.has(client) ? mailboxTooLarge : 'ECONNRESET';
  throw Object.assign(new Error('the session is over'), { code });
}

/** Sessions that ended because a line was longer than any is read. */
const overlong = new WeakSet<ImapFlow>();

/** Keeps why a session ended, which the command that waits for it is not told. */
export function noteEnd(client: ImapFlow, error: unknown): void {
  if (errorCode(error) === 'LineTooLarge') overlong.add(client);
}

/** The UIDs that a search finds in the open mailbox. Fails with the code `mailbox_too_large`. */
export async function searchUids(
  client: ImapFlow,
  query: SearchObject,
): Promise<readonly number[]> {
  if (client.mailbox !== false && client.mailbox.exists > messagesMax) {
    throw Object.assign(new Error('too many messages'), { code: mailboxTooLarge });
  }
  const found = await client.search(query, { uid: true });
  mustBeUsable(client);
  if (found === false || found === undefined) throw new Error('the search was refused');
  return found;
}

/** What is fetched of one message of the open mailbox; undefined when it is gone. */
export async function fetchMessage(
  client: ImapFlow,
  uid: number,
  query: FetchQueryObject,
): Promise<FetchMessageObject | undefined> {
  const message = await client.fetchOne(String(uid), query, { uid: true });
  mustBeUsable(client);
  return message === false ? undefined : message;
}

/** Reads one message of the open mailbox; undefined when it is gone. */
export async function readMessage(
  client: ImapFlow,
  uid: number,
): Promise<FoundMessage | undefined> {
  const head = await fetchMessage(client, uid, { uid: true, size: true, headers: true });
  if (head?.headers === undefined) return undefined;
  const key = messageKey(headersOf(head.headers));
  if ((head.size ?? 0) > messageLimits.bytesMax) {
    const message = `The message has ${head.size} bytes; at most ${messageLimits.bytesMax} are read.`;
    return { uid, key, content: { kind: 'refused', code: 'too_large', message } };
  }
  const query = { uid: true, source: { maxLength: messageLimits.bytesMax } };
  const whole = await fetchMessage(client, uid, query);
  if (whole?.source === undefined) return undefined;
  return { uid, key, content: await attachedFiles(key, whole.source) };
}

/** The UIDs of the messages of the open mailbox that have this key, oldest first. */
export async function findMessages(client: ImapFlow, key: string): Promise<readonly number[]> {
  if (isMessageId(key)) {
    return searchUids(client, { header: { 'message-id': `<${key}>` } });
  }
  const looked = (await searchUids(client, { all: true })).slice(-headersLooked);
  if (looked.length === 0) return [];
  const uids: number[] = [];
  const query = { uid: true, headers: true } as const;
  for await (const { uid, headers } of client.fetch([...looked], query, { uid: true })) {
    if (headers !== undefined && messageKey(headersOf(headers)) === key) uids.push(uid);
  }
  mustBeUsable(client);
  return uids;
}
