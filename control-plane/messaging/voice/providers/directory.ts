/** Making and changing provider configurations, for the API and for the host's commands. */
import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { VoiceProvider } from '../../../channels/voice-contract.ts';
import { voiceProviderById } from '../../../channels/voice-registry.ts';
import { type Made, makeOnce, type Once } from '../../../platform/idempotency/once.ts';
import { newId } from '../../../platform/ids.ts';
import { readNumber } from '../../contacts/directory.ts';
import type { Place } from '../../contacts/store.ts';
import { fail, invalid } from '../../errors.ts';
import type { VoiceDesk } from '../desk.ts';
import { trunkQueue } from '../queues.ts';
import { contextOf, openRow } from './account.ts';
import type { providerPatch, providerRequest } from './schema.ts';
import { readSettings } from './settings.ts';
import { findProvider, insertProvider, type ProviderRow, updateProvider } from './store.ts';

/** What is needed to write a configuration down. */
export type DirectoryDesk = Pick<
  VoiceDesk,
  'db' | 'secrets' | 'clock' | 'random' | 'jobs' | 'playedSettings'
>;

/** Throws `invalid_request`. */
export async function createProvider(
  desk: DirectoryDesk,
  place: Place,
  draft: z.output<typeof providerRequest>,
  once?: Once,
): Promise<Made<ProviderRow>> {
  const provider = voiceProviderById(draft.provider);
  if (provider === undefined) throw invalid('provider', 'is none that there is');
  const given = draft.settings ?? desk.playedSettings(place.environment, provider.id) ?? {};
  const settings = readSettings(provider, given);
  const now = desk.clock();
  const id = newId('vpc', () => now, desk.random);
  const row = {
    ...{ id, provider: provider.id, name: draft.name },
    settings_sealed: desk.secrets.seal(JSON.stringify(settings), id),
    flow_key_sealed: desk.secrets.seal(randomBytes(32).toString('base64url'), id),
    from_number: readFrom(draft.from_number),
    calls_per_second: draft.calls_per_second,
    recording_policy: draft.recording_policy,
    recording_days: draft.recording_retention_days,
    ...{ created_at: now, updated_at: now },
  };
  return desk.db.tenant(place.tenantId, (tx) =>
    makeOnce(tx, place, once, {
      id,
      make: async () => {
        await insertProvider(tx, place, row);
        await holdTrunk(desk, tx, place, provider, id);
        return { ...row, deleted_at: null };
      },
      find: (known) => findProvider(tx, place, known),
    }),
  );
}

/** A PBX is listened to as long as its configuration is there: the job never ends by itself. */
async function holdTrunk(
  { jobs }: DirectoryDesk,
  tx: Parameters<DirectoryDesk['jobs']['enqueue']>[0],
  { tenantId, environment }: Place,
  provider: VoiceProvider,
  id: string,
): Promise<void> {
  if (provider.kind !== 'trunk') return;
  await jobs.enqueue(tx, tenantId, [{ queue: trunkQueue, key: id, payload: { environment } }]);
}

/** Throws `invalid_request` and `provider_config_not_found`. */
export async function changeProvider(
  desk: DirectoryDesk,
  place: Place,
  id: string,
  edit: z.output<typeof providerPatch>,
): Promise<ProviderRow> {
  return desk.db.tenant(place.tenantId, async (tx) => {
    const before = await findProvider(tx, place, id);
    if (before === undefined || before.deleted_at !== null) throw providerNotFound(id);
    const provider = voiceProviderById(before.provider)!;
    const known = JSON.parse(desk.secrets.open(before.settings_sealed, id));
    const settings = readSettings(provider, { ...known, ...edit.settings });
    const after = {
      ...before,
      name: edit.name ?? before.name,
      settings_sealed: desk.secrets.seal(JSON.stringify(settings), id),
      from_number: edit.from_number === undefined ? before.from_number : readFrom(edit.from_number),
      calls_per_second: edit.calls_per_second ?? before.calls_per_second,
      recording_policy: edit.recording_policy ?? before.recording_policy,
      recording_days: edit.recording_retention_days ?? before.recording_days,
      updated_at: desk.clock(),
    };
    await updateProvider(tx, place, id, after);
    return after;
  });
}

/** Asks the provider whether the credentials are good. Nothing is called, nothing is paid. */
export async function testProvider(
  desk: VoiceDesk,
  place: Place,
  row: ProviderRow,
  stopwatch: () => number,
) {
  const { provider, account } = openRow(desk, place, row);
  const begun = stopwatch();
  const exchange = await desk.wire.send(provider.check.request(account as never, contextOf(desk)));
  const latency_ms = Math.round(stopwatch() - begun);
  if (exchange.kind !== 'answered') {
    return { ok: false, code: 'unreachable', detail: exchange.reason, latency_ms };
  }
  const outcome = provider.check.read(exchange.response, desk.clock());
  if (outcome.kind === 'ok') return { ok: true, code: null, detail: null, latency_ms };
  const code = outcome.kind === 'refused' ? outcome.code : 'unclear';
  const detail = outcome.kind === 'refused' ? outcome.detail : outcome.reason;
  return { ok: false, code, detail: detail.slice(0, 500), latency_ms };
}

/** The 404 of a configuration. */
export function providerNotFound(id: string) {
  return fail('provider_config_not_found', `There is no provider configuration "${id}".`);
}

function readFrom(text: string): string {
  try {
    return readNumber(text);
  } catch {
    throw invalid('from_number', 'must be a number in E.164, as +60312345678');
  }
}
