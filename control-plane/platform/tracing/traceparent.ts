/** The header and column `traceparent`, which names a span of another process: W3C Trace Context, 3.2. */

/** A span of another process. */
export interface RemoteSpan {
  /** 32 and 16 hexadecimal digits. */
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

const lengthMax = 256;
const form =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** What it names; undefined when it is not valid, and then a new trace begins. */
export function parseTraceparent(text: string | null | undefined): RemoteSpan | undefined {
  if (text === null || text === undefined || text.length > lengthMax) return undefined;
  const [, version, traceId, spanId, flags, more] = form.exec(text) ?? [];
  // Later versions may say more; this one says no more.
  if (version === undefined || (version === '00' && more !== undefined)) return undefined;
  return { traceId: traceId!, spanId: spanId!, isSampled: (Number.parseInt(flags!, 16) & 1) === 1 };
}

/** The text that names a span. */
export function formatTraceparent({ traceId, spanId, isSampled }: RemoteSpan): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}
