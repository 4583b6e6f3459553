/** Reads an uploaded file of contacts, and stores its lines as pieces for the importer. */
import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { type Made, makeOnce, type Once } from '../../../platform/idempotency/once.ts';
import { newId } from '../../../platform/ids.ts';
import { invalid } from '../../errors.ts';
import { refuseQueries } from '../actions.ts';
import { type CsvRecord, csvRecords } from './csv-file.ts';
import { type ImportContext, partitionJob } from './importer.ts';
import { type Piece, pieceCollector } from './piece.ts';
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

export interface ImportUpload {
  readonly options: ReadOptions;
  /** The route and key of a request that may be repeated. */
  readonly once: Omit<Once, 'fingerprint'> | undefined;
  readonly request: IncomingMessage;
  readonly signal: AbortSignal;
}

/** Throws `invalid_request` and deletes the import when the file cannot be read to its end. */
export async function uploadImport(
  context: ImportContext,
  scope: TenantScope,
  given: ImportUpload,
): Promise<Made<ImportRow>> {
  const { db, clock, random } = context;
  const { tenantId } = scope;
  const [id, now] = [newId('imp', clock, random), clock()];
  const { options, once } = given;
  // Hashes the content only, because the boundary of a form differs in each request.
  const hash = createHash('sha256').update(JSON.stringify(options));
  await db.tenant(tenantId, async (tx) => {
    await deleteBroken(tx, tenantId, new Date(now.getTime() - brokenAfterMs));
    if (options.segment !== undefined) await refuseQueries(tx, scope, [options.segment], 'segment');
    await insertImport(tx, scope, id, now);
  });
  try {
    const partitions = await storePieces(
      context,
      tenantId,
      id,
      given,
      once === undefined ? undefined : hash,
    );
    const printed = once && { ...once, fingerprint: hash.digest('hex') };
    return await startImport(context, scope, id, partitions, printed);
  } catch (error) {
    await db.tenant(tenantId, (tx) => deleteImport(tx, tenantId, id));
    throw error;
  }
}

/** Queues the partitions, or deletes this upload when its idempotency key was used before. */
function startImport(
  { db, jobs, clock }: ImportContext,
  scope: TenantScope,
  id: string,
  partitions: readonly number[],
  once: Once | undefined,
): Promise<Made<ImportRow>> {
  const { tenantId } = scope;
  return db.tenant(tenantId, async (tx) => {
    const made = await makeOnce(tx, scope, once, {
      id,
      make: async () => {
        await setRunning(tx, tenantId, id);
        await finishImport(tx, tenantId, id, clock());
        const queued = partitions.map((partition) => partitionJob(id, partition));
        await jobs.enqueue(tx, tenantId, queued);
        return (await findImport(tx, scope, id))!;
      },
      find: (known) => findImport(tx, scope, known),
    });
    if (made.isReplay) await deleteImport(tx, tenantId, id);
    return made;
  });
}

/** What is stored in one transaction. */
interface Batch {
  readonly pieces: readonly Piece[];
  readonly errors: readonly RowError[];
  readonly rows: number;
}

/**
 * Stores the file's lines while the next ones are read. Returns the partitions that have pieces.
 */
async function storePieces(
  { db }: ImportContext,
  tenantId: string,
  id: string,
  { options, request, signal }: ImportUpload,
  hash: Hash | undefined,
): Promise<number[]> {
  const partitions = new Set<number>();
  let count = 0;
  const put = ({ pieces, errors, rows }: Batch) =>
    db.tenant(tenantId, async (tx) => {
      for (const piece of pieces) {
        count += 1;
        partitions.add(piece.partition);
        await insertPiece(tx, tenantId, id, piece, count);
      }
      await insertErrors(tx, tenantId, id, errors);
      await countRows(tx, tenantId, id, {
        rows,
        created: 0,
        updated: 0,
        failed: new Set(errors.map(({ line }) => line)).size,
      });
    });
  let putting = Promise.resolve();
  try {
    for await (const batch of batches(csvRecords(request, signal), options, hash)) {
      await putting;
      putting = put(batch);
      putting.catch(() => {}); // the error is thrown where it is awaited
    }
    await putting;
  } finally {
    await putting.catch(() => {}); // nothing may be written after the import is deleted
  }
  return [...partitions];
}

/** The file in batches: full pieces and faults, and at the end the pieces that are not full. */
async function* batches(
  records: AsyncIterable<readonly CsvRecord[]>,
  options: ReadOptions,
  hash: Hash | undefined,
): AsyncGenerator<Batch> {
  const collected = pieceCollector();
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
  yield { pieces: collected.flush(), errors: [], rows };
}

function headerOf([header]: readonly CsvRecord[]): CsvRecord {
  if (header === undefined) throw invalid('file', 'it is empty');
  return header;
}
