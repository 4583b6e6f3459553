/**
 * Headers that say when to ask again: in whole seconds, as HTTP has it (RFC 9110, 10.2.3), and to the
 * millisecond, since a second is long for whoever asks fifty times in one.
 */
export function retryAfter(ms: number): Readonly<Record<string, string>> {
  return {
    'retry-after': String(Math.max(1, Math.ceil(ms / 1_000))),
    'retry-after-ms': String(Math.max(1, Math.ceil(ms))),
  };
}
