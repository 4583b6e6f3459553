/** A configuration with its secrets opened: what a provider's codec is given. */
import { randomUUID } from 'node:crypto';
import type {
  VoiceAccount,
  VoiceContext,
  VoiceProvider,
} from '../../../channels/voice-contract.ts';
import { voiceProviderById } from '../../../channels/voice-registry.ts';
import type { Place } from '../../contacts/store.ts';
import type { VoiceDesk } from '../desk.ts';
import { findProvider, type ProviderRow } from './store.ts';

export interface OpenProvider {
  readonly place: Place;
  readonly row: ProviderRow;
  readonly provider: VoiceProvider;
  readonly account: VoiceAccount;
  /** Signs the addresses of flows. */
  readonly flowKey: string;
}

/** Undefined when the place has none of this id. */
export async function openProvider(
  desk: VoiceDesk,
  place: Place,
  id: string,
): Promise<OpenProvider | undefined> {
  const row = await desk.db.tenant(place.tenantId, (tx) => findProvider(tx, place, id));
  return row === undefined ? undefined : openRow(desk, place, row);
}

export function openRow(desk: VoiceDesk, place: Place, row: ProviderRow): OpenProvider {
  const provider = voiceProviderById(row.provider);
  if (provider === undefined) throw new Error(`no voice provider is registered as ${row.provider}`);
  const settings = JSON.parse(desk.secrets.open(row.settings_sealed, row.id));
  const usual =
    provider.kind === 'markup' ? provider.endpoint : provider.endpointOf(settings as never);
  const account = {
    id: row.id,
    endpoint: desk.endpointOf(place.environment, provider.id) ?? usual,
    settings,
    callbackUrl: callbackUrlOf(desk, place, row.id),
  };
  const flowKey = desk.secrets.open(row.flow_key_sealed, row.id);
  return { place, row, provider, account, flowKey };
}

/** Where a configuration's provider calls back, with a slash at its end. */
export function callbackUrlOf(desk: VoiceDesk, { environment }: Place, id: string): string {
  return `${desk.publicUrl(environment)}/voice/api/callbacks/${id}/`;
}

/** The context of one request. */
export function contextOf({ clock }: VoiceDesk): VoiceContext {
  return { now: clock(), nonce: randomUUID() };
}
