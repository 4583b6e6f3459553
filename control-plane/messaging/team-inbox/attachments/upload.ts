/** Receives a file of a form: writes it to a temporary file, measures it, and reads its type. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileNameOf } from '@drawbridge/messaging/inbox/file-name.ts';
import { mediaTypeOf, sniffedBytes } from '@drawbridge/messaging/inbox/media-type.ts';
import type { ObjectSource } from '../../../platform/objects/objects.ts';
import { fail, invalid } from '../../errors.ts';
import { type FormFile, fileOfForm, isForm } from '../../form-file.ts';

export const attachmentBytesMax = 25 * 1_024 * 1_024;

export interface Upload extends Omit<ObjectSource, 'stream'> {
  readonly name: string;
  readonly mediaType: string;
  /** The bytes, from the beginning. */
  open(): Readable;
}

/** Closes the connection with the answer, because the rest of the file is not read. */
const closing = { headers: { connection: 'close' } };

/**
 * Reads the part `file` into a temporary file and passes it to `use`. Throws `ApiError` when it is
 * too large or its type is not allowed.
 */
export async function withUpload<T>(
  request: IncomingMessage,
  signal: AbortSignal,
  use: (upload: Upload) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'upload-'));
  try {
    const path = join(folder, 'file');
    const { file, given } = formOf(request);
    const { meter, seen } = measure();
    await pipeline(file, meter, createWriteStream(path, { mode: 0o600 }), { signal });
    const { bytes, sha256, head } = seen();
    if (bytes === 0) throw invalid('file', 'is empty');
    const mediaType = mediaTypeOf(head);
    if (mediaType === undefined) {
      const detail = 'Only pictures, sound, film, PDF and plain text can be attached.';
      throw fail('unsupported_media_type', detail, closing);
    }
    const open = () => createReadStream(path);
    return await use({ name: fileNameOf(given(), mediaType), mediaType, bytes, sha256, open });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function measure() {
  const sum = createHash('sha256');
  let bytes = 0;
  let head = Buffer.alloc(0);
  const meter = new Transform({
    transform: (chunk: Buffer, _, done) => {
      bytes += chunk.length;
      sum.update(chunk);
      if (head.length < sniffedBytes) head = Buffer.concat([head, chunk.subarray(0, sniffedBytes)]);
      if (bytes <= attachmentBytesMax) return done(null, chunk);
      const detail = `The file is larger than ${attachmentBytesMax} bytes.`;
      done(fail('payload_too_large', detail, closing));
    },
  });
  return { meter, seen: () => ({ bytes, sha256: sum.digest('hex'), head }) };
}

function formOf(request: IncomingMessage): FormFile {
  if (isForm(request)) return fileOfForm(request);
  throw fail('unsupported_media_type', 'Send a form with the part "file".', closing);
}
