/** A broadcast with everything that it needs looked up: whether it can be sent, and how. */
import { faultOfSources, whyNotBroadcast } from '@drawbridge/messaging/broadcast/variables.ts';
import { findProvedDomain } from '../../people/branding-store.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { OpenedApp } from '../apps/app-opener.ts';
import { findApp } from '../apps/store.ts';
import { findSegment } from '../contacts/segments/store.ts';
import { findTemplate, type TemplateRow } from '../templates/store.ts';
import { noWalletDetail } from '../tenants/wallet/insufficient-funds.ts';
import { isSold, listPrices } from '../tenants/wallet/price-store.ts';
import { openWallet } from '../tenants/wallet/store.ts';
import { reachAgeMsMax } from './audience/reach.ts';
import type { RecipientRules } from './audience/recipient.ts';
import type { BroadcastContext } from './context.ts';
import type { NewBroadcast } from './store.ts';

export interface BroadcastPlan {
  readonly broadcast: NewBroadcast;
  readonly opened: OpenedApp;
  readonly template: TemplateRow;
  readonly rules: RecipientRules;
  /** As `AudiencePage`. */
  readonly reachSince: Date | null;
  /** Null: the channel is free of charge. */
  readonly currency: string | null;
}

export type PlanOutcome =
  | { readonly kind: 'plan'; readonly plan: BroadcastPlan }
  | { readonly kind: 'refused'; readonly code: PlanFault; readonly detail: string };

/** Why a broadcast cannot be sent now. */
type PlanFault =
  | 'app_not_found'
  | 'app_stopped'
  | 'segment_not_found'
  | 'template_not_found'
  | 'template_not_approved'
  | 'template_refused'
  | 'insufficient_funds';

/** Looks everything up; `from` is when the messages may be sent. */
export async function planOf(
  tx: Tx,
  context: Pick<BroadcastContext, 'clock' | 'appOpener' | 'publicUrl'>,
  scope: TenantScope,
  broadcast: NewBroadcast,
  from: Date,
): Promise<PlanOutcome> {
  const app = await findApp(tx, scope, broadcast.app_id);
  if (app === undefined) return refused('app_not_found', 'The app was removed.');
  if (app.state === 'stopped') {
    return refused('app_stopped', `The app "${app.name}" is stopped.`);
  }
  const { segment_id: segmentId } = broadcast;
  if (segmentId !== null && (await findSegment(tx, scope, segmentId)) === undefined) {
    return refused('segment_not_found', 'The segment was removed.');
  }
  const template = await findTemplate(tx, scope, broadcast.template_id);
  if (template === undefined) return refused('template_not_found', 'The template was removed.');
  if (template.status !== 'approved') {
    return refused('template_not_approved', `The template is ${template.status}.`);
  }
  const why = whyNotBroadcast(template.definition);
  if (why !== undefined) return refused('template_refused', `It cannot be broadcast: ${why}.`);
  // The template may have changed since the broadcast was made.
  const fault = faultOfSources(template.definition, broadcast.variables);
  if (fault !== undefined) {
    return refused('template_refused', `The variable "${fault.variable}" ${fault.problem}.`);
  }
  const money = await pricesOf(tx, scope, broadcast.channel);
  if (money === undefined) return refused('insufficient_funds', noWalletDetail('message'));
  const domain = await findProvedDomain(tx, scope.tenantId);
  const base = domain === undefined ? context.publicUrl(scope.environment) : `https://${domain}`;
  const rules = rulesOf(base, broadcast, template, from);
  const opened = context.appOpener.open(scope, app);
  const reachSince = new Date(context.clock().getTime() - reachAgeMsMax);
  return {
    kind: 'plan',
    plan: {
      broadcast,
      template,
      opened,
      currency: money.currency,
      reachSince: opened.channel.reach === undefined ? null : reachSince,
      rules: { ...rules, prices: money.prices },
    },
  };
}

function refused(code: PlanFault, detail: string): PlanOutcome {
  return { kind: 'refused', code, detail };
}

/** The path of short links. */
const linkPath = '/l/';

function rulesOf(
  base: string,
  broadcast: NewBroadcast,
  { definition, registration }: TemplateRow,
  from: Date,
): Omit<RecipientRules, 'prices'> {
  const { channel, variables, track_urls, quiet_from, quiet_to } = broadcast;
  return {
    blueprint: {
      channel,
      variables,
      template: definition,
      isRegistered: registration !== null,
      linkBase: track_urls ? base + linkPath : undefined,
    },
    requiresConsent: broadcast.require_consent,
    timeZone: broadcast.time_zone,
    quiet: quiet_from === null ? undefined : { from: quiet_from, to: quiet_to! },
    from,
  };
}

/**
 * What the host charges, by the beginning of a number; undefined when it charges and there is no
 * wallet.
 */
async function pricesOf(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  channel: string,
): Promise<{ prices: RecipientRules['prices']; currency: string | null } | undefined> {
  const free = { prices: undefined, currency: null };
  if (!(await isSold(tx, channel))) return free;
  const wallet = await openWallet(tx, tenantId, environment);
  if (wallet === undefined) return undefined;
  const { currency } = wallet;
  const rows = (await listPrices(tx)).filter(
    (row) => row.channel === channel && row.currency === currency,
  );
  return { prices: new Map(rows.map(({ prefix, amount }) => [prefix, amount])), currency };
}
