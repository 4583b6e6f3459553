/**
 * Headers that say when to ask again: in whole seconds, as HTTP defines it (RFC 9110, 10.2.3), and
 * in milliseconds, because a client with fifty requests a second would lose much by rounding.
 */
export function retryAfter(ms: number): Readonly<Record<string, string>> {
  return {
    'retry-after': String(Math.max(1, Math.ceil(ms / 1_000))),
    'retry-after-ms': String(Math.max(1, Math.ceil(ms))),
  };
}
