import { commonFail } from '../http/errors.ts';

/** Characters of an Idempotency-Key, at most. */
const keyLengthMax = 255;

/**
 * The value of an Idempotency-Key header, bare or as the quoted string of the IETF draft; undefined
 * when none was sent. Throws `invalid_request` unless it is 1 to 255 printable ASCII characters.
 */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const value = text.startsWith('"') ? unquoted(text) : text;
  if (value !== undefined && value.length <= keyLengthMax && /^[\x20-\x7e]+$/.test(value))
    return value;
  const message = `must be 1 to ${keyLengthMax} printable ASCII characters`;
  throw commonFail('invalid_request', `Idempotency-Key: ${message}`, {
    body: { errors: { 'idempotency-key': [message] } },
  });
}

/** The content of a structured-field string (RFC 9651); undefined when it is not one. */
function unquoted(text: string): string | undefined {
  const inner = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)?.[1];
  return inner?.replace(/\\(["\\])/g, '$1');
}
