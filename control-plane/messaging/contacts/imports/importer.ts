import { analyzeGrown } from '../../../platform/db/statistics.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { newId, newIds } from '../../../platform/ids.ts';
import type { Job, NewJob } from '../../../platform/jobs/job.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { ContactContext } from '../context.ts';
import { attributesMax } from '../schema.ts';
import { ensureSegments } from '../segments/store.ts';
import {
  countRows,
  deletePiece,
  finishImport,
  insertErrors,
  lockPiece,
  type WaitingPiece,
  writePiece,
} from './store.ts';

const importQueue = 'contact-import';
/** Always due, whatever the server's clock says. */
const immediately = new Date(0);

export interface ImportContext extends ContactContext {
  readonly jobs: Jobs;
}

/** A partition of an import, whose pieces are imported one after another. */
interface ImportPartition {
  readonly importId: string;
  readonly partition: number;
}

/** The job that imports a partition. */
export function partitionJob(importId: string, partition: number): NewJob {
  const payload: ImportPartition = { importId, partition };
  return { queue: importQueue, key: `${importId}.${partition}`, payload };
}

/** Runs imports on this node until it is stopped. */
export function startImporter(context: ImportContext) {
  return context.jobs.work<ImportPartition>({
    queue: importQueue,
    batch: 1,
    concurrency: 2,
    handler: async ([job]) => job && importNextPiece(context, job),
  });
}

/**
 * Imports one piece and reschedules the partition's job, so that tenants take turns. Contacts, counts
 * and job change in one transaction, so after a crash a piece is imported completely or not at all.
 */
export async function importNextPiece(
  context: ImportContext,
  job: Job<ImportPartition>,
): Promise<void> {
  const { db, jobs, clock } = context;
  const { tenantId, payload } = job;
  await db.tenant(tenantId, async (tx) => {
    const piece = await lockPiece(tx, tenantId, payload.importId, payload.partition);
    if (piece === undefined) return jobs.complete(tx, tenantId, [job]);
    await importPiece(context, tx, job, piece);
    await jobs.reschedule(tx, tenantId, [{ job, runAt: immediately }]);
    // Counting has locked the import's row, so of two last pieces the second sees that the first is
    // gone.
    await finishImport(tx, tenantId, payload.importId, clock());
  });
  // The import makes the table's statistics stale.
  await db.system(analyzeGrown);
}

async function importPiece(
  { clock, random }: ContactContext,
  tx: Tx,
  { tenantId, payload: { importId } }: Job<ImportPartition>,
  piece: WaitingPiece,
): Promise<void> {
  const { environment, lines, contacts, segments } = piece;
  const now = clock();
  const scope = { tenantId, environment };
  // One joined text: V8 would move hundreds of strings that live as long as the statement into the
  // old heap.
  const ids = newIds('con', () => now, random, contacts).join(',');
  const lists = segments.map((name) => {
    return { id: newId('seg', () => now, random), name, created_at: now };
  });
  if (lists.length > 0) await ensureSegments(tx, scope, lists);
  const writing = { importId, piece, ids, attributesMax, now };
  const { created, refused } = await writePiece(tx, scope, writing);
  const problem = `the contact would have more than ${attributesMax} attributes`;
  const errors = refused.map((line) => ({ line, field: 'phone', problem }));
  await insertErrors(tx, tenantId, importId, errors);
  await deletePiece(tx, tenantId, importId, piece);
  const updated = lines - refused.length - created;
  const added = { rows: 0, created, updated, failed: refused.length };
  await countRows(tx, tenantId, importId, added);
}
