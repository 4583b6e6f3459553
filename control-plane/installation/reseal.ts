/**
 * Seals every stored secret under the newest key, so that older keys can be taken away. It can be
 * stopped and begun again at any time: what is done is done, and only what is left is read.
 */
import { listTenants } from '../platform/auth/store.ts';
import type { Db } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import {
  type HeldRow,
  installationPlaces,
  listInstallation,
  listOutdated,
  replaceHeld,
  replaceInstallation,
  type TenantPlace,
  tenantPlaces,
} from './sealed-secret-store.ts';

/** How many rows were sealed anew, by table, and how many were not. */
export interface Resealed {
  readonly done: Readonly<Record<string, number>>;
  /** Changed at the same moment by somebody else: another run finds them. */
  readonly missed: number;
  /** Sealed under a key that is not here, or damaged: `table id`. */
  readonly unreadable: readonly string[];
}

const batch = 200;
const sealedText = /v1\.[0-9a-f]{8}\.[\w-]+/g;

/** Reads and replaces batch by batch, a transaction each. */
export async function reseal(db: Db, secrets: Secrets): Promise<Resealed> {
  const done: Record<string, number> = {};
  const unreadable: string[] = [];
  let missed = 0;

  async function row(
    table: string,
    held: HeldRow,
    context: string,
    replace: (text: string) => Promise<boolean>,
  ): Promise<void> {
    const text = resealedText(secrets, held.held, context);
    if (text === undefined) unreadable.push(`${table} ${held.id}`);
    else if (text === held.held) return;
    else if (await replace(text)) done[table] = (done[table] ?? 0) + 1;
    else missed += 1;
  }

  async function tenantBatch(tenantId: string, place: TenantPlace, after: string) {
    return db.tenant(tenantId, async (tx) => {
      const rows = await listOutdated(tx, tenantId, place, secrets.keyId, after, batch);
      for (const held of rows) {
        await row(place.table, held, held.id, (text) =>
          replaceHeld(tx, tenantId, place, held, text),
        );
      }
      return rows.length < batch ? undefined : rows.at(-1)!.id;
    });
  }

  for (const place of installationPlaces) {
    await db.system(async (tx) => {
      for (const held of await listInstallation(tx, place)) {
        await row(place.table, held, place.context ?? held.id, (text) =>
          replaceInstallation(tx, place, held, text),
        );
      }
    });
  }
  for (const { id } of await db.system(listTenants)) {
    for (const place of tenantPlaces) {
      let after: string | undefined = '';
      while (after !== undefined) after = await tenantBatch(id, place, after);
    }
  }
  return { done, missed, unreadable };
}

/** The text with all that is sealed in it sealed anew; undefined when something does not open. */
function resealedText(secrets: Secrets, held: string, context: string): string | undefined {
  try {
    return held.replace(sealedText, (sealed) =>
      secrets.isOutdated(sealed) ? secrets.seal(secrets.open(sealed, context), context) : sealed,
    );
  } catch {
    return undefined; // whatever the fault, the secret stays as it is, and is told of by its place
  }
}
