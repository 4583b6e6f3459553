/** Creates and changes provider configurations, for the API and for the host's commands. */
import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { VoiceProvider } from '../../../channels/voice-contract.ts';
import { voiceProviderById } from '../../../channels/voice-registry.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { type Made, makeOnce, type Once } from '../../../platform/idempotency/once.ts';
import { newId } from '../../../platform/ids.ts';
import {
  mergedSettings,
  neededAgain,
  secretSentElsewhere,
} from '../../../platform/secrets/merged-settings.ts';
import { fail, invalid } from '../../errors.ts';
import type { CallingContext } from '../context.ts';
import { numberAt } from '../e164-number.ts';
import { trunkQueue } from '../queues.ts';
import { openRow, requestContext } from './account.ts';
import type { providerPatch, providerRequest } from './schema.ts';
import { readSettings } from './settings.ts';
import { findProvider, insertProvider, type ProviderRow, updateProvider } from './store.ts';

/** What is needed to store a configuration. */
export type ProviderContext = Pick<
  CallingContext,
  'db' | 'secrets' | 'clock' | 'random' | 'jobs' | 'simulatorSettings'
>;

/** Runs in the transaction that makes or changes a configuration, for the audit log. */
export type ProviderChanged = (
  tx: Tx,
  before: ProviderRow | undefined,
  after: ProviderRow,
) => Promise<void>;

/** Throws `invalid_request`. */
export async function createProvider(
  context: ProviderContext,
  scope: TenantScope,
  draft: z.output<typeof providerRequest>,
  options: { readonly once?: Once | undefined; readonly changed: ProviderChanged },
): Promise<Made<ProviderRow>> {
  const provider = voiceProviderById(draft.provider);
  if (provider === undefined) throw invalid('provider', 'is not a known provider');
  const given = draft.settings ?? context.simulatorSettings(scope.environment, provider.id) ?? {};
  const settings = readSettings(provider, given);
  const now = context.clock();
  const id = newId('vpc', () => now, context.random);
  const row = {
    id,
    provider: provider.id,
    name: draft.name,
    settings_sealed: context.secrets.seal(JSON.stringify(settings), id),
    flow_key_sealed: context.secrets.seal(randomBytes(32).toString('base64url'), id),
    from_number: numberAt('from_number', draft.from_number),
    calls_per_second: draft.calls_per_second,
    recording_policy: draft.recording_policy,
    recording_days: draft.recording_retention_days,
    created_at: now,
    updated_at: now,
  };
  return context.db.tenant(scope.tenantId, (tx) =>
    makeOnce(tx, scope, options.once, {
      id,
      make: async () => {
        await insertProvider(tx, scope, row);
        await startTrunkListener(context, tx, scope, provider, id);
        const made = { ...row, deleted_at: null };
        await options.changed(tx, undefined, made);
        return made;
      },
      find: (known) => findProvider(tx, scope, known),
    }),
  );
}

/** Queues the job that listens to a PBX; it runs until the configuration is removed. */
async function startTrunkListener(
  { jobs }: ProviderContext,
  tx: Parameters<ProviderContext['jobs']['enqueue']>[0],
  { tenantId, environment }: TenantScope,
  provider: VoiceProvider,
  id: string,
): Promise<void> {
  if (provider.kind !== 'trunk') return;
  await jobs.enqueue(tx, tenantId, [{ queue: trunkQueue, key: id, payload: { environment } }]);
}

/** Throws `invalid_request` and `provider_config_not_found`. */
export async function changeProvider(
  context: ProviderContext,
  scope: TenantScope,
  id: string,
  edit: z.output<typeof providerPatch>,
  changed: ProviderChanged,
): Promise<ProviderRow> {
  return context.db.tenant(scope.tenantId, async (tx) => {
    const before = await findProvider(tx, scope, id);
    if (before === undefined || before.deleted_at !== null) throw providerNotFound(id);
    const provider = voiceProviderById(before.provider)!;
    const known = JSON.parse(context.secrets.open(before.settings_sealed, id));
    const left = secretSentElsewhere(provider.settings, known, edit.settings);
    if (left !== undefined) throw invalid(`settings.${left.secret}`, neededAgain(left));
    const settings = readSettings(provider, mergedSettings(known, edit.settings));
    const after = {
      ...before,
      name: edit.name ?? before.name,
      settings_sealed: context.secrets.seal(JSON.stringify(settings), id),
      from_number:
        edit.from_number === undefined
          ? before.from_number
          : numberAt('from_number', edit.from_number),
      calls_per_second: edit.calls_per_second ?? before.calls_per_second,
      recording_policy: edit.recording_policy ?? before.recording_policy,
      recording_days: edit.recording_retention_days ?? before.recording_days,
      updated_at: context.clock(),
    };
    await updateProvider(tx, scope, id, after);
    await changed(tx, before, after);
    return after;
  });
}

/**
 * Asks the provider whether the credentials are valid. No call is placed, and nothing is charged.
 */
export async function testProvider(
  context: CallingContext,
  scope: TenantScope,
  row: ProviderRow,
  stopwatch: () => number,
) {
  const { provider, account } = openRow(context, scope, row);
  const begun = stopwatch();
  const exchange = await context.wire.send(
    provider.check.request(account as never, requestContext(context)),
  );
  const latency_ms = Math.round(stopwatch() - begun);
  if (exchange.kind !== 'answered') {
    return { ok: false, code: 'unreachable', detail: exchange.reason, latency_ms };
  }
  const outcome = provider.check.read(exchange.response, context.clock());
  if (outcome.kind === 'ok') return { ok: true, code: null, detail: null, latency_ms };
  const code = outcome.kind === 'refused' ? outcome.code : 'unclear';
  const detail = outcome.kind === 'refused' ? outcome.detail : outcome.reason;
  return { ok: false, code, detail: detail.slice(0, 500), latency_ms };
}

/** The 404 of a configuration. */
export function providerNotFound(id: string) {
  return fail('provider_config_not_found', `There is no provider configuration "${id}".`);
}
