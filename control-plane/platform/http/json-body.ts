import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type BodyReservation, tinyBodyBytes } from './body-reservation.ts';
import { type ApiError, commonFail, invalid } from './errors.ts';
import { type JsonFault, JsonScanner } from './json-scanner.ts';
import { ReceivedBytes } from './received-bytes.ts';

/** How deep a JSON value may be nested. */
const depthMax = 64;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** How much a JSON body of a route may be. */
export interface JsonBodyLimits {
  readonly bytesMax: number;
  /** Objects, arrays, texts, numbers and the like, all together. */
  readonly valuesMax: number;
}

/**
 * Reads a JSON body that the database can hold: UTF-8, no NUL, no half characters, not too deep, not
 * too many values. It is looked through as it arrives, and refused at the first byte that is wrong;
 * what is answered is fit for `parseJson`. Undefined when there is none. `turn` is awaited after each piece
 * of a large one. Throws `ApiError`.
 */
export async function readJson(
  request: IncomingMessage,
  limits: JsonBodyLimits,
  reservation: BodyReservation,
  turn: () => Promise<void>,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { bytesMax, valuesMax } = limits;
  const announced = Number(request.headers['content-length'] ?? Number.NaN);
  if (announced === 0 || (Number.isNaN(announced) && !request.headers['transfer-encoding'])) {
    return undefined;
  }
  if (announced > bytesMax) throw tooLarge(bytesMax);
  refuseOtherMedia(request);
  if (!Number.isNaN(announced)) reservation.extendTo(announced);
  const scanner = new JsonScanner({ depthMax, valuesMax });
  const bytes = await readBytes(request, bytesMax, async (chunk, read) => {
    reservation.extendTo(read.size);
    const fault = scanner.write(chunk);
    if (fault !== undefined) throw refusalOf(fault, read.bytes(), limits);
    if (read.size > tinyBodyBytes) await turn();
  });
  const fault = scanner.end();
  if (fault !== undefined) throw refusalOf(fault, bytes, limits);
  if (!isUtf8(bytes)) throw notUtf8();
  return bytes;
}

/**
 * The value of a body as `readJson` answers it. Throws `ApiError` for a member called `__proto__`: schemas
 * would leave it out in silence.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = utf8.decode(bytes);
  const value: unknown = JSON.parse(text);
  if (/__proto__|\\u00(?:5f|[67])/i.test(text)) refusePrototype(value, []);
  return value;
}

function refusePrototype(value: unknown, path: readonly string[]): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const place = [...path, name];
    if (name === '__proto__') throw invalid(place.join('.'), 'is a name that cannot be used');
    refusePrototype(member, place);
  }
}

function refusalOf(fault: JsonFault, read: Uint8Array, { valuesMax }: JsonBodyLimits): ApiError {
  switch (fault.kind) {
    case 'syntax': {
      if (!isUtf8(whole(read))) return notUtf8();
      const { line, column } = fault;
      return commonFail(
        'malformed_json',
        `The body is not JSON: it breaks off or goes wrong at line ${line}, column ${column}.`,
        { body: { line, column } },
      );
    }
    case 'depth':
      return tooDeep();
    case 'values':
      return commonFail(
        'payload_too_large',
        `The body holds more than ${valuesMax} values: send less at a time.`,
      );
    case 'unstorable':
      return unstorable();
  }
}

/** What has arrived, without a character of which only a part has. */
function whole(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.findLastIndex((each) => each < 0x80) + 1);
}

function notUtf8(): ApiError {
  return commonFail('malformed_json', 'The body is not UTF-8.');
}

function tooDeep(): ApiError {
  return commonFail('invalid_request', `The body is nested more than ${depthMax} levels deep.`);
}

function unstorable(): ApiError {
  return commonFail('invalid_request', 'A text holds U+0000 or half of a surrogate pair.');
}

/** Throws when a text within the value cannot be stored; for what is no JSON body. */
export function refuseUnstorable(value: unknown, depth: number): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw unstorable();
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth === depthMax) throw tooDeep();
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

/**
 * A body of at most `bytesMax` as it came, whatever it is. What has arrived is reserved and not what was announced:
 * whoever sends nothing takes no room from others. `turn` is awaited after each piece of a large one. Throws `ApiError`.
 */
export function readReserved(
  request: IncomingMessage,
  bytesMax: number,
  reservation: BodyReservation,
  turn: () => Promise<void>,
): Promise<Uint8Array<ArrayBuffer>> {
  return readBytes(request, bytesMax, async (_, read) => {
    reservation.extendTo(read.size);
    if (read.size > tinyBodyBytes) await turn();
  });
}

/**
 * A body of at most `bytesMax` as it came; `look` sees each piece as it arrives, with all that has been
 * read, and refuses the body by throwing; the next piece is read when it has resolved. Throws `ApiError`.
 */
async function readBytes(
  request: IncomingMessage,
  bytesMax: number,
  look: (chunk: Uint8Array, read: ReceivedBytes) => Promise<void>,
): Promise<Uint8Array<ArrayBuffer>> {
  const announced = request.headers['content-length'];
  if (Number(announced) > bytesMax) throw tooLarge(bytesMax);
  const read = new ReceivedBytes(announced === undefined ? undefined : Number(announced));
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (read.size + chunk.length > bytesMax) throw tooLarge(bytesMax);
    read.add(chunk);
    await look(chunk, read);
  }
  return read.bytes();
}

/** The connection ends with the answer: what is left of the body is not worth reading. */
function tooLarge(bytesMax: number): ApiError {
  const detail = `The body is larger than ${bytesMax} bytes.`;
  return commonFail('payload_too_large', detail, { headers: { connection: 'close' } });
}
