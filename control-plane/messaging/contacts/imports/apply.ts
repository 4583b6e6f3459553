import { analyzeGrown } from '../../../platform/db/statistics.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { newId } from '../../../platform/ids.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { Directory } from '../directory.ts';
import { attributesMax } from '../schema.ts';
import { ensureSegments } from '../segment-store.ts';
import type { Place } from '../store.ts';
import {
  countRows,
  enterMany,
  insertErrors,
  lockImport,
  type StagedRow,
  setState,
  takeRows,
  upsertContacts,
} from './store.ts';

export const importQueue = 'contact-import';
/** Rows that one transaction takes over. */
const pieceRows = 1_000;

export interface ImportEdge extends Directory {
  readonly jobs: Jobs;
}

/**
 * Takes an import's rows over, piece by piece: rows, counts and contacts change in one transaction,
 * so whoever goes on after a crash finds each row taken or not, never half.
 */
export async function applyImport(edge: ImportEdge, job: Job, signal: AbortSignal): Promise<void> {
  const { db, jobs, clock } = edge;
  while (!signal.aborted) {
    const isEmpty = await db.tenant(job.tenantId, async (tx) => {
      await jobs.hold(tx, [job]);
      const found = await lockImport(tx, job.tenantId, job.key);
      const rows = found ? await takeRows(tx, job.tenantId, job.key, pieceRows) : [];
      if (found === undefined || rows.length === 0) return true;
      const place = { tenantId: job.tenantId, environment: found.environment };
      await applyPiece(edge, tx, place, job.key, rows);
      return false;
    });
    if (!isEmpty) continue;
    await db.system(analyzeGrown);
    return db.tenant(job.tenantId, async (tx) => {
      await setState(tx, job.tenantId, job.key, 'done', clock());
      await jobs.complete(tx, job.tenantId, [job]);
    });
  }
}

async function applyPiece(
  { clock, random }: Directory,
  tx: Tx,
  place: Place,
  importId: string,
  rows: readonly StagedRow[],
): Promise<void> {
  const now = clock();
  const contacts = [...mergeByPhone(rows).values()];
  const drafts = contacts.map((row) => ({ ...row, id: newId('con', () => now, random) }));
  const written = await upsertContacts(tx, place, drafts, attributesMax, now);
  const idOf = new Map(written.map(({ id, phone }) => [phone, id]));
  const entries = contacts.flatMap(({ phone, segments }) => {
    const id = idOf.get(phone);
    return id === undefined ? [] : segments.map((name) => ({ id, name }));
  });
  const names = [...new Set(entries.map(({ name }) => name))];
  const segments = names.map((name) => {
    return { id: newId('seg', () => now, random), name, created_at: now };
  });
  await ensureSegments(tx, place, segments);
  const [ids, into] = [entries.map(({ id }) => id), entries.map(({ name }) => name)];
  await enterMany(tx, place, ids, into);
  const refused = rows.filter(({ phone }) => !idOf.has(phone));
  const problem = `the contact would have more than ${attributesMax} attributes`;
  const errors = refused.map(({ line }) => ({ line, field: 'phone', problem }));
  await insertErrors(tx, place.tenantId, importId, errors);
  const created = written.filter((each) => each.created).length;
  const updated = rows.length - refused.length - created;
  await countRows(tx, place.tenantId, importId, {
    ...{ rows: 0, created, updated, failed: refused.length },
  });
}

/** A phone that stands twice is one contact: the later line goes on from the earlier. */
function mergeByPhone(rows: readonly StagedRow[]): Map<string, StagedRow> {
  const merged = new Map<string, StagedRow>();
  for (const row of rows) {
    const before = merged.get(row.phone);
    merged.set(row.phone, {
      ...row,
      name: row.name ?? before?.name ?? null,
      attributes: { ...before?.attributes, ...row.attributes },
      segments: [...new Set([...(before?.segments ?? []), ...row.segments])],
    });
  }
  return merged;
}
