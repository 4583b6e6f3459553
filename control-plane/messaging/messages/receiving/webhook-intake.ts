/**
 * Receives the webhooks of providers. Those that arrive while a transaction commits share the next
 * one, so many need only one write to disk. Each is durable before its provider gets an answer, and
 * a repeated one changes nothing.
 */

import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { Batcher } from '../../../platform/concurrency/batcher.ts';
import { firstRows } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { OpenedApp } from '../../apps/app-opener.ts';
import { findApps, listApps, noteHeard } from '../../apps/store.ts';
import { applyStatusReports } from '../status/changes.ts';
import { applyEarlyReports, type KeptReport } from '../status/early-reports.ts';
import { isRefused, recordNetworkRefusals } from '../status/network-refusals.ts';
import { findReported, keepEarlyReports, type StatusReport } from '../status/store.ts';
import { applyAccountEvents } from './account-updates.ts';
import { applyInboundMessages } from './inbound-messages.ts';
import type { IntakeContext } from './intake-context.ts';
import { applyConsents, applyIdentityChanges, applyTemplateStatuses } from './provider-updates.ts';
import { useProofs } from './store.ts';
import { keepUnrouted } from './unrouted.ts';
import {
  type AcceptedWebhook,
  type AppEvent,
  type RejectedWebhook,
  verdictOf,
  type Webhook,
} from './webhook-verdict.ts';

/** The outcome of a webhook. */
export type IntakeOutcome =
  | RejectedWebhook
  /** Its events are stored. */
  | { readonly kind: 'taken' }
  /** Its proof was used before, and nothing was stored. */
  | { readonly kind: 'repeated' };

/** The most webhooks in one transaction, and of how many bytes: each message in them takes some milliseconds. */
const batchMax = 200;
const batchBytesMax = 524_288;
/** The most numbers of one tenant that share an address on the chat app. */
export const numbersMax = 200;

interface PendingWebhook {
  readonly scope: TenantScope;
  readonly webhook: Webhook;
}

export class WebhookIntake {
  readonly #batches: Batcher<PendingWebhook, IntakeOutcome>;

  constructor(context: IntakeContext) {
    this.#batches = new Batcher({
      batchMax,
      sizes: { of: ({ webhook }) => webhook.request.body.length, max: batchBytesMax },
      write: (batch) => {
        const webhooks = batch.map(({ webhook }) => webhook);
        return takeAll(context, batch[0]!.scope, webhooks);
      },
    });
  }

  /** Resolves when its events are stored, or it has none. */
  take(scope: TenantScope, webhook: Webhook): Promise<IntakeOutcome> {
    return this.#batches.add(`${scope.tenantId} ${scope.environment}`, { scope, webhook });
  }
}

async function takeAll(
  context: IntakeContext,
  scope: TenantScope,
  webhooks: readonly Webhook[],
): Promise<IntakeOutcome[]> {
  const { db, clock } = context;
  const { outcomes, earlyReports } = await db.tenant(scope.tenantId, async (tx) => {
    const apps = await appsOf(tx, context, scope, webhooks);
    const verdicts = webhooks.map((webhook) => verdictOf(webhook, apps, clock()));
    const accepted = verdicts.filter((each) => each.kind === 'accepted');
    const fresh = await unused(tx, context, scope, accepted);
    const taken = accepted.filter((each) => fresh.has(each));
    await keepUnrouted(tx, context, scope, taken);
    return {
      earlyReports: await applyEvents(
        tx,
        context,
        scope,
        taken.flatMap(({ events }) => events),
      ),
      outcomes: verdicts.map((each): IntakeOutcome => {
        if (each.kind !== 'accepted') return each;
        return { kind: fresh.has(each) ? 'taken' : 'repeated' };
      }),
    };
  });
  await settleEarlyReports(context, scope, earlyReports);
  return outcomes;
}

/** A report whose message is not known yet. */
interface EarlyReportKey {
  readonly appId: string;
  readonly providerId: string;
}

/** After the transaction: the message may have become known meanwhile. */
export async function settleEarlyReports(
  context: IntakeContext,
  scope: TenantScope,
  earlyReports: readonly EarlyReportKey[],
): Promise<void> {
  for (const [appId, own] of Map.groupBy(earlyReports, (report) => report.appId)) {
    await applyEarlyReports(
      context,
      scope,
      appId,
      own.map(({ providerId }) => providerId),
    );
  }
}

/** Reads the apps again, so that no webhook is checked with outdated settings. */
async function appsOf(
  tx: Tx,
  { appOpener }: IntakeContext,
  scope: TenantScope,
  webhooks: readonly Webhook[],
): Promise<OpenedApp[]> {
  const ids = new Set(webhooks.flatMap(({ appId }) => appId ?? []));
  const isForNumbers = webhooks.some(({ appId }) => appId === undefined);
  const rows = [
    ...(ids.size === 0 ? [] : await findApps(tx, scope, [...ids])),
    ...(isForNumbers ? await listApps(tx, scope, 'wa', firstRows(numbersMax)) : []),
  ];
  return rows.map((row) => appOpener.open(scope, row));
}

/** The webhooks whose single-use proof was not used yet, and all others. */
async function unused(
  tx: Tx,
  { clock }: IntakeContext,
  { tenantId }: TenantScope,
  accepted: readonly AcceptedWebhook[],
): Promise<ReadonlySet<AcceptedWebhook>> {
  const proofs = new Map<string, AcceptedWebhook>();
  for (const each of accepted) {
    const { opened, singleUseProof } = each;
    if (singleUseProof === undefined) continue;
    const key = `${opened.row.id} ${singleUseProof}`;
    if (!proofs.has(key)) proofs.set(key, each);
  }
  const rows = [...proofs.values()].map(({ opened, singleUseProof }) => {
    return { app_id: opened.row.id, proof: singleUseProof! };
  });
  const used = await useProofs(tx, tenantId, rows, clock());
  const fresh = used.map(({ app_id, proof }) => proofs.get(`${app_id} ${proof}`)!);
  return new Set([
    ...accepted.filter(({ singleUseProof }) => singleUseProof === undefined),
    ...fresh,
  ]);
}

/** Applies everything in one transaction; returns the reports whose message is not known yet. */
export async function applyEvents(
  tx: Tx,
  context: IntakeContext,
  scope: TenantScope,
  items: readonly AppEvent[],
): Promise<EarlyReportKey[]> {
  const of = <K extends AppEvent['event']['kind']>(kind: K) =>
    items.filter(({ event }) => event.kind === kind) as unknown as readonly AppEvent<K>[];
  await applyIdentityChanges(tx, context, scope, of('identity'));
  const earlyReports = await report(tx, context, scope, of('report'));
  await applyInboundMessages(tx, context, scope, of('inbound'));
  await applyConsents(tx, context, scope, of('consent'));
  await applyTemplateStatuses(tx, context, scope, of('template'));
  await applyAccountEvents(tx, context, scope, of('account'));
  const appsOf = (kind: AppEvent['event']['kind']) => [
    ...new Set(of(kind).map(({ opened }) => opened.row.id)),
  ];
  const heard = { inbound: appsOf('inbound'), status: appsOf('report') };
  if (heard.inbound.length + heard.status.length > 0) {
    await noteHeard(tx, scope, heard, context.clock());
  }
  return earlyReports;
}

async function report(
  tx: Tx,
  context: IntakeContext,
  scope: TenantScope,
  items: readonly AppEvent<'report'>[],
): Promise<EarlyReportKey[]> {
  if (items.length === 0) return [];
  const { clock } = context;
  const now = clock();
  const reported = items.map(({ opened, event: { providerId, messageId } }) => ({
    appId: opened.row.id,
    providerId,
    messageId,
  }));
  const ids = await findReported(tx, scope, reported);
  const learnt = items.flatMap(({ event }, at): StatusReport[] => {
    const id = ids[at];
    return id === undefined ? [] : [{ id, provider_id: event.providerId, ...statusOf(event, now) }];
  });
  const changed = await applyStatusReports(tx, scope, learnt, context, now);
  await recordNetworkRefusals(tx, scope, context, changed.filter(isRefused));
  const unknown = items.flatMap(({ opened, event }, at) =>
    ids[at] === undefined ? [{ opened, event }] : [],
  );
  if (unknown.length === 0) return [];
  const kept = unknown.map(({ opened, event }) => {
    const { at, ...rest } = statusOf(event, now);
    const report: KeptReport = { ...rest, at: at.toISOString() };
    return { app_id: opened.row.id, provider_id: event.providerId, report };
  });
  await keepEarlyReports(tx, scope, kept, now);
  return kept.map(({ app_id, provider_id }) => ({ appId: app_id, providerId: provider_id }));
}

const detailMax = 1_000;

function statusOf({ status, at, failure }: AppEvent<'report'>['event'], now: Date) {
  return {
    status: failure?.action === 'opt-out' ? ('skipped' as const) : status,
    // A network's clock may be wrong; our clock decides the order that we show.
    at: at === undefined || at > now ? now : at,
    error_code: failure?.code.slice(0, detailMax) ?? null,
    error_detail: failure?.detail.slice(0, detailMax) ?? null,
  };
}
