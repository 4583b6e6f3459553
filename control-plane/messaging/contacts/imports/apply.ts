import { analyzeGrown } from '../../../platform/db/statistics.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { newId, newIds } from '../../../platform/ids.ts';
import type { Job, NewJob } from '../../../platform/jobs/job.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { Directory } from '../directory.ts';
import { attributesMax } from '../schema.ts';
import { ensureSegments } from '../segment-store.ts';
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
/** Due whatever the clock of the server says. */
const atOnce = new Date(0);

export interface ImportEdge extends Directory {
  readonly jobs: Jobs;
}

/** A lane of an import, whose pieces are taken over one after the other. */
interface Lane {
  readonly importId: string;
  readonly lane: number;
}

/** The job that takes a lane over. */
export function laneJob(importId: string, lane: number): NewJob {
  const payload: Lane = { importId, lane };
  return { queue: importQueue, key: `${importId}.${lane}`, payload };
}

/** Takes imports over on this node, until it is stopped. */
export function startImporting(edge: ImportEdge) {
  return edge.jobs.work<Lane>({
    ...{ queue: importQueue, batch: 1, concurrency: 2 },
    handler: async ([job]) => job && applyPiece(edge, job),
  });
}

/**
 * Takes one piece over and puts the lane's job back in its queue, so that tenants take turns. The
 * contacts, the counts and the job change in one transaction: whoever goes on after a crash finds a
 * piece taken or not, never half.
 */
export async function applyPiece(edge: ImportEdge, job: Job<Lane>): Promise<void> {
  const { db, jobs, clock } = edge;
  const { tenantId, payload } = job;
  await db.tenant(tenantId, async (tx) => {
    const piece = await lockPiece(tx, tenantId, payload.importId, payload.lane);
    if (piece === undefined) return jobs.complete(tx, tenantId, [job]);
    await takeOver(edge, tx, job, piece);
    await jobs.reschedule(tx, tenantId, [{ job, runAt: atOnce }]);
    // Counting has locked the import, so one of two last pieces sees the other gone.
    await finishImport(tx, tenantId, payload.importId, clock());
  });
  // The table grows by more than its statistics are good for.
  await db.system(analyzeGrown);
}

async function takeOver(
  { clock, random }: Directory,
  tx: Tx,
  { tenantId, payload: { importId } }: Job<Lane>,
  piece: WaitingPiece,
): Promise<void> {
  const { environment, lines, contacts, segments } = piece;
  const now = clock();
  const place = { tenantId, environment };
  // One text: hundreds of them, kept as long as the statement runs, would grow old in memory.
  const ids = newIds('con', () => now, random, contacts).join(',');
  const lists = segments.map((name) => {
    return { id: newId('seg', () => now, random), name, created_at: now };
  });
  if (lists.length > 0) await ensureSegments(tx, place, lists);
  const writing = { importId, piece, ids, attributesMax, now };
  const { created, refused } = await writePiece(tx, place, writing);
  const problem = `the contact would have more than ${attributesMax} attributes`;
  const errors = refused.map((line) => ({ line, field: 'phone', problem }));
  await insertErrors(tx, tenantId, importId, errors);
  await deletePiece(tx, tenantId, importId, piece);
  const updated = lines - refused.length - created;
  const added = { rows: 0, created, updated, failed: refused.length };
  await countRows(tx, tenantId, importId, added);
}
