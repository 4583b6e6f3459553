/** The file of a form on its way in: the one part that is called `file`. */
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { invalid } from './errors.ts';

export interface FormFile {
  /** Its bytes; they end when the whole form was read. */
  readonly file: Readable;
  /** What it is called there; known once it was read. */
  given(): string | undefined;
}

export function isForm({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data;.*boundary=/i.test(headers['content-type'] ?? '');
}

/** Reads a form; what is wrong with it ends the file with an `ApiError`. */
export function fileOfForm(request: IncomingMessage): FormFile {
  const file = new PassThrough();
  const form = new Busboy({
    headers: request.headers as BusboyHeaders,
    limits: { files: 2, fields: 0, parts: 3, headerPairs: 20 },
  });
  let isFound = false;
  let name: string | undefined;
  form.on('file', (field, part, filename) => {
    if (field !== 'file') return void part.resume();
    if (isFound) {
      part.resume();
      // Keeping the first and dropping the second would lose a file that the caller thinks is here.
      return void file.destroy(invalid('file', 'is there twice: send one file at a time'));
    }
    isFound = true;
    name = filename;
    part.on('error', (error) => file.destroy(error));
    part.pipe(file, { end: false });
  });
  form.on('finish', () => (isFound ? file.end() : file.destroy(invalid('file', 'is required'))));
  form.on('error', () => file.destroy(invalid('file', 'the form is broken')));
  request.on('error', (error) => file.destroy(error));
  request.pipe(form);
  return { file, given: () => name };
}
