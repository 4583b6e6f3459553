/** Fixes the audience of a broadcast: all its messages are written in one transaction, or none. */

import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { faultOf } from '../../../platform/db/errors.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { newId } from '../../../platform/ids.ts';
import { addEvents } from '../../../webhooks/store.ts';
import { findReview, mayStandAsBefore } from '../../templates/store.ts';
import type { BroadcastContext } from '../context.ts';
import { broadcastEvent } from '../events.ts';
import { ensureUrls, insertLinks, type NewLink } from '../links/store.ts';
import { type BroadcastPlan, planOf } from '../plan.ts';
import { orderReport } from '../reports/mail/order.ts';
import { type BroadcastRow, lockBroadcast, setAudience, setState } from '../store.ts';
import {
  AudienceSummary,
  audiencePageSize,
  type CandidateOutcome,
  decidePage,
} from './outcomes.ts';
import { beginSnapshot, insertRecipients, type NewRecipient } from './store.ts';

/**
 * Returns the broadcast after it; undefined when the broadcast is gone or locked by somebody else, or
 * the network is being asked to take a change of its template.
 */
export async function takeSnapshot(
  context: BroadcastContext,
  scope: TenantScope,
  id: string,
): Promise<BroadcastRow | undefined> {
  let isTaken = false;
  const work = context.db.tenant(scope.tenantId, async (tx) => {
    await beginSnapshot(tx);
    const row = await lockBroadcast(tx, scope, id).catch((error: unknown) => {
      isTaken = faultOf(error).code === 'timeout';
      throw error;
    });
    if (row?.state !== 'queued') return row;
    const now = context.clock();
    const from = row.schedule_at > now ? row.schedule_at : now;
    const planning = await planOf(tx, context, scope, row, from);
    if (planning.kind === 'refused') {
      const { code: reason, detail } = planning;
      const review = await findReview(tx, scope, row.template_id);
      if (mayStandAsBefore(review, now)) return undefined;
      // An app can be mended, as when it stops later; what else is wrong is of the broadcast.
      const state = reason === 'app_stopped' ? 'paused' : 'failed';
      const ended = await setState(tx, scope, id, { state, reason, detail }, now);
      await addEvents(tx, scope.tenantId, [broadcastEvent(context, scope, state, ended!, now)]);
      await orderReport(context, tx, scope, ended!);
      return ended;
    }
    const summary = await writeAudience(tx, context, scope, planning.plan, now);
    const { recipients, skipped, zones } = summary;
    const { currency } = planning.plan;
    const cost = currency === null ? null : summary.cost;
    const audience = { recipients, skipped, cost, currency, zones: [...zones] };
    const snapshot = await setAudience(tx, scope, id, audience, now);
    await addEvents(tx, scope.tenantId, [
      broadcastEvent(context, scope, 'started', snapshot!, now),
    ]);
    return snapshot;
  });
  return work.catch((error: unknown) => {
    // Another transaction is changing the broadcast: the job runs again and sees the new state.
    if (isTaken || faultOf(error).code === 'conflict') return undefined;
    throw error;
  });
}

async function writeAudience(
  tx: Tx,
  context: BroadcastContext,
  scope: TenantScope,
  plan: BroadcastPlan,
  now: Date,
): Promise<AudienceSummary> {
  const summary = new AudienceSummary();
  for (let after = ''; ; ) {
    const page = await decidePage(tx, scope, plan, after, context.random);
    for (const decided of page) summary.add(decided);
    await writePage(tx, context, scope, plan, page, now);
    if (page.length < audiencePageSize) return summary;
    after = page.at(-1)!.candidate.place;
  }
}

async function writePage(
  tx: Tx,
  { random }: BroadcastContext,
  scope: TenantScope,
  { broadcast, template, currency }: BroadcastPlan,
  page: readonly CandidateOutcome[],
  now: Date,
): Promise<void> {
  const rows: NewRecipient[] = [];
  const links: NewLink[] = [];
  for (const { candidate, outcome, links: own } of page) {
    if (outcome.kind === 'skipped') continue;
    const id = newId('msg', () => now, random);
    const { address, preview, price, timeZone: time_zone, dueAt: due_at } = outcome;
    const content = JSON.stringify(outcome.content);
    const { contact_id } = candidate;
    rows.push({ id, contact_id, address, content, preview, due_at, price, time_zone });
    for (const [code, url] of own) links.push({ code, url, message_id: id });
  }
  if (rows.length === 0) return;
  const { id: broadcastId, channel, app_id: appId } = broadcast;
  const { registration } = template;
  const all = {
    broadcastId,
    channel,
    appId,
    currency,
    now,
    registration: registration === null ? null : JSON.stringify(registration),
  };
  await insertRecipients(tx, scope, all, rows);
  if (links.length > 0) await writeLinks(tx, scope, broadcastId, links, () => urlId());

  function urlId(): string {
    return newId('url', () => now, random);
  }
}

async function writeLinks(
  tx: Tx,
  scope: TenantScope,
  broadcastId: string,
  links: readonly NewLink[],
  newUrlId: () => string,
): Promise<void> {
  const byUrl = Map.groupBy(links, ({ url }) => url);
  const urls = [...byUrl].map(([url, own]) => ({ id: newUrlId(), url, links: own.length }));
  const kept = await ensureUrls(tx, scope, broadcastId, urls);
  const idOf = new Map(kept.map(({ id, url }) => [url, id]));
  const rows = links.map(({ code, message_id, url }) => {
    return { code, message_id, url_id: idOf.get(url)! };
  });
  await insertLinks(tx, scope, broadcastId, rows);
}
