import type { Environment } from '../../platform/auth/principal.ts';
import { insertMany } from '../../platform/db/insert.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Place } from '../contacts/store.ts';

/** NOTIFY channel: the payload is the tenant and environment in which something changed. */
export const changeChannel = 'inbox_change';

export interface NewChange {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly created_at: Date;
}

export interface ChangeRow extends NewChange {
  /** `<transaction>-<place>`: what a watcher goes on from. */
  readonly id: string;
}

export async function insertChanges(
  tx: Tx,
  { tenantId, environment }: Place,
  rows: readonly NewChange[],
): Promise<void> {
  const columns = { type: 'text', data: 'jsonb', created_at: 'timestamptz' } as const;
  await insertMany(
    tx,
    'inbox_change',
    { tenant_id: 'uuid', environment: 'text', ...columns },
    rows.map((row) => ({ tenant_id: tenantId, environment, ...row })),
  );
}

export interface Present {
  /** Where each transaction that comes from now on is behind. */
  readonly position: string;
  /** Whether a transaction's number is one that this database has not come to. */
  readonly isAhead: boolean;
}

/** Where the database is, beside a transaction's number as decimal digits. */
export async function readPresent(tx: Tx, xact: string): Promise<Present> {
  const row = await tx.row<{ at: string; is_ahead: boolean }>(
    `select pg_snapshot_xmin(s)::text || '-0' as at,
       $1::numeric >= pg_snapshot_xmax(s)::text::numeric as is_ahead
     from pg_current_snapshot() s`,
    [xact],
  );
  return { position: row!.at, isAhead: row!.is_ahead };
}

/**
 * What changed after a position, oldest first: only of transactions before which none is under way
 * any more, so that nothing can come up behind what was read.
 */
export function listChanges(
  tx: Tx,
  { tenantId, environment }: Place,
  after: string,
  limit: number,
): Promise<ChangeRow[]> {
  const [xact = '0', place = '0'] = after.split('-');
  return tx.rows(
    `select xact::text || '-' || place as id, type, data, created_at from inbox_change
     where tenant_id = $1 and environment = $2 and (xact, place) > ($3::xid8, $4::bigint)
       and xact < pg_snapshot_xmin(pg_current_snapshot())
     order by xact, place limit $5`,
    [tenantId, environment, xact, place, limit],
  );
}

/** Tells all nodes in whose inboxes something changed. */
export async function notifyChanges(tx: Tx, places: readonly string[]): Promise<void> {
  await tx.rows(`select pg_notify('${changeChannel}', p) from unnest($1::text[]) p`, [places]);
}

export async function sweepChanges(tx: Tx, before: Date): Promise<void> {
  await tx.rows('select sweep_inbox_changes($1)', [before]);
}

/** A place as text, for NOTIFY. */
export function placeKey(tenantId: string, environment: Environment): string {
  return `${tenantId} ${environment}`;
}
