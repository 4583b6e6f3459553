/** A broadcast with all that it needs looked up: whether it can go, and how. */
import { whyNotBroadcast } from '@drawbridge/messaging/broadcast/variables.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { OpenedApp } from '../apps/desk.ts';
import { findApp } from '../apps/store.ts';
import type { Place } from '../contacts/store.ts';
import { findTemplate, type TemplateRow } from '../templates/store.ts';
import { isSold, listPrices } from '../tenants/price-store.ts';
import { withoutWallet } from '../tenants/short-of-funds.ts';
import { findWallet } from '../tenants/wallet-store.ts';
import type { BroadcastEdge } from './edge.ts';
import { reachAgeMsMax } from './reach.ts';
import type { Recipe } from './recipient.ts';
import type { NewBroadcast } from './store.ts';

export interface Plan {
  readonly broadcast: NewBroadcast;
  readonly opened: OpenedApp;
  readonly template: TemplateRow;
  readonly recipe: Recipe;
  /** As `AudiencePage`. */
  readonly reachSince: Date | null;
  /** Null: the host asks nothing for the channel. */
  readonly currency: string | null;
}

export type Planning =
  | { readonly kind: 'plan'; readonly plan: Plan }
  | { readonly kind: 'refused'; readonly code: PlanFault; readonly detail: string };

/** Why a broadcast cannot go as things stand. */
export type PlanFault =
  | 'app_not_found'
  | 'app_stopped'
  | 'template_not_found'
  | 'template_not_approved'
  | 'template_refused'
  | 'insufficient_funds';

/** Looks everything up; `from` is when the messages may go. */
export async function planOf(
  tx: Tx,
  edge: Pick<BroadcastEdge, 'clock' | 'desk' | 'publicUrl'>,
  place: Place,
  broadcast: NewBroadcast,
  from: Date,
): Promise<Planning> {
  const app = await findApp(tx, place, broadcast.app_id);
  if (app === undefined) return refused('app_not_found', 'The app was removed.');
  if (app.state === 'stopped') {
    return refused('app_stopped', `The app "${app.name}" is stopped.`);
  }
  const template = await findTemplate(tx, place, broadcast.template_id);
  if (template === undefined) return refused('template_not_found', 'The template was removed.');
  if (template.status !== 'approved') {
    return refused('template_not_approved', `The template is ${template.status}.`);
  }
  const why = whyNotBroadcast(template.definition);
  if (why !== undefined) return refused('template_refused', `It cannot be broadcast: ${why}.`);
  const money = await pricesOf(tx, place, broadcast.channel);
  if (money === undefined) return refused('insufficient_funds', withoutWallet('message'));
  const recipe = recipeOf(edge, place, broadcast, template, from);
  const opened = edge.desk.open(place, app);
  const reachSince = new Date(edge.clock().getTime() - reachAgeMsMax);
  return {
    kind: 'plan',
    plan: {
      ...{ broadcast, template, opened, currency: money.currency },
      reachSince: opened.channel.reach === undefined ? null : reachSince,
      recipe: { ...recipe, prices: money.prices },
    },
  };
}

function refused(code: PlanFault, detail: string): Planning {
  return { kind: 'refused', code, detail };
}

/** The path below which short links stand. */
export const linkPath = '/l/';

function recipeOf(
  { publicUrl }: Pick<BroadcastEdge, 'publicUrl'>,
  { environment }: Place,
  broadcast: NewBroadcast,
  { definition, registration }: TemplateRow,
  from: Date,
): Omit<Recipe, 'prices'> {
  const { channel, variables, track_urls, quiet_from, quiet_to } = broadcast;
  return {
    blueprint: {
      ...{ channel, variables, template: definition, isRegistered: registration !== null },
      linkBase: track_urls ? publicUrl(environment) + linkPath : undefined,
    },
    requiresConsent: broadcast.require_consent,
    timeZone: broadcast.time_zone,
    quiet: quiet_from === null ? undefined : { from: quiet_from, to: quiet_to! },
    from,
  };
}

/**
 * What the host asks by the beginning of numbers; undefined when it asks and there is no wallet.
 * The sandbox costs nothing to who has no wallet there.
 */
async function pricesOf(
  tx: Tx,
  { tenantId, environment }: Place,
  channel: string,
): Promise<{ prices: Recipe['prices']; currency: string | null } | undefined> {
  const free = { prices: undefined, currency: null };
  if (!(await isSold(tx, channel))) return free;
  const wallet = await findWallet(tx, tenantId, environment);
  if (wallet === undefined) return environment === 'sandbox' ? free : undefined;
  const { currency } = wallet;
  const rows = (await listPrices(tx)).filter(
    (row) => row.channel === channel && row.currency === currency,
  );
  return { prices: new Map(rows.map(({ prefix, amount }) => [prefix, amount])), currency };
}
