/** The file of an uploaded form: its only part, named `file`. */
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { storable } from '../platform/db/storable.ts';
import { invalid } from './errors.ts';

export interface FormFile {
  /** The bytes; the stream ends when the whole form was read. */
  readonly file: Readable;
  /** The file name in the form; known once the file was read. */
  given(): string | undefined;
}

export function isForm({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data;.*boundary=/i.test(headers['content-type'] ?? '');
}

/** Reads a form; a fault ends the file's stream with an `ApiError`. Throws one for a boundary that is none. */
export function fileOfForm(request: IncomingMessage): FormFile {
  const file = new PassThrough();
  const form = readerOf(request);
  let isFound = false;
  let name: string | undefined;
  form.on('file', (field, part, filename) => {
    if (field !== 'file') return void part.resume();
    if (isFound) {
      part.resume();
      // Keeping only the first would lose a file that the client believes stored.
      return void file.destroy(invalid('file', 'occurs twice: send one file at a time'));
    }
    isFound = true;
    name = storable(filename);
    part.on('error', (error) => file.destroy(error));
    part.pipe(file, { end: false });
  });
  form.on('finish', () => (isFound ? file.end() : file.destroy(invalid('file', 'is required'))));
  form.on('error', () => file.destroy(invalid('file', 'the form is broken')));
  request.on('error', (error) => file.destroy(error));
  request.pipe(form);
  return { file, given: () => name };
}

function readerOf(request: IncomingMessage): InstanceType<typeof Busboy> {
  const headers = request.headers as BusboyHeaders;
  try {
    return new Busboy({ headers, limits: { files: 2, fields: 0, parts: 3, headerPairs: 20 } });
  } catch {
    // Its only faults are those of the header: no boundary, or one that is too long.
    throw invalid('file', 'the form is broken');
  }
}
