/** A look at a file before it is imported: how it is read, its first rows, and what is wrong with it. */
import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { type Made, makeOnce, type Once } from '../../../platform/idempotency/once.ts';
import type { Job, NewJob } from '../../../platform/jobs/job.ts';
import { fail, invalid } from '../../errors.ts';
import { problemKinds, type ShownRow } from '../../file-problems.ts';
import { refuseQueries } from '../actions.ts';
import { type FileReading, openFile, type ReadingChoices, refused } from './file-reader.ts';
import { type ImportContext, partitionJob } from './importer.ts';
import {
  type Choices,
  claimUnread,
  countPreviews,
  deleteFile,
  deletePieces,
  deleteProblems,
  findFilePart,
  findPreview,
  insertFilePart,
  lockPreview,
  type Preview,
  type PreviewRow,
  savePreview,
  setReading,
} from './preview-store.ts';
import { rowReader } from './read.ts';
import { deleteImport, findImport, finishImport, type ImportRow, setRunning } from './store.ts';
import { rowsMax, storeRows } from './store-rows.ts';
import { beginImport } from './upload.ts';
import { uploadedFile } from './uploaded-file.ts';

const rowsShown = 20;
const cellShown = 200;
const samplesShown = 3;
const partBytes = 262_144;
const previewsMax = 20;

export interface PreviewUpload {
  readonly choices: Choices;
  /** The route and key of a request that may be repeated. */
  readonly once: Omit<Once, 'fingerprint'> | undefined;
  readonly request: IncomingMessage;
  readonly signal: AbortSignal;
}

/** Keeps the file and looks at it. Throws `invalid_request` for what is no table. */
export async function uploadPreview(
  context: ImportContext,
  scope: TenantScope,
  { choices, once, request, signal }: PreviewUpload,
): Promise<Made<PreviewRow>> {
  const { db } = context;
  const { tenantId } = scope;
  const { bytes, given } = uploadedFile(request, signal);
  const id = await beginImport(context, scope, { segment: choices.segment });
  try {
    const open = await db.tenant(tenantId, (tx) => countPreviews(tx, tenantId));
    if (open > previewsMax) {
      const detail = `${previewsMax} files wait to be started; start or delete some of them.`;
      throw fail('too_many_previews', detail);
    }
    const hash = createHash('sha256').update(JSON.stringify(choices));
    const size = await storeFile(context, tenantId, id, bytes, hash);
    const preview = await look(context, tenantId, id, choices);
    const looked = { filename: given()?.slice(0, 200) ?? null, bytes: size, choices, preview };
    const printed = once && { ...once, fingerprint: hash.digest('hex') };
    return await db.tenant(tenantId, async (tx) => {
      const make = async () => {
        await savePreview(tx, scope, id, looked);
        return (await findPreview(tx, scope, id))!;
      };
      const find = (known: string) => findPreview(tx, scope, known);
      const made = await makeOnce(tx, scope, printed, { id, make, find });
      if (made.isReplay) await deleteImport(tx, tenantId, id);
      return made;
    });
  } catch (error) {
    await db.tenant(tenantId, (tx) => deleteImport(tx, tenantId, id));
    throw error;
  }
}

async function storeFile(
  { db }: ImportContext,
  tenantId: string,
  id: string,
  bytes: AsyncIterable<Buffer>,
  hash: Hash,
): Promise<number> {
  let [size, part, held] = [0, 0, 0];
  let chunks: Buffer[] = [];
  const put = async () => {
    const together = Buffer.concat(chunks);
    await db.tenant(tenantId, (tx) => insertFilePart(tx, tenantId, id, part, together));
    [part, held, chunks] = [part + 1, 0, []];
  };
  for await (const chunk of bytes) {
    hash.update(chunk);
    chunks.push(chunk);
    size += chunk.length;
    held += chunk.length;
    if (held >= partBytes) await put();
  }
  if (held > 0) await put();
  return size;
}

/** Its bytes, as they were uploaded. */
async function* storedFile(
  { db }: Pick<ImportContext, 'db'>,
  tenantId: string,
  id: string,
): AsyncGenerator<Buffer> {
  for (let part = 0; ; part += 1) {
    const bytes = await db.tenant(tenantId, (tx) => findFilePart(tx, tenantId, id, part));
    if (bytes === undefined) return;
    yield bytes;
  }
}

/** Looks at a file again, with other choices. False when it was started or deleted since. */
export async function lookAgain(
  context: ImportContext,
  scope: TenantScope,
  row: PreviewRow,
  choices: Choices,
): Promise<boolean> {
  const preview = await look(context, scope.tenantId, row.id, choices);
  const looked = { ...row, choices, preview };
  return context.db.tenant(
    scope.tenantId,
    async (tx) => (await savePreview(tx, scope, row.id, looked)) > 0,
  );
}

async function look(
  context: ImportContext,
  tenantId: string,
  id: string,
  choices: Choices,
): Promise<Preview> {
  const file = await openFile(context, tenantId, storedFile(context, tenantId, id), choices);
  const { defaultCountry, segment } = choices;
  const read = rowReader(file.columns, { defaultCountry, segment });
  const shown: ShownRow[] = [];
  const samples = file.columns.map((): string[] => []);
  const kinds = problemKinds();
  let [rows, problems] = [0, 0];
  for await (const records of file.records) {
    for (const record of records) {
      const found = read(record);
      const wrong = found.kind === 'faulty' ? found.faulty.problems : [];
      rows += 1;
      if (wrong.length > 0) problems += 1;
      for (const each of wrong) kinds.count(each, record.line);
      if (shown.length < rowsShown) {
        const cells = record.fields.map((field) => field.slice(0, cellShown));
        shown.push({ line: record.line, cells, problems: wrong });
      }
      if (rows > rowsShown * samplesShown) continue;
      for (const [at, sample] of samples.entries()) {
        const cell = record.fields[at]?.trim().slice(0, cellShown) ?? '';
        if (cell !== '' && sample.length < samplesShown && !sample.includes(cell)) {
          sample.push(cell);
        }
      }
    }
    if (rows > rowsMax) throw refused(`it has more than ${rowsMax} rows`);
  }
  const reading = file.reading();
  return {
    reading,
    samples,
    notes: notesOf(reading, samples),
    rows: shown,
    counts: { rows, usable: rows - problems, problems },
    problems: kinds.shown(),
  };
}

function notesOf(
  { encoding, encoding_certain, header_row, sheet, sheets, columns }: FileReading,
  samples: readonly (readonly string[])[],
): string[] {
  const segmentsAt = columns.findIndex(({ field }) => field === 'segments');
  const doubtful = samples[segmentsAt]?.find((cell) => /[;,]/.test(cell));
  const unread = columns.filter(({ issue }) => issue !== undefined);
  const notes = [
    (encoding === 'windows-1252' || encoding === 'ibm850') && encoding_certain
      ? `The file is not UTF-8. It was read as ${encoding === 'ibm850' ? 'code page 850 of DOS' : 'Windows-1252'}: see whether its names are right.`
      : '',
    encoding_certain
      ? ''
      : 'The file is neither UTF-8 nor UTF-16, and does not look like Windows-1252: choose its encoding, and see whether its names are right.',
    header_row > 1
      ? `The columns are named in line ${header_row}; what is above it is left out.`
      : '',
    header_row === 0 ? 'No line names the columns.' : '',
    sheets.length > 1 ? `Only the sheet "${sheet}" is read.` : '',
    columns.some(({ field }) => field === 'phone')
      ? ''
      : 'No column holds the phone: choose one before you start.',
    unread.length === 0
      ? ''
      : `Columns that are not read, since they have no usable name: ${unread.map(({ column }) => column).join(', ')}.`,
    doubtful === undefined
      ? ''
      : `Segments are separated by | alone: in "${doubtful}" commas and semicolons are part of a name.`,
  ];
  return notes.filter((note) => note !== '');
}

const fileQueue = 'contact-import-file';

/**
 * Starts the import of a file as its preview has shown it; one that was started before is only returned.
 * Undefined when there is none. Throws `invalid_request` where a choice is missing.
 */
export function startPreview(
  { db, jobs }: Pick<ImportContext, 'db' | 'jobs'>,
  scope: TenantScope,
  id: string,
): Promise<ImportRow | undefined> {
  const { tenantId } = scope;
  return db.tenant(tenantId, async (tx) => {
    const waiting = await lockPreview(tx, scope, id);
    if (waiting === undefined) {
      const row = await findImport(tx, scope, id);
      return row?.state === 'uploading' ? undefined : row;
    }
    const { choices, preview } = waiting;
    if (!preview.reading.columns.some(({ field }) => field === 'phone')) {
      throw invalid('columns', 'none of them is the phone');
    }
    if (!preview.reading.encoding_certain) {
      throw invalid('encoding', 'is not certain: choose it first');
    }
    if (choices.segment !== undefined) {
      await refuseQueries(tx, scope, [choices.segment], 'segment');
    }
    await setReading(tx, tenantId, id, preview.reading);
    const payload: FileJob = { importId: id };
    const job: NewJob = { queue: fileQueue, key: id, payload };
    await jobs.enqueue(tx, tenantId, [job]);
    return findImport(tx, scope, id);
  });
}

interface FileJob {
  readonly importId: string;
}

/** Reads the files of started imports on this node until it is stopped. */
export function startFileReading(context: ImportContext) {
  return context.jobs.work<FileJob>({
    queue: fileQueue,
    batch: 1,
    concurrency: 2,
    tenantConcurrency: 1,
    handler: async ([job]) => job && readStored(context, job),
  });
}

/** Reads a file from its beginning, also where an earlier attempt has stored some of its rows. */
async function readStored(context: ImportContext, job: Job<FileJob>): Promise<void> {
  const { db, jobs, clock } = context;
  const { tenantId, claimId, payload } = job;
  const id = payload.importId;
  const unread = await db.tenant(tenantId, async (tx) => {
    const found = await claimUnread(tx, tenantId, id, claimId);
    if (found === undefined) {
      await jobs.complete(tx, tenantId, [job]);
      return undefined;
    }
    await deletePieces(tx, tenantId, id);
    await deleteProblems(tx, tenantId, id);
    return found;
  });
  if (unread === undefined) return;
  const { reading, choices } = unread;
  const { defaultCountry, segment } = choices;
  const bytes = storedFile(context, tenantId, id);
  const file = await openFile(context, tenantId, bytes, asShown(reading));
  const partitions = await storeRows(context, { tenantId, id, claimId }, file, {
    defaultCountry,
    segment,
  });
  await db.tenant(tenantId, async (tx) => {
    await setRunning(tx, tenantId, id, reading);
    await deleteFile(tx, tenantId, id);
    await finishImport(tx, tenantId, id, clock());
    const queued = partitions.map((partition) => partitionJob(id, partition));
    await jobs.enqueue(tx, tenantId, queued);
    await jobs.complete(tx, tenantId, [job]);
  });
}

/** What was guessed is chosen now. Columns with an issue keep it, so that their values are problems again. */
function asShown({ encoding, separator, sheet, header_row, columns }: FileReading): ReadingChoices {
  return {
    encoding: encoding ?? undefined,
    separator: separator ?? undefined,
    sheet: sheet ?? undefined,
    headerRow: header_row,
    columns: columns
      .filter(({ issue }) => issue === undefined)
      .map(({ column, field, attribute }) => ({
        column,
        field,
        attribute: attribute ?? undefined,
      })),
  };
}
