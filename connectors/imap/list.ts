import type { ImapFlow } from 'imapflow';
import { type ListOutcome, limits } from '../contract.ts';
import { cursorInvalid } from '../fault.ts';
import { type ContentFile, refsIn } from '../file-content/documents.ts';
import { isReadFile } from '../file-content/file-names.ts';
import { decodeCursor, encodeCursor } from '../json.ts';
import { openMailbox, readMessage, searchUids } from './mailboxes.ts';
import { type AttachedFile, type MessageContent, wholeRef } from './message.ts';
import type { ImapSettings } from './settings.ts';

/** On messages whose refs were listed and, as the next call tells, stored by the caller. */
const takenFlag = '$DrawbridgeTaken';

/** How far a mailbox was listed: the message `uid`, of which `count` documents were. */
interface Position {
  readonly uidValidity: string;
  readonly uid: number;
  readonly count: number;
  /** Whether the message is listed to its end. */
  readonly isDone: boolean;
}

/**
 * One page of refs of the messages after `cursor`. A cursor comes back when what was listed up to it
 * is stored, so only then are those messages flagged as taken. When the mailbox has numbered its
 * messages anew (another UIDVALIDITY) all that are not flagged are listed; their refs are the same as
 * before.
 */
export async function listMessages(
  client: ImapFlow,
  settings: ImapSettings,
  cursor: string | undefined,
  isLate: () => boolean,
  signal: AbortSignal,
): Promise<ListOutcome> {
  const from = cursor === undefined ? undefined : positionOf(cursor);
  if (from === 'invalid') return cursorInvalid('is not one of this mailbox');
  const { uidValidity, mayFlag } = await openMailbox(client, settings.mailbox);
  const isSame = from !== undefined && from.uidValidity === uidValidity;
  if (isSame && mayFlag) await flagTaken(client, from);
  const start = isSame ? from.uid : 1;
  const isAgain = from !== undefined && !isSame && mayFlag;
  const query = { uid: `${start}:*`, ...(isAgain ? { unKeyword: takenFlag } : {}) };
  // `n:*` also names the last message when it is older than n.
  const uids = (await searchUids(client, query))
    .filter((uid) => uid > start || (uid === start && !(isSame && from.isDone)))
    .sort((one, other) => one - other);
  const refs: string[] = [];
  let last: Position = isSame ? from : { uidValidity, uid: 0, count: 0, isDone: true };
  for (const uid of uids) {
    if (signal.aborted) break;
    // Messages without documents are progress too.
    if (refs.length >= limits.pageSize || (uid !== uids[0] && isLate())) {
      return page(refs, last, true);
    }
    const done = isSame && uid === from.uid ? from.count : 0;
    const message = await readMessage(client, uid);
    const all =
      message === undefined ? [] : await refsOf(message.key, message.content, settings, signal);
    const taken = all.slice(done, done + limits.pageSize - refs.length);
    refs.push(...taken);
    const count = done + taken.length;
    last = { uidValidity, uid, count, isDone: count >= all.length };
  }
  return page(refs, last, !last.isDone);
}

async function flagTaken(client: ImapFlow, { uid, isDone }: Position): Promise<void> {
  const until = isDone ? uid : uid - 1;
  if (until < 1) return;
  const query = { uid: `1:${until}`, unKeyword: takenFlag };
  const fresh = await searchUids(client, query);
  if (fresh.length > 0) await client.messageFlagsAdd([...fresh], [takenFlag], { uid: true });
}

/** Documents of one message; further ones are told by an error of reading them. */
const refsMax = 20_000;

/** The refs in a message; what cannot be read is listed too, so that reading it says why. */
export async function refsOf(
  key: string,
  content: MessageContent,
  settings: ImapSettings,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (content.kind === 'refused') return [wholeRef(key)];
  const refs: string[] = [];
  for (const file of content.files) {
    if (!isReadFile(file.name, settings)) continue;
    const read = await refsIn(contentFile(file, content.files), settings, 0, refsMax, signal);
    refs.push(...(read.kind === 'refs' ? read.refs : [file.name]));
  }
  return refs;
}

/** A file of a message as the readers of files take it. */
export function contentFile(
  { name, bytes }: AttachedFile,
  all: readonly AttachedFile[],
): ContentFile {
  return {
    name,
    size: bytes.length,
    chunks: () => piecesOf(bytes),
    beside: async (wanted) => all.find((file) => file.name.endsWith(`/${wanted}`))?.bytes,
  };
}

const pieceBytes = 262_144;

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

function page(refs: readonly string[], last: Position, more: boolean): ListOutcome {
  const { uidValidity, uid, count, isDone } = last;
  const cursor = encodeCursor(['imap', uidValidity, uid, count, isDone]);
  return { kind: 'page', refs, cursor, more };
}

function positionOf(cursor: string): Position | 'invalid' {
  const parsed = decodeCursor(cursor);
  const [kind, uidValidity, uid, count, isDone] = Array.isArray(parsed)
    ? (parsed as unknown[])
    : [];
  const isPosition =
    kind === 'imap' &&
    typeof uidValidity === 'string' &&
    Number.isSafeInteger(uid) &&
    Number.isSafeInteger(count) &&
    typeof isDone === 'boolean';
  if (!isPosition) return 'invalid';
  return { uidValidity, uid: Number(uid), count: Number(count), isDone };
}
