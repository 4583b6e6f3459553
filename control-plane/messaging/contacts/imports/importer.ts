import type { FileColumn } from '@drawbridge/messaging/contact-file/columns.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { analyzeGrown } from '../../../platform/db/statistics.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { newId, newIds } from '../../../platform/ids.ts';
import type { Job, NewJob } from '../../../platform/jobs/job.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { ContactContext } from '../context.ts';
import { attributesMax } from '../schema.ts';
import { ensureSegments } from '../segments/store.ts';
import { deleteContacts, lockContacts } from '../store.ts';
import type { FileReaderContext } from './file-reader.ts';
import { completeHolders, listHeld } from './held-number-store.ts';
import {
  countRows,
  deletePiece,
  findReading,
  finishImport,
  insertProblems,
  lockPiece,
  type PieceWriting,
  type RefusedContact,
  type RowProblems,
  type WaitingPiece,
  writePiece,
} from './store.ts';

const importQueue = 'contact-import';
/** Always due, whatever the server's clock says. */
const immediately = new Date(0);

export interface ImportContext extends ContactContext, FileReaderContext {
  readonly jobs: Jobs;
}

type ImporterContext = Omit<ImportContext, keyof FileReaderContext>;

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
export function startImporter(context: ImporterContext) {
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
  context: ImporterContext,
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
  const written = await writePiece(tx, scope, writing);
  const moved = written.created === 0 ? nothingMoved : await moveToHolders(tx, scope, writing);
  const created = written.created - moved.contacts;
  const refused = [...written.refused, ...moved.refused];
  const refusedLines = refused.flatMap((contact) => contact.lines).length;
  if (refusedLines > 0) {
    const reading = await findReading(tx, tenantId, importId);
    const problems = refused.flatMap((contact) => problemsOf(contact, reading?.columns ?? []));
    await insertProblems(tx, tenantId, importId, problems);
  }
  await deletePiece(tx, tenantId, importId, piece);
  const updated = lines - refusedLines - created;
  const added = { rows: 0, created, updated, failed: refusedLines };
  await countRows(tx, tenantId, importId, added);
}

interface Moved {
  /** So many of the contacts that the piece created are gone again. */
  readonly contacts: number;
  readonly refused: readonly RefusedContact[];
}

const nothingMoved: Moved = { contacts: 0, refused: [] };

/**
 * A new contact whose number another one has as an identifier, as after a merge, is the same person: what the
 * piece says of it becomes the other's. Looked for after the piece is written, so that a merge is seen for which
 * the writing waited.
 */
async function moveToHolders(tx: Tx, scope: TenantScope, writing: PieceWriting): Promise<Moved> {
  const held = await listHeld(tx, scope, writing.ids);
  if (held.length === 0) return nothingMoved;
  const holders = new Set(held.map(({ holder }) => holder));
  if ((await lockContacts(tx, scope, [...holders])) < holders.size) {
    throw new Error('a contact was merged or deleted meanwhile: the piece is imported again');
  }
  const ids = held.map(({ id }) => id);
  await deleteContacts(tx, scope, ids);
  const refused = await completeHolders(tx, scope, writing, held);
  return { contacts: held.length, refused };
}

/** Its lines with what all of them say together, in the columns of the file. */
function problemsOf(
  { lines, phone, name, attributes, segments }: RefusedContact,
  columns: readonly FileColumn[],
): RowProblems[] {
  const problem = `the contact would have more than ${attributesMax} attributes`;
  const nameAt = columns.findIndex(({ field }) => field === 'name');
  const fields = columns.map(({ field, attribute }, at) => {
    if (field === 'phone') return phone;
    if (field === 'name') return at === nameAt ? (name ?? '') : '';
    if (field === 'segments') return segments.join('|');
    return attribute === null ? '' : (attributes[attribute] ?? '');
  });
  return lines.map((line) => ({ line, fields, problems: [{ field: 'phone', problem }] }));
}
