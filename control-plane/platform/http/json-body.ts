import type { IncomingMessage } from 'node:http';
import { commonFail } from './errors.ts';
import { syntaxFaultOf } from './json-syntax.ts';

/** What a body may hold, however large its route allows it to be. */
export const depthMax = 64;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads and parses a JSON body of at most `bytesMax`; undefined when there is none. Throws
 * `ApiError`.
 */
export async function readJson(request: IncomingMessage, bytesMax: number): Promise<unknown> {
  const announced = Number(request.headers['content-length'] ?? Number.NaN);
  if (announced === 0 || (Number.isNaN(announced) && !request.headers['transfer-encoding'])) {
    return undefined;
  }
  if (announced > bytesMax) throw tooLarge(bytesMax);
  refuseOtherMedia(request);
  return parseJson(await readBytes(request, bytesMax));
}

/**
 * Parses JSON that the database can hold: UTF-8, no NUL, no half characters, not too deep. Throws
 * `ApiError`.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { line, column } = syntaxFaultOf(text);
    throw commonFail(
      'malformed_json',
      `The body is not JSON: it breaks off or goes wrong at line ${line}, column ${column}.`,
      { body: { line, column } },
    );
  }
  refuseUnstorable(value, 0);
  return value;
}

/** Throws when a text within the value cannot be stored; for parameters as well as bodies. */
export function refuseUnstorable(value: unknown, depth: number): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw commonFail('invalid_request', 'A text holds U+0000 or half of a surrogate pair.');
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth === depthMax) {
    throw commonFail('invalid_request', `The body is nested more than ${depthMax} levels deep.`);
  }
  for (const [key, member] of Object.entries(value)) {
    refuseUnstorable(key, depth);
    refuseUnstorable(member, depth + 1);
  }
}

function refuseOtherMedia({ headers }: IncomingMessage): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const isJson =
    type.trim() === 'application/json' || /^application\/[\w.-]+\+json$/.test(type.trim());
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith('charset='));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (!isJson || !isUtf8) {
    throw commonFail('unsupported_media_type', 'Send the body as application/json in UTF-8.');
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw commonFail('unsupported_media_type', 'Send the body without Content-Encoding.');
  }
}

/** A body of at most `bytesMax` as it came. Throws `ApiError`. */
export async function readBytes(request: IncomingMessage, bytesMax: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The connection ends with the answer: what is left of the body is not worth reading. */
function tooLarge(bytesMax: number): Error {
  const detail = `The body is larger than ${bytesMax} bytes.`;
  return commonFail('payload_too_large', detail, { headers: { connection: 'close' } });
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw commonFail('malformed_json', 'The body is not UTF-8.');
  }
}
