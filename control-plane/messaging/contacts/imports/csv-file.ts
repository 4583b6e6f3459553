/** A CSV file as it comes over the wire: records one by one, never the whole of it. */
import type { IncomingMessage } from 'node:http';
import { addAbortSignal, PassThrough, type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { CsvError, parse } from 'csv-parse';
import { fail, invalid } from '../../errors.ts';

export const fileBytesMax = 100 * 1_024 * 1_024;
const recordBytesMax = 64 * 1_024;

export interface CsvRecord {
  /** The line it ends on, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** The connection ends with the answer: what is left of the file is not worth reading. */
const closing = { headers: { connection: 'close' } };

/**
 * The records of the request's file: a form's part named `file`, or the body itself as text/csv.
 * Throws `ApiError` where the file cannot be read on; ends when the caller hangs up.
 */
export async function* csvRecords(
  request: IncomingMessage,
  signal: AbortSignal,
): AsyncGenerator<CsvRecord> {
  const parser = parse({
    bom: true,
    info: true,
    max_record_size: recordBytesMax,
    skip_empty_lines: true,
  });
  addAbortSignal(signal, parser);
  const reading = pipeline(fileOf(request), bounded(), parser);
  reading.catch((error: Error) => parser.destroy(error));
  try {
    for await (const { record, info } of parser) yield { line: info.lines, fields: record };
    await reading;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as { lines?: number };
    const problem = `is not CSV with as many fields in each line as in the first (line ${lines})`;
    throw fail('invalid_request', `file: ${problem}`, {
      ...closing,
      body: { errors: { file: [problem] } },
    });
  }
}

function bounded(): Transform {
  let size = 0;
  return new Transform({
    transform: (chunk: Buffer, _, done) => {
      size += chunk.length;
      if (size <= fileBytesMax) return done(null, chunk);
      const detail = `The file is larger than ${fileBytesMax} bytes.`;
      done(fail('payload_too_large', detail, closing));
    },
  });
}

function fileOf(request: IncomingMessage): Readable {
  const type = (request.headers['content-type'] ?? '').toLowerCase();
  if (type.startsWith('text/csv')) return request;
  if (!/^multipart\/form-data;.*boundary=/.test(type)) {
    throw fail('unsupported_media_type', 'Send a form with the part "file", or text/csv.', closing);
  }
  const file = new PassThrough();
  const form = new Busboy({
    headers: request.headers as BusboyHeaders,
    limits: { files: 1, fields: 0, parts: 2, headerPairs: 20 },
  });
  let isFound = false;
  form.on('file', (name, part) => {
    if (name !== 'file' || isFound) return void part.resume();
    isFound = true;
    part.on('error', (error) => file.destroy(error));
    part.pipe(file);
  });
  form.on('finish', () => isFound || file.destroy(invalid('file', 'is required')));
  form.on('error', () => file.destroy(invalid('file', 'the form is broken')));
  request.on('error', (error) => file.destroy(error));
  request.pipe(form);
  return file;
}
