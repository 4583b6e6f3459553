/**
 * A provider configuration with its secrets decrypted, in the form that the provider's codec takes.
 */
import { randomUUID } from 'node:crypto';
import type {
  VoiceAccount,
  VoiceContext,
  VoiceProvider,
} from '../../../channels/voice-contract.ts';
import { voiceProviderById } from '../../../channels/voice-registry.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { CallRow } from '../calls/store.ts';
import type { CallingContext } from '../context.ts';
import { findProvider, type ProviderRow } from './store.ts';

export interface OpenProvider {
  readonly scope: TenantScope;
  readonly row: ProviderRow;
  readonly provider: VoiceProvider;
  readonly account: VoiceAccount;
  /** The key that signs the addresses of flows. */
  readonly flowKey: string;
}

/** A transaction about calls of one provider configuration. */
export interface OpenProviderTransaction {
  readonly context: CallingContext;
  readonly tx: Tx;
  readonly open: OpenProvider;
}

/** A call whose row is locked, with its provider configuration. */
export interface OpenCall extends OpenProviderTransaction {
  readonly call: CallRow;
}

/** Undefined when the scope has no configuration with this id. */
export async function openProvider(
  context: CallingContext,
  scope: TenantScope,
  id: string,
): Promise<OpenProvider | undefined> {
  const row = await context.db.tenant(scope.tenantId, (tx) => findProvider(tx, scope, id));
  return row === undefined ? undefined : openRow(context, scope, row);
}

export function openRow(
  context: CallingContext,
  scope: TenantScope,
  row: ProviderRow,
): OpenProvider {
  const provider = voiceProviderById(row.provider);
  if (provider === undefined) throw new Error(`no voice provider is registered as ${row.provider}`);
  const settings = JSON.parse(context.secrets.open(row.settings_sealed, row.id));
  const usual =
    provider.kind === 'markup' ? provider.endpoint : provider.endpointOf(settings as never);
  const account = {
    id: row.id,
    endpoint: context.endpointOf(scope.environment, provider.id) ?? usual,
    settings,
    callbackUrl: callbackUrlOf(context, scope, row.id),
  };
  const flowKey = context.secrets.open(row.flow_key_sealed, row.id);
  return { scope, row, provider, account, flowKey };
}

/** The address for the call-backs of a configuration's provider, with a slash at the end. */
export function callbackUrlOf(
  context: CallingContext,
  { environment }: TenantScope,
  id: string,
): string {
  return `${context.publicUrl(environment)}/voice/api/callbacks/${id}/`;
}

/** The context of one request. */
export function requestContext({ clock }: CallingContext): VoiceContext {
  return { now: clock(), nonce: randomUUID() };
}
