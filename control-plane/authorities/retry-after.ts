/** The longest wait taken from a server's word; a longer one is cut to this. */
const waitMsMax = 60 * 60 * 1_000;

/**
 * Milliseconds a `Retry-After` header asks for (seconds or an HTTP date), undefined when it says
 * nothing.
 */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), waitMsMax);
}
