import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { OpenModule, Platform } from '../modules/contract.ts';
import { addKey, createTenant } from '../platform/auth/issue.ts';
import { listTenants } from '../platform/auth/store.ts';
import type { Tx } from '../platform/db/tx.ts';
import { newId, type RandomBytes, uuidForm } from '../platform/ids.ts';

export interface Addresses {
  readonly base_url: string;
  readonly sandbox_base_url: string;
}

const lockKey = 7_314_160;

/**
 * Makes an installation usable without a further step: when it has no tenant yet, makes one with
 * keys for both environments and writes credentials.json; later it updates the addresses in that
 * file. A start that ends at any point leaves either no tenant or one whose credentials the next
 * start finds. Returns the file's path, or undefined when another machine made the tenant.
 */
export async function provideCredentials(
  platform: Platform,
  modules: readonly OpenModule[],
  addresses: Addresses,
): Promise<string | undefined> {
  const path = join(platform.settings.home, 'credentials.json');
  const firstTenant = await provideTenant(platform, modules, path);
  const pending = pendingPath(path, firstTenant);
  await removeRolledBack(path, pending);
  const known = (await readCredentials(pending)) ?? (await readCredentials(path));
  if (known === undefined) return undefined;
  const simulators = Object.assign({}, ...modules.map((module) => module.simulators?.()));
  const { base_url: _, sandbox_base_url: __, ...credentials } = known;
  // Written elsewhere and renamed, so that a reader finds the old file or the new one.
  const aside = `${path}.${newId('new', platform.clock, platform.random)}`;
  await writeCredentials(aside, { ...addresses, ...credentials, simulators });
  await rename(aside, path);
  await rm(pending, { force: true });
  return path;
}

type Credentials = Readonly<Record<string, unknown>>;

/** Where the credentials of a tenant are while the transaction that makes it is open, and until they are in `path`. */
function pendingPath(path: string, tenantId: string): string {
  return `${path}.${tenantId}`;
}

/** The id of the oldest tenant, which this call makes when there is none. */
async function provideTenant(
  { db, clock, random }: Platform,
  modules: readonly OpenModule[],
  path: string,
): Promise<string> {
  return db.system(async (tx) => {
    // When nodes start together on an empty database, one of them makes the tenant.
    await tx.rows('select pg_advisory_xact_lock($1)', [lockKey]);
    const [oldest] = await listTenants(tx);
    if (oldest !== undefined) return oldest.id;
    return createTenant(db, 'Default', { clock, random }, async (ofTenant, id) => {
      const credentials = await firstCredentials(ofTenant, id, modules, random);
      await writeCredentials(pendingPath(path, id), credentials);
    });
  });
}

/** Removes what earlier starts wrote for tenants whose transactions were rolled back: their keys open nothing. */
async function removeRolledBack(path: string, pending: string): Promise<void> {
  const prefix = `${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    const isPending = name.startsWith(prefix) && uuidForm.test(name.slice(prefix.length));
    if (isPending && name !== basename(pending))
      await rm(join(dirname(path), name), { force: true });
  }
}

async function firstCredentials(
  tx: Tx,
  tenantId: string,
  modules: readonly OpenModule[],
  random: RandomBytes,
): Promise<Credentials> {
  const key = async (environment: 'live' | 'sandbox') => {
    const request = { family: 'sk', environment, name: `first ${environment} key` } as const;
    return (await addKey(tx, tenantId, request, random)).text;
  };
  const einvoicing = { sandbox_key: await key('sandbox'), live_key: await key('live') };
  const added = [];
  for (const module of modules) added.push(await module.firstStart?.(tx, tenantId));
  return Object.assign({ einvoicing }, ...added) as Credentials;
}

async function readCredentials(path: string): Promise<Credentials | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Credentials);
}

async function writeCredentials(path: string, credentials: Credentials): Promise<void> {
  const text = JSON.stringify(credentials, undefined, 2);
  await writeFile(path, `${text}\n`, { mode: 0o600, flush: true });
}
