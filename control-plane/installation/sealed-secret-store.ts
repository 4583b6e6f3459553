/**
 * Where sealed texts stand in the database. Each place has the same two statements, so they are put
 * together from its names, which are constants of this file.
 */
import type { Tx } from '../platform/db/tx.ts';

/** A place of tenants' rows; what is sealed there belongs to the row's id. */
export interface TenantPlace {
  readonly table: string;
  readonly column: string;
  readonly type: 'text' | 'jsonb';
}

export const tenantPlaces: readonly TenantPlace[] = [
  { table: 'connector', column: 'settings', type: 'text' },
  { table: 'channel_app', column: 'settings', type: 'text' },
  { table: 'voice_provider', column: 'settings_sealed', type: 'text' },
  { table: 'voice_provider', column: 'flow_key_sealed', type: 'text' },
  { table: 'webhook_endpoint', column: 'secrets', type: 'jsonb' },
  { table: 'branding_proof', column: 'sealed_key', type: 'text' },
  { table: 'identity_provider', column: 'sealed_client_secret', type: 'text' },
  { table: 'provider_session', column: 'sealed_id_token', type: 'text' },
];

/** A place of the installation. */
export interface InstallationPlace {
  readonly table: string;
  readonly list: string;
  /** Takes the id, the text as it was and as it is to be; answers whether it was changed. */
  readonly replace: string;
  /** What is sealed there belongs to; default: the row's id. */
  readonly context?: string;
}

export const installationPlaces: readonly InstallationPlace[] = [
  {
    table: 'signing_key',
    list: 'select id, sealed_private_jwk as held from signing_key',
    replace: 'select reseal_signing_key($1, $2, $3) as done',
  },
  {
    table: 'document_signing_key',
    list: 'select id, sealed_private_jwk as held from document_signing_key',
    replace: 'select reseal_document_signing_key($1, $2, $3) as done',
  },
  {
    table: 'second_factor',
    list: 'select user_id as id, sealed_secret as held from second_factor',
    replace: 'select reseal_second_factor($1, $2, $3) as done',
  },
  {
    table: 'control_plane_identity',
    list: 'select public_key as id, sealed_secret_key as held from control_plane_identity',
    replace: 'select reseal_control_plane_identity($1, $2, $3) as done',
    context: 'agent link identity',
  },
];

export interface HeldRow {
  readonly id: string;
  /** The text of the column, with one sealed text or several in it. */
  readonly held: string;
}

/** Rows of a place after an id with a text that another key than this one has sealed. */
export function listOutdated(
  tx: Tx,
  tenantId: string,
  { table, column }: TenantPlace,
  keyId: string,
  after: string,
  limit: number,
): Promise<HeldRow[]> {
  return tx.rows(
    `select id, ${column}::text as held from ${table}
     where tenant_id = $1 and id > $3
       and ${column}::text ~ ('v1\\.(?!' || $2 || '\\.)[0-9a-f]{8}\\.')
     order by id limit $4`,
    [tenantId, keyId, after, limit],
  );
}

/** False when the row was changed or removed meanwhile. */
export async function replaceHeld(
  tx: Tx,
  tenantId: string,
  { table, column, type }: TenantPlace,
  { id, held }: HeldRow,
  resealed: string,
): Promise<boolean> {
  const changed = await tx.run(
    `update ${table} set ${column} = $4::${type}
     where tenant_id = $1 and id = $2 and ${column} = $3::${type}`,
    [tenantId, id, held, resealed],
  );
  return changed === 1;
}

export function listInstallation(tx: Tx, { list }: InstallationPlace): Promise<HeldRow[]> {
  return tx.rows(list);
}

/** False when the row was changed meanwhile. */
export async function replaceInstallation(
  tx: Tx,
  { replace }: InstallationPlace,
  { id, held }: HeldRow,
  resealed: string,
): Promise<boolean> {
  const row = await tx.row<{ done: boolean }>(replace, [id, held, resealed]);
  return row?.done === true;
}
