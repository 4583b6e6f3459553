/**
 * Signing of webhook bodies, and the check that a receiver makes.
 *
 * The body ends with `,"signature":"sha256=<hex>"}`. The signed text is `"<ts>."` (`ts` as printed
 * in the body) and the bytes of the body without that member, so a receiver needs no canonical
 * JSON. The key of this form is the secret as it is shown, including `whsec_`. The Standard
 * Webhooks headers are sent too; they sign the whole body with the key that this specification
 * decodes from the secret.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** A signed body, with the headers to send with it. */
export interface SignedRequest {
  /** The exact text to send, UTF-8. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What to sign. */
export interface ToSign {
  /** The same for every retry, so that a receiver can drop repeats. */
  readonly eventId: string;
  /** A JSON object without `ts` and `signature`, as text. */
  readonly payload: string;
  /** When this attempt is signed; each attempt has its own instant. */
  readonly signedAt: Date;
  /** Live secrets, newest first; the body has the digest of the newest, the headers one of each. */
  readonly secrets: readonly string[];
}

/** A request as a receiver gets it. */
export interface ToVerify {
  /** As received, before any parsing. */
  readonly body: string | Uint8Array;
  /** Headers by lower-case name; needed while two secrets are live, and for the Standard form. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** The secrets of which one must have signed. */
  readonly secrets: readonly string[];
  readonly now: Date;
  readonly toleranceSeconds?: number;
}

/** The result of a receiver's check. */
export type Verdict =
  | { readonly kind: 'verified'; readonly event: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly reason: 'malformed' | 'stale' | 'mismatch' };

/** Seconds by which the signing time may differ from the receiver's clock. */
const replayWindowSeconds = 300;

const secretPrefix = 'whsec_';
const secretBytesMin = 24;
const secretBytesMax = 64;
const bodySuffix = /,"signature":"sha256=([0-9a-f]{64})"\}$/;
const suffixLength = ',"signature":"sha256="}'.length + 64;

/** A signing secret of 24 to 64 random bytes, as it is shown to the customer. */
export function secretOf(random: Uint8Array): string {
  if (random.length < secretBytesMin || random.length > secretBytesMax) {
    throw new Error('a signing secret is 24 to 64 bytes');
  }
  return secretPrefix + Buffer.from(random).toString('base64');
}

/** The body and signature headers of one attempt. */
export function sign({ eventId, payload, signedAt, secrets }: ToSign): SignedRequest {
  const [newest] = secrets;
  if (newest === undefined) throw new Error('an endpoint has at least one secret');
  if (!payload.endsWith('}')) throw new Error('a webhook payload is a JSON object');
  const ts = signedAt.toISOString();
  const unsigned = `${payload.slice(0, -1)},"ts":"${ts}"}`;
  const digests = secrets.map((secret) => bodyDigest(secret, ts, unsigned));
  const body = `${unsigned.slice(0, -1)},"signature":"sha256=${digests[0]}"}`;
  const seconds = Math.floor(signedAt.getTime() / 1_000).toString();
  const standard = secrets.map((secret) => standardDigest(secret, eventId, seconds, body));
  return {
    body,
    headers: {
      'x-signature': digests.map((digest) => `sha256=${digest}`).join(', '),
      'x-signature-timestamp': ts,
      'webhook-id': eventId,
      'webhook-timestamp': seconds,
      'webhook-signature': standard.map((digest) => `v1,${digest}`).join(' '),
    },
  };
}

/**
 * The check that a receiver makes of the signature in the body (or of `X-Signature`, while two
 * secrets are live).
 */
export function verify(request: ToVerify): Verdict {
  const text = textOf(request.body);
  const found = bodySuffix.exec(text)?.[1];
  if (found === undefined) return { kind: 'refused', reason: 'malformed' };
  const unsigned = `${text.slice(0, -suffixLength)}}`;
  const event = parseObject(unsigned);
  const ts = event?.ts;
  if (event === undefined || typeof ts !== 'string') {
    return { kind: 'refused', reason: 'malformed' };
  }
  if (isStale(Date.parse(ts), request)) return { kind: 'refused', reason: 'stale' };
  const listed = (request.headers?.['x-signature'] ?? '').split(',');
  const offered = [`sha256=${found}`, ...listed.map((part) => part.trim())];
  const expected = request.secrets.map((key) => `sha256=${bodyDigest(key, ts, unsigned)}`);
  return isAnyEqual(offered, expected)
    ? { kind: 'verified', event }
    : { kind: 'refused', reason: 'mismatch' };
}

/** The check that a receiver makes of the Standard Webhooks headers. */
export function verifyStandard(request: ToVerify): Verdict {
  const id = request.headers?.['webhook-id'];
  const seconds = request.headers?.['webhook-timestamp'];
  const signatures = request.headers?.['webhook-signature'];
  const text = textOf(request.body);
  const event = parseObject(text);
  if (!id || !signatures || !seconds || !/^\d{1,12}$/.test(seconds) || event === undefined) {
    return { kind: 'refused', reason: 'malformed' };
  }
  if (isStale(Number(seconds) * 1_000, request)) return { kind: 'refused', reason: 'stale' };
  const expected = request.secrets.map((key) => `v1,${standardDigest(key, id, seconds, text)}`);
  return isAnyEqual(signatures.split(' '), expected)
    ? { kind: 'verified', event }
    : { kind: 'refused', reason: 'mismatch' };
}

function bodyDigest(secret: string, ts: string, unsigned: string): string {
  return createHmac('sha256', secret).update(`${ts}.${unsigned}`).digest('hex');
}

function standardDigest(secret: string, id: string, seconds: string, body: string): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
}

function isStale(signedAtMs: number, { now, toleranceSeconds }: ToVerify): boolean {
  const distanceMs = Math.abs(now.getTime() - signedAtMs);
  return !(distanceMs <= (toleranceSeconds ?? replayWindowSeconds) * 1_000); // NaN is stale
}

/** Compares every pair in constant time: the duration does not reveal how much of one was right. */
function isAnyEqual(offered: readonly string[], expected: readonly string[]): boolean {
  const pairs = offered.flatMap((mine) => expected.map((theirs) => isEqual(mine, theirs)));
  return pairs.includes(true);
}

function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function textOf(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // not JSON: an expected outcome here
  }
}
