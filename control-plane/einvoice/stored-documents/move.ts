/**
 * Moves the documents of settled invoices from the database to the object store, on any number of
 * nodes. First the keys are noted, then the objects are written, and only then the database is emptied:
 * a process may end at any point, and the next sweep goes on from there.
 *
 *     const moving = startMovingDocuments({ db, objects, clock, log }, days);
 *     // …
 *     await moving.stop();
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Db } from '../../platform/db/database.ts';
import { type Clock, firstIdAt } from '../../platform/ids.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import { isGzip } from './gzip.ts';
import {
  addObjectKeys,
  emptyContent,
  listMovable,
  lockMovable,
  type MovableInvoice,
  type MovedStage,
} from './store.ts';

/** What moving needs. */
export interface MovingContext {
  readonly db: Db;
  readonly objects: Objects;
  readonly clock: Clock;
  readonly log: Log;
}

/** The running sweep. */
export interface Moving {
  /** Moves all that may be moved now; returns the number of invoices. Logs what fails, for the next sweep. */
  sweep(): Promise<number>;
  /** Begins no further invoice, and waits for those under way. */
  stop(): Promise<void>;
}

const sweepMs = 600_000;
const listedAtOnce = 100;
const movedAtOnce = 4;
const dayMs = 86_400_000;

const compress = promisify(gzip);

/** Begins to look every ten minutes for invoices that were settled `days` ago. */
export function startMovingDocuments(context: MovingContext, days: number): Moving {
  const { db, clock, log } = context;
  let isStopped = false;
  let underWay: Promise<number> | undefined;

  async function moveAll(): Promise<number> {
    const before = new Date(clock().getTime() - days * dayMs);
    let moved = 0;
    for (;;) {
      const listed = await db.system((tx) =>
        listMovable(tx, before, firstIdAt('inv', before), listedAtOnce),
      );
      let count = 0;
      for (let at = 0; at < listed.length && !isStopped; at += movedAtOnce) {
        const outcomes = await Promise.all(listed.slice(at, at + movedAtOnce).map(tryToMove));
        count += outcomes.filter(Boolean).length;
      }
      moved += count;
      // What could not be moved is listed again: only the next sweep tries it again.
      if (isStopped || listed.length < listedAtOnce || count === 0) return moved;
    }
  }

  async function tryToMove(invoice: MovableInvoice): Promise<boolean> {
    try {
      return await moveDocuments(context, invoice);
    } catch (err) {
      log.warn(
        { err, invoice: invoice.invoice_id },
        'documents of an invoice were not moved to the object store; the next sweep tries again',
      );
      return false;
    }
  }

  const sweep = () => {
    underWay ??= moveAll().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  const timer = setInterval(() => {
    sweep().catch((err: unknown) => log.warn({ err }, 'no documents to be moved could be listed'));
  }, sweepMs);
  return {
    sweep,
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await underWay?.catch(() => {}); // told by whoever began it
    },
  };
}

const stages: readonly MovedStage[] = ['document', 'clearance', 'final', 'provenance'];

/** Moves the documents of one invoice; false when it is gone, or another node has moved them. */
async function moveDocuments(
  { db, objects }: MovingContext,
  { tenant_id: tenantId, invoice_id: id }: MovableInvoice,
): Promise<boolean> {
  const keys = new Map(stages.map((stage) => [stage, keyOf(tenantId, id, stage)]));
  await db.tenant(tenantId, (tx) => addObjectKeys(tx, tenantId, id, keys));
  return db.tenant(tenantId, async (tx) => {
    const documents = await lockMovable(tx, tenantId, id);
    for (const { object_key, bytes } of documents) {
      await put(objects, object_key, isGzip(bytes) ? bytes : await compress(bytes));
    }
    if (documents.length === 0) return false;
    await emptyContent(tx, tenantId, id);
    return true;
  });
}

function keyOf(tenantId: string, invoiceId: string, stage: MovedStage): string {
  const kind = stage === 'provenance' ? 'json' : 'xml';
  return `invoices/${tenantId}/${invoiceId}/${stage}.${kind}.gz`;
}

async function put(objects: Objects, key: string, bytes: Buffer): Promise<void> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await objects.put(key, { stream: Readable.from([bytes]), bytes: bytes.length, sha256 });
}
