/**
 * The tenants that the host has suspended, as this process knows them.
 *
 *   const suspended = await openSuspendedTenants({ db, log });
 *   suspended.has(tenantId);
 *
 * All nodes follow a change, as `startReloading` says.
 */
import type { Db } from '../db/database.ts';
import { startReloading } from '../db/reloading.ts';
import type { Log } from '../log/log.ts';
import type { Authenticate } from './principal.ts';
import { listSuspendedTenants, tenantChannel } from './store.ts';

/** Says which tenants are suspended. */
export interface SuspendedTenants {
  has(tenantId: string): boolean;
  /** Calls `listener` with each tenant that becomes suspended from now on. */
  onSuspended(listener: (tenantId: string) => void): void;
  close(): Promise<void>;
}

/** Rejects when the database cannot be read. */
export async function openSuspendedTenants({
  db,
  log,
}: {
  readonly db: Db;
  readonly log: Log;
}): Promise<SuspendedTenants> {
  let known: ReadonlySet<string> = new Set(await db.system(listSuspendedTenants));
  const listeners: ((tenantId: string) => void)[] = [];

  async function load(): Promise<void> {
    const before = known;
    known = new Set(await db.system(listSuspendedTenants));
    const added = [...known].filter((id) => !before.has(id));
    for (const id of added) for (const listener of listeners) listener(id);
  }

  const { close } = await startReloading({
    db,
    log,
    channel: tenantChannel,
    what: 'the suspended tenants',
    load,
  });
  return {
    has: (tenantId) => known.has(tenantId),
    onSuspended: (listener) => void listeners.push(listener),
    close,
  };
}

/** Refuses what `authenticate` accepts of a suspended tenant. */
export function refuseSuspended(
  suspended: Pick<SuspendedTenants, 'has'>,
  authenticate: Authenticate,
): Authenticate {
  return async (credentials) => {
    const outcome = await authenticate(credentials);
    if (outcome.kind === 'refused') return outcome;
    const { tenantId, id } = outcome.principal;
    if (!suspended.has(tenantId)) return outcome;
    const detail = 'This workspace is suspended: ask the host of this service.';
    return { kind: 'refused', code: 'tenant_suspended', detail, known: { tenantId, id } };
  };
}
