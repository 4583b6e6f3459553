/**
 * The audit log: who did what to which thing, from where, with what was there before and after.
 *
 *     const auditLog = openAuditLog({ db, clock, random });
 *     await db.tenant(tenantId, async (tx) => {
 *       const after = await change(tx, …);
 *       await auditLog.record(tx, tenantId, actor, { action: 'updateConnector', subject, before, after });
 *     });
 *
 * Recorded in the transaction of the change, so that there is neither without the other. Of before and
 * after only what differs is kept, and nothing that has the form of a secret.
 */
import type { Db } from '../db/database.ts';
import type { Tx } from '../db/tx.ts';
import { type Clock, newId, type RandomBytes } from '../ids.ts';
import { maskSecrets } from '../log/log.ts';
import type { Actor, outcomes } from './actor.ts';
import { insertAuditEvent, insertHostAuditEvent } from './store.ts';

/** What was done. */
export interface AuditedAction {
  /** The operation of the API, or the command of the host. */
  readonly action: string;
  /** The id of the thing. */
  readonly subject?: string | null;
  /** Default: done. */
  readonly outcome?: (typeof outcomes)[number];
  /** What the API shows of the thing before the change and after it; absent: there was none. */
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface AuditLog {
  /** Adds an event to the log of a tenant. */
  record(tx: Tx, tenantId: string, actor: Actor, action: AuditedAction): Promise<void>;
  /** As `record`, in a transaction of its own. */
  write(tenantId: string, actor: Actor, action: AuditedAction): Promise<void>;
  /** Adds an event to the log of the host; `aboutTenant`: the tenant it was about. */
  recordForHost(
    tx: Tx,
    actor: Actor,
    action: AuditedAction & { readonly aboutTenant?: string | undefined },
  ): Promise<void>;
}

/** Bytes of `before` and of `after`, at most; of more only the size is kept. */
const viewBytesMax = 64 * 1_024;

interface Stamps {
  readonly clock: Clock;
  readonly random: RandomBytes;
}

export function openAuditLog({ db, ...stamps }: Stamps & { readonly db: Db }): AuditLog {
  const log: AuditLog = {
    record: (tx, tenantId, actor, action) =>
      insertAuditEvent(tx, tenantId, rowOf(actor, action, stamps)),
    write: (tenantId, actor, action) =>
      db.tenant(tenantId, (tx) => log.record(tx, tenantId, actor, action)),
    recordForHost: (tx, actor, action) => {
      const row = rowOf(actor, action, stamps);
      return insertHostAuditEvent(tx, { ...row, about_tenant: action.aboutTenant ?? null });
    },
  };
  return log;
}

function rowOf(actor: Actor, action: AuditedAction, { clock, random }: Stamps) {
  const happened_at = clock();
  const { before, after } = differences(action.before, action.after);
  return {
    id: newId('aud', () => happened_at, random),
    happened_at,
    actor_kind: actor.kind,
    actor_id: actor.id?.slice(0, 200) ?? null,
    service: actor.service,
    environment: actor.environment,
    ip: actor.ip,
    request_id: actor.requestId,
    action: action.action,
    subject: action.subject?.slice(0, 500) ?? null,
    outcome: action.outcome ?? 'done',
    before: viewOf(before),
    after: viewOf(after),
  } as const;
}

/** Of two records the members that differ; anything else as it is. */
function differences(before: unknown, after: unknown): { before: unknown; after: unknown } {
  if (!isRecord(before) || !isRecord(after)) return { before, after };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const pick = (from: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]]));
  return { before: pick(before), after: pick(after) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text of a view as it is stored, or null. */
function viewOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = JSON.stringify(maskSecrets(value));
  const bytes = Buffer.byteLength(text);
  return bytes <= viewBytesMax ? text : JSON.stringify({ omitted: true, bytes });
}
