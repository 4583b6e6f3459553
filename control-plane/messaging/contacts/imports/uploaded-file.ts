/** The bytes of an uploaded file, as they come. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { fail } from '../../errors.ts';
import { fileOfForm, isForm } from '../../form-file.ts';

export const fileBytesMax = 100 * 1_024 * 1_024;

/** Closes the connection with the answer, because the rest of the file is not read. */
export const closing = { headers: { connection: 'close' } };

export interface UploadedFile {
  readonly bytes: AsyncIterable<Buffer>;
  /** Its name in the form; known once it was read. */
  given(): string | undefined;
}

/**
 * The file of a request: a form's part named `file`, or the body itself as text/csv. Reading fails with an
 * `ApiError`, and when the client disconnects.
 */
export function uploadedFile(request: IncomingMessage, signal: AbortSignal): UploadedFile {
  const type = (request.headers['content-type'] ?? '').toLowerCase();
  if (type.startsWith('text/csv')) {
    return { bytes: bounded(request, signal), given: () => undefined };
  }
  if (!isForm(request)) {
    throw fail('unsupported_media_type', 'Send a form with the part "file", or text/csv.', closing);
  }
  const { file, given } = fileOfForm(request);
  // It may fail before it is read; whoever then reads it is told.
  file.on('error', () => {});
  return { bytes: bounded(file, signal), given };
}

async function* bounded(source: Readable, signal: AbortSignal): AsyncGenerator<Buffer> {
  let size = 0;
  // Who stops reading still has to be answered, so the connection stays.
  for await (const chunk of source.iterator({ destroyOnReturn: false })) {
    signal.throwIfAborted();
    size += (chunk as Buffer).length;
    if (size > fileBytesMax) {
      throw fail('payload_too_large', `The file is larger than ${fileBytesMax} bytes.`, closing);
    }
    yield chunk as Buffer;
  }
}
