/** The longest wait taken from a server, unless the caller allows another. */
const hourMs = 60 * 60 * 1_000;

/**
 * The milliseconds that a `Retry-After` header asks for (seconds or an HTTP date; RFC 9110,
 * 10.2.3), at most `waitMsMax`; undefined when the header is absent or not valid.
 */
export function retryAfterMs(
  header: string | undefined,
  now: Date,
  waitMsMax: number = hourMs,
): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), waitMsMax);
}
