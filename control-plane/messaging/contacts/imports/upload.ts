/** A file of contacts on its way in: `upload` reads it, and puts aside what is to be taken over. */
import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Made, makeOnce, type Once } from '../../../platform/idempotency/once.ts';
import { newId } from '../../../platform/ids.ts';
import { invalid } from '../../errors.ts';
import { refuseQueries } from '../directory.ts';
import type { Place } from '../store.ts';
import { type ImportEdge, laneJob } from './apply.ts';
import { type CsvRecord, csvRecords } from './csv-file.ts';
import { type Piece, pieces } from './piece.ts';
import { type ReadOptions, type ReadRow, rowReader } from './read.ts';
import {
  countRows,
  deleteBroken,
  deleteImport,
  findImport,
  finishImport,
  type ImportRow,
  insertErrors,
  insertImport,
  insertPiece,
  type RowError,
  setRunning,
} from './store.ts';

export const rowsMax = 1_000_000;
const brokenAfterMs = 3_600_000;

export interface Upload {
  readonly options: ReadOptions;
  /** The route and key of a request that may be repeated. */
  readonly once: Omit<Once, 'fingerprint'> | undefined;
  readonly request: IncomingMessage;
  readonly signal: AbortSignal;
}

/** Throws `invalid_request` and leaves nothing behind when the file cannot be read to its end. */
export async function upload(
  edge: ImportEdge,
  place: Place,
  given: Upload,
): Promise<Made<ImportRow>> {
  const { db, clock, random } = edge;
  const { tenantId } = place;
  const [id, now] = [newId('imp', clock, random), clock()];
  const { options, once } = given;
  // Over what the file says: the boundaries of a form are others each time.
  const hash = createHash('sha256').update(JSON.stringify(options));
  await db.tenant(tenantId, async (tx) => {
    await deleteBroken(tx, tenantId, new Date(now.getTime() - brokenAfterMs));
    if (options.segment !== undefined) await refuseQueries(tx, place, [options.segment], 'segment');
    await insertImport(tx, place, id, now);
  });
  try {
    const lanes = await stage(edge, tenantId, id, given, once === undefined ? undefined : hash);
    const printed = once && { ...once, fingerprint: hash.digest('hex') };
    return await start(edge, place, id, lanes, printed);
  } catch (error) {
    await db.tenant(tenantId, (tx) => deleteImport(tx, tenantId, id));
    throw error;
  }
}

/** Has the lanes taken over; or forgets this upload, when the key says that it is a repeat. */
function start(
  { db, jobs, clock }: ImportEdge,
  place: Place,
  id: string,
  lanes: readonly number[],
  once: Once | undefined,
): Promise<Made<ImportRow>> {
  const { tenantId } = place;
  return db.tenant(tenantId, async (tx) => {
    const made = await makeOnce(tx, place, once, {
      id,
      make: async () => {
        await setRunning(tx, tenantId, id);
        await finishImport(tx, tenantId, id, clock());
        const queued = lanes.map((lane) => laneJob(id, lane));
        await jobs.enqueue(tx, tenantId, queued);
        return (await findImport(tx, place, id))!;
      },
      find: (known) => findImport(tx, place, known),
    });
    if (made.isReplay) await deleteImport(tx, tenantId, id);
    return made;
  });
}

/** What is put aside at once. */
interface Batch {
  readonly pieces: readonly Piece[];
  readonly errors: readonly RowError[];
  readonly rows: number;
}

/**
 * Puts the file's lines aside, the lines after being read meanwhile. Answers the lanes they are in.
 */
async function stage(
  { db }: ImportEdge,
  tenantId: string,
  id: string,
  { options, request, signal }: Upload,
  hash: Hash | undefined,
): Promise<number[]> {
  const lanes = new Set<number>();
  let count = 0;
  const put = ({ pieces, errors, rows }: Batch) =>
    db.tenant(tenantId, async (tx) => {
      for (const piece of pieces) {
        count += 1;
        lanes.add(piece.lane);
        await insertPiece(tx, tenantId, id, piece, count);
      }
      await insertErrors(tx, tenantId, id, errors);
      await countRows(tx, tenantId, id, {
        ...{ rows, created: 0, updated: 0, failed: new Set(errors.map(({ line }) => line)).size },
      });
    });
  let putting = Promise.resolve();
  try {
    for await (const batch of batches(csvRecords(request, signal), options, hash)) {
      await putting;
      putting = put(batch);
      putting.catch(() => {}); // thrown where it is awaited
    }
    await putting;
  } finally {
    await putting.catch(() => {}); // nothing may be written once the import is deleted
  }
  return [...lanes];
}

/** The file as it is put aside: some full pieces, some faults, at last what is left. */
async function* batches(
  records: AsyncIterable<readonly CsvRecord[]>,
  options: ReadOptions,
  hash: Hash | undefined,
): AsyncGenerator<Batch> {
  const collected = pieces();
  let read: ((line: CsvRecord) => ReadRow) | undefined;
  let [total, rows] = [0, 0];
  for await (const some of records) {
    hash?.update(JSON.stringify(some.map(({ fields }) => fields)));
    const lines = read === undefined ? some.slice(1) : some;
    read ??= rowReader(headerOf(some), options);
    const found = lines.map(read);
    total += found.length;
    rows += found.length;
    if (total > rowsMax) throw invalid('file', `it has more than ${rowsMax} lines`);
    const errors = found.flatMap((each) => (each.kind === 'faulty' ? each.errors : []));
    const full = found.flatMap((each) =>
      each.kind === 'row' ? (collected.add(each.row) ?? []) : [],
    );
    if (full.length === 0 && errors.length === 0) continue;
    yield { pieces: full, errors, rows };
    rows = 0;
  }
  yield { pieces: collected.rest(), errors: [], rows };
}

function headerOf([header]: readonly CsvRecord[]): CsvRecord {
  if (header === undefined) throw invalid('file', 'it is empty');
  return header;
}
