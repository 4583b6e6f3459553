import { codeOf } from './outcome.ts';

/** The body of an answer, as far as it was read. */
export interface AnswerBody {
  /** At most as many bytes as the caller asked for. */
  readonly body: Buffer;
  /** Why `body` is not all of it; undefined when it is. */
  readonly bodyFault: BodyFault | undefined;
}

/** Why a body is not whole: longer than the limit, or the connection broke. */
interface BodyFault {
  readonly kind: 'too-long' | 'broken-off';
  readonly reason: string;
}

/**
 * Reads up to `bytesMax` bytes. Never throws: a broken body must not hide the status that came
 * first.
 */
export async function readUpTo(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<AnswerBody> {
  const read: Uint8Array[] = [];
  let size = 0;
  let bodyFault: BodyFault | undefined;
  try {
    for await (const chunk of chunks) {
      read.push(chunk);
      size += chunk.length;
      if (size <= bytesMax) continue;
      bodyFault = { kind: 'too-long', reason: `more than ${bytesMax} bytes` };
      break; // leaving the loop closes the connection
    }
  } catch (error) {
    bodyFault = { kind: 'broken-off', reason: codeOf(error) }; // the caller decides what that means
  }
  return { body: Buffer.concat(read).subarray(0, bytesMax), bodyFault };
}

/** Headers with names in lower case; several values of one header are joined by `, `. */
export function plainHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}
