/** Reads an uploaded CSV file as a stream, without keeping all of it in memory. */
import type { IncomingMessage } from 'node:http';
import { addAbortSignal, type Readable, Transform, type TransformOptions } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, type InfoRecord, type Options, parse } from 'csv-parse';
import { fail } from '../../errors.ts';
import { fileOfForm, isForm } from '../../form-file.ts';

const fileBytesMax = 100 * 1_024 * 1_024;
const recordBytesMax = 64 * 1_024;
const recordsAtOnce = 500;

export interface CsvRecord {
  /** The line on which it ends, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** Closes the connection with the answer, because the rest of the file is not read. */
const closing = { headers: { connection: 'close' } };

/**
 * The records of the request's file, some hundreds at a time: from a form's part named `file`, or
 * from the body itself as text/csv. Throws `ApiError` where the rest of the file cannot be read;
 * ends when the client disconnects.
 */
export async function* csvRecords(
  request: IncomingMessage,
  signal: AbortSignal,
): AsyncGenerator<readonly CsvRecord[]> {
  const held: CsvRecord[] = [];
  const options = {
    bom: true,
    max_record_size: recordBytesMax,
    skip_empty_lines: true,
    readableHighWaterMark: 1,
    // One record at a time, a stream spends more on the transfer than on the parsing.
    on_record: (fields: string[], { lines }: InfoRecord) => {
      held.push({ line: lines, fields });
      return held.length < recordsAtOnce ? null : held.splice(0);
    },
  } satisfies Options<CsvRecord[], string[]> & TransformOptions;
  // The types of the library only allow `on_record` to return the record it gets.
  const parser = parse(options as unknown as Options);
  addAbortSignal(signal, parser);
  const reading = pipeline(fileOf(request), bounded(), parser);
  reading.catch((error: Error) => parser.destroy(error));
  try {
    yield* parser;
    await reading;
    yield held;
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
  if (!isForm(request)) {
    throw fail('unsupported_media_type', 'Send a form with the part "file", or text/csv.', closing);
  }
  return fileOfForm(request).file;
}
