import { createHash } from 'node:crypto';
import type { Attachment, Email } from 'postal-mime';
import { limits } from '../contract.ts';
import { kindOfFile } from '../file-content/settings.ts';

/** A file that a message carries. */
export interface AttachedFile {
  /** What a ref of its documents begins with: message, content, name. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What a message carries, or why it is not looked into. */
export type MessageContent =
  | { readonly kind: 'files'; readonly files: readonly AttachedFile[] }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

/** Bounds of a message; one beyond them is told by a ref of its own, and is not read. */
export const messageLimits = {
  /** A file of 32 MiB takes a third more in a message. */
  bytesMax: 50_331_648,
  filesMax: 500,
  depthMax: 30,
  headersMax: 1_048_576,
} as const;

/** Stands for the content of a message that is not looked into. */
const wholeMessage = 'message';

const refPattern = /^(.{1,250})\/([0-9a-f]{16})\/(.+)$/s;

/** What a ref names: a message by its key, and what of it. */
export interface MessageRef {
  readonly key: string;
  /** The ref without the document: `key/hash/name`, or `key/message`. */
  readonly file: string;
}

/** The parts of a ref, or undefined when it is none of a message. */
export function parseMessageRef(ref: string): MessageRef | undefined {
  if (ref.length > limits.refLengthMax) return undefined;
  const whole = /^(.{1,250})\/message$/s.exec(ref)?.[1];
  if (whole !== undefined && isKey(whole)) return { key: whole, file: ref };
  const [, key = '', hash, name = ''] = refPattern.exec(ref) ?? [];
  if (!isKey(key)) return undefined;
  const [, file = name] = /^(.+?\.(?:csv|json|xml|xlsx|pdf))#.+$/is.exec(name) ?? [];
  return { key, file: `${key}/${hash}/${file}` };
}

/** The ref of a message that is not looked into. */
export function wholeRef(key: string): string {
  return `${key}/${wholeMessage}`;
}

const usualId = /^[A-Za-z0-9.!$%&'*+=?^_{|}~@-]{1,160}$/;
const otherId = /^headers-[0-9a-f]{32}$/;

/**
 * What a message is called whatever number its mailbox gives it: its Message-ID, or a hash of its
 * headers where that is missing or of unusual characters.
 */
export function messageKey(headers: Uint8Array): string {
  const id = messageIdOf(headers);
  if (id !== undefined && usualId.test(id) && !id.startsWith('headers-')) return id;
  return `headers-${createHash('sha256').update(headers).digest('hex').slice(0, 32)}`;
}

/** Whether the server can be asked for a message by this key: as its Message-ID. */
export function isMessageId(key: string): boolean {
  return usualId.test(key) && !key.startsWith('headers-');
}

function isKey(key: string): boolean {
  return usualId.test(key) || otherId.test(key);
}

function messageIdOf(headers: Uint8Array): string | undefined {
  const text = Buffer.from(headers.subarray(0, messageLimits.headersMax)).toString('latin1');
  return /^message-id:[ \t]*(?:\r?\n[ \t]+)?<([^<>\r\n]*)>/im.exec(text)?.[1];
}

/** The headers of a message: what stands before its first empty line. */
export function headersOf(source: Uint8Array): Uint8Array {
  const text = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const ends = ['\r\n\r\n', '\n\n'].map((end) => text.indexOf(end)).filter((at) => at >= 0);
  return source.subarray(0, ends.length === 0 ? source.length : Math.min(...ends));
}

/** The files with documents that a message carries, those of messages attached to it among them. */
export async function attachedFiles(key: string, source: Uint8Array): Promise<MessageContent> {
  const attachments = await attachmentsOf(source, 1);
  if (attachments === undefined) {
    const message = 'The message is nested too deep, or its headers are too long.';
    return { kind: 'refused', code: 'message_unreadable', message };
  }
  const wanted = attachments.flatMap((attachment) => fileOf(attachment) ?? []);
  if (wanted.length > messageLimits.filesMax) {
    const message = `The message carries ${wanted.length} files; at most ${messageLimits.filesMax} are read.`;
    return { kind: 'refused', code: 'too_many_files', message };
  }
  const closed = wanted.length > 0 ? undefined : attachments.find(isClosed);
  if (closed !== undefined) {
    const message = `The message is encrypted, or packed by Outlook (${closed.mimeType}): nobody knows here what it carries. Ask for it as a usual message.`;
    return { kind: 'refused', code: 'message_closed', message };
  }
  const files = new Map<string, AttachedFile>();
  for (const { name, bytes } of wanted) {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    const ref = `${key}/${hash}/${name}`;
    files.set(ref, { name: ref, bytes });
  }
  return { kind: 'files', files: [...files.values()] };
}

/** Undefined where it, or a message attached to it, is beyond the bounds. */
async function attachmentsOf(
  source: Uint8Array,
  depth: number,
): Promise<readonly Attachment[] | undefined> {
  if (depth > attachedDepthMax) return undefined;
  const { default: PostalMime } = await import('postal-mime');
  let email: Email;
  try {
    email = await PostalMime.parse(source, {
      maxNestingDepth: messageLimits.depthMax,
      maxHeadersSize: messageLimits.headersMax,
    });
  } catch {
    return undefined;
  }
  const all: Attachment[] = [];
  for (const attachment of email.attachments) {
    const bytes = bytesOf(attachment);
    // Forwarded "as an attachment"; what is forwarded in the text is taken apart by the library.
    const inner =
      isMessage(attachment) && bytes !== undefined
        ? await attachmentsOf(bytes, depth + 1)
        : [attachment];
    if (inner === undefined) return undefined;
    all.push(...inner);
  }
  return all;
}

/** Messages within each other. */
const attachedDepthMax = 5;

function isMessage({ mimeType, filename }: Attachment): boolean {
  return mimeType === 'message/rfc822' || /\.eml$/i.test(filename ?? '');
}

/** Encrypted, signed with the content inside, or in Outlook's own format. */
function isClosed({ mimeType }: Attachment): boolean {
  return closedTypes.has(mimeType);
}

const closedTypes = new Set([
  'application/pkcs7-mime',
  'application/x-pkcs7-mime',
  'application/pgp-encrypted',
  'application/ms-tnef',
  'application/vnd.ms-tnef',
]);

function bytesOf({ content }: Attachment): Uint8Array | undefined {
  if (typeof content === 'string') return undefined;
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}

const nameLengthMax = 60;

/** Extensions by media type, for files whose name has none. */
const extensions: Readonly<Record<string, string>> = {
  'application/xml': '.xml',
  'text/xml': '.xml',
  'application/json': '.json',
  'text/csv': '.csv',
  'application/pdf': '.pdf',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': '.xlsx',
};

function fileOf(attachment: Attachment): AttachedFile | undefined {
  const { filename, mimeType } = attachment;
  const bytes = bytesOf(attachment);
  const given = fileName(filename ?? '');
  const name =
    kindOfFile(given) !== undefined ? given : `${given || 'file'}${extensions[mimeType] ?? ''}`;
  // A file that is called docx is one, whatever type its sender gave it.
  const isOther = /\.[a-z0-9]{2,4}$/i.test(given) && kindOfFile(given) === undefined;
  if (isOther || kindOfFile(name) === undefined || bytes === undefined) return undefined;
  return { name, bytes };
}

/** The last part of a name that may look like a path, with its end kept when it is long. */
function fileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const plain = last.replace(/[\p{Cc}\p{Bidi_Control}#]/gu, '_').toWellFormed();
  return plain.slice(-nameLengthMax);
}
