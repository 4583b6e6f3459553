/** The settings of a workspace's identity provider: what changes them, and what follows from a change. */
import { faultOf } from '../../platform/db/errors.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { invalid } from '../../platform/http/errors.ts';
import { type Clock, newId, type RandomBytes } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { fail } from '../errors.ts';
import { lockOwners } from '../members/store.ts';
import type { Openid, OpenidProvider } from './openid.ts';
import type { IdentityProviderRequest } from './schema.ts';
import {
  deleteProvider,
  endSessionsSignedInBy,
  hasOwnerWithPassword,
  type IdentityProviderRow,
  saveProvider,
} from './store.ts';

export interface SettingsContext {
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly secrets: Pick<Secrets, 'seal' | 'open'>;
  readonly openid: Pick<Openid, 'refusalOf'>;
}

/**
 * Puts the settings in the place of those before, which the caller has locked. Sessions end that would not begin any
 * more. Throws what is wrong with them.
 */
export async function changeProvider(
  tx: Tx,
  tenantId: string,
  context: SettingsContext,
  before: IdentityProviderRow | undefined,
  request: IdentityProviderRequest,
): Promise<IdentityProviderRow> {
  const refusal = context.openid.refusalOf(request.issuer);
  if (refusal !== undefined) throw invalid('issuer', refusal);
  await refuseLockOut(tx, tenantId, request);
  const row = nextRow(context, before, request);
  await saveProvider(tx, tenantId, row).catch((error: unknown) => {
    const isTaken = faultOf(error).code === 'duplicate';
    throw isTaken ? nameTaken(request.sign_in_name) : error;
  });
  const isOther = before !== undefined && !isSameClient(before, request);
  if (isOther || !row.is_enabled) await endSessionsSignedInBy(tx, tenantId, 'provider');
  if (row.is_required) {
    await endSessionsSignedInBy(tx, tenantId, 'password', { butOwners: true });
  }
  return row;
}

/** Members sign in by password from then on, and whoever has none is not signed in. */
export async function removeProvider(tx: Tx, tenantId: string): Promise<void> {
  await deleteProvider(tx, tenantId);
  await endSessionsSignedInBy(tx, tenantId, 'provider');
}

async function refuseLockOut(
  tx: Tx,
  tenantId: string,
  { is_required, is_enabled }: IdentityProviderRequest,
): Promise<void> {
  if (!is_required) return;
  if (!is_enabled) {
    throw invalid('is_required', 'must be false while nobody signs in through the provider');
  }
  await lockOwners(tx, tenantId);
  if (!(await hasOwnerWithPassword(tx, tenantId))) {
    throw fail(
      'no_way_back',
      'Nobody could sign in if the provider failed: make a member who has a password an owner first.',
    );
  }
}

function nextRow(
  { clock, random, secrets }: SettingsContext,
  before: IdentityProviderRow | undefined,
  { client_secret, default_roles, ...request }: IdentityProviderRequest,
): IdentityProviderRow {
  const now = clock();
  const id = before?.id ?? newId('idp', () => now, random);
  const isSame = before !== undefined && isSameClient(before, request);
  // A secret goes to whoever is the issuer: the one that is kept must not go to another.
  if (client_secret === undefined && before?.sealed_client_secret != null && !isSame) {
    throw invalid('client_secret', 'is needed again, since issuer or client are others');
  }
  const kept = before?.sealed_client_secret ?? null;
  const given = client_secret == null ? null : secrets.seal(client_secret, id);
  return {
    ...request,
    id,
    sealed_client_secret: client_secret === undefined ? kept : given,
    default_role: default_roles?.role ?? null,
    default_einvoicing_role: default_roles?.einvoicing_role ?? null,
    trial: isSame ? before.trial : null,
    created_at: before?.created_at ?? now,
    updated_at: now,
  };
}

function isSameClient(
  before: IdentityProviderRow,
  { issuer, client_id }: Pick<IdentityProviderRequest, 'issuer' | 'client_id'>,
): boolean {
  return before.issuer === issuer && before.client_id === client_id;
}

function nameTaken(name: string) {
  return fail('sign_in_name_taken', `Another workspace is signed in to as "${name}".`);
}

/** What the exchange with the provider needs, its secret opened. */
export function openidProviderOf(
  secrets: Pick<Secrets, 'open'>,
  { id, issuer, client_id: clientId, sealed_client_secret: sealed }: IdentityProviderRow,
): OpenidProvider {
  return { issuer, clientId, clientSecret: sealed === null ? undefined : secrets.open(sealed, id) };
}

/** The settings as the API shows them. */
export function showProvider(row: IdentityProviderRow) {
  const { default_role: role, default_einvoicing_role: einvoicing_role } = row;
  const hasDefault = role !== null || einvoicing_role !== null;
  return {
    name: row.name,
    sign_in_name: row.sign_in_name,
    issuer: row.issuer,
    client_id: row.client_id,
    scopes: row.scopes,
    groups_claim: row.groups_claim,
    group_roles: row.group_roles,
    default_roles: hasDefault ? { role, einvoicing_role } : null,
    email_domains: row.email_domains,
    is_required: row.is_required,
    proof_acr_values: row.proof_acr_values,
    proof_amr_values: row.proof_amr_values,
    is_enabled: row.is_enabled,
    has_client_secret: row.sealed_client_secret !== null,
    last_trial: row.trial,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
