import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenModule, Platform } from '../modules/contract.ts';
import { createTenant, issueKey } from '../platform/auth/issue.ts';
import { listTenants } from '../platform/auth/store.ts';
import { newId } from '../platform/ids.ts';

export interface Addresses {
  readonly base_url: string;
  readonly sandbox_base_url: string;
}

const lockKey = 7_314_160;

/**
 * Makes an installation usable without a further step: when it has no tenant yet, makes one with
 * keys for both environments and writes credentials.json; later it updates the addresses in that
 * file. Returns the file's path, or undefined when another machine made the tenant.
 */
export async function provideCredentials(
  platform: Platform,
  modules: readonly OpenModule[],
  addresses: Addresses,
): Promise<string | undefined> {
  const path = join(platform.settings.home, 'credentials.json');
  const made = await makeTenant(platform, modules);
  const known = made ?? (await readCredentials(path));
  if (known === undefined) return undefined;
  const simulators = Object.assign({}, ...modules.map((module) => module.simulators?.()));
  const { base_url: _, sandbox_base_url: __, ...credentials } = known;
  // Written elsewhere and renamed, so that a reader finds the old file or the new one.
  const text = JSON.stringify({ ...addresses, ...credentials, simulators }, undefined, 2);
  const aside = `${path}.${newId('new', platform.clock, platform.random)}`;
  await writeFile(aside, `${text}\n`, { mode: 0o600 });
  await rename(aside, path);
  return path;
}

type Credentials = Readonly<Record<string, unknown>>;

/** The credentials of the first tenant, when this call made it. */
async function makeTenant(
  platform: Platform,
  modules: readonly OpenModule[],
): Promise<Credentials | undefined> {
  const { db, random } = platform;
  return db.system(async (tx) => {
    // When nodes start together on an empty database, one of them makes the tenant.
    await tx.rows('select pg_advisory_xact_lock($1)', [lockKey]);
    if ((await listTenants(tx)).length > 0) return undefined;
    const tenantId = await createTenant(db, 'Default', platform);
    const key = async (environment: 'live' | 'sandbox') => {
      const name = `first ${environment} key`;
      return (await issueKey(db, tenantId, { family: 'sk', environment, name }, random)).text;
    };
    const einvoicing = { sandbox_key: await key('sandbox'), live_key: await key('live') };
    const added = [];
    for (const module of modules) added.push(await module.firstStart?.(tenantId));
    return Object.assign({ einvoicing }, ...added) as Credentials;
  });
}

async function readCredentials(path: string): Promise<Credentials | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Credentials);
}
