import { listIdentities } from '../agents/identity-store.ts';
import type { Db } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import { SettingsError } from '../settings.ts';

/**
 * Refuses a database whose secrets another key has sealed, before anything is changed or sent: throws
 * `SettingsError`. The link identity is there from the first start on, and tells.
 */
export async function checkSecretKey(db: Db, secrets: Pick<Secrets, 'holdsKeyOf'>): Promise<void> {
  const identities = await db.system(listIdentities);
  if (identities.every((row) => secrets.holdsKeyOf(row.sealed_secret_key))) return;
  throw new SettingsError([
    'DRAWBRIDGE_SECRET_KEY is not the key that has sealed the secrets in this database: set the one ' +
      'that its nodes had, or without the setting put their secret.key into DRAWBRIDGE_HOME',
  ]);
}
