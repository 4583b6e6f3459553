import { createReadStream } from 'node:fs';
import { type Failed, failed } from '../outcome.ts';
import type { Runtime } from '../runtime.ts';

type Read = { readonly kind: 'read'; readonly bytes: Uint8Array } | Failed;

/** The bytes of a file, or of standard input for `-`; a document over the limit is refused. */
export async function readDocument(
  file: string,
  bytesMax: number,
  runtime: Runtime,
): Promise<Read> {
  const stream = file === '-' ? runtime.stdin : createReadStream(file);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > bytesMax) {
        return failed('document_too_large', `${file} has more than ${bytesMax} bytes.`);
      }
      chunks.push(chunk);
    }
  } catch (error) {
    return failed('file_missing', `${file} cannot be read: ${(error as Error).message}.`);
  }
  return { kind: 'read', bytes: Buffer.concat(chunks) };
}
