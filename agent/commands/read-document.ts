import { type Failed, failed } from '../outcome.ts';
import { readFileUpTo, readUpTo } from '../read-up-to.ts';
import type { Runtime } from '../runtime.ts';

type Read = { readonly kind: 'read'; readonly bytes: Uint8Array } | Failed;

/** The bytes of a file, or of standard input for `-`; a document over the limit is refused. */
export async function readDocument(
  file: string,
  bytesMax: number,
  runtime: Runtime,
): Promise<Read> {
  try {
    const bytes =
      file === '-'
        ? await readUpTo(runtime.stdin as AsyncIterable<Uint8Array>, bytesMax)
        : await readFileUpTo(file, bytesMax);
    if (bytes !== undefined) return { kind: 'read', bytes };
    return failed('document_too_large', `${file} has more than ${bytesMax} bytes.`);
  } catch (error) {
    return failed('file_missing', `${file} cannot be read: ${(error as Error).message}.`);
  }
}
