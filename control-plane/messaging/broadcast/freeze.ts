/** Fixes the audience of a broadcast: all its messages are written in one transaction, or none. */

import { faultOf } from '../../platform/db/errors.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { newId } from '../../platform/ids.ts';
import { addEvents } from '../../webhooks/store.ts';
import type { Place } from '../contacts/store.ts';
import { audiencePageSize, type Judged, judgePage, Summary } from './audience.ts';
import { beginFreeze, insertRecipients, type NewRecipient } from './audience-store.ts';
import type { BroadcastEdge } from './edge.ts';
import { broadcastEvent } from './events.ts';
import { ensureUrls, insertLinks, type NewLink } from './link-store.ts';
import { type Plan, planOf } from './plan.ts';
import { type BroadcastRow, lockBroadcast, setAudience, setState } from './store.ts';

/** Answers the broadcast as it stands then; undefined when it is gone, or another is at it. */
export async function freeze(
  edge: BroadcastEdge,
  place: Place,
  id: string,
): Promise<BroadcastRow | undefined> {
  let isTaken = false;
  const work = edge.db.tenant(place.tenantId, async (tx) => {
    await beginFreeze(tx);
    const row = await lockBroadcast(tx, place, id).catch((error: unknown) => {
      isTaken = faultOf(error).code === 'timeout';
      throw error;
    });
    if (row?.state !== 'queued') return row;
    const now = edge.clock();
    const from = row.schedule_at > now ? row.schedule_at : now;
    const planning = await planOf(tx, edge, place, row, from);
    if (planning.kind === 'refused') {
      const { code: reason, detail } = planning;
      const change = { state: 'failed', reason, detail } as const;
      const failed = await setState(tx, place, id, change, now);
      await addEvents(tx, place.tenantId, [broadcastEvent(edge, place, 'failed', failed!, now)]);
      return failed;
    }
    const summary = await writeAll(tx, edge, place, planning.plan, now);
    const { recipients, skipped, zones } = summary;
    const { currency } = planning.plan;
    const cost = currency === null ? null : summary.cost;
    const audience = { recipients, skipped, cost, currency, zones: [...zones] };
    const frozen = await setAudience(tx, place, id, audience, now);
    await addEvents(tx, place.tenantId, [broadcastEvent(edge, place, 'started', frozen!, now)]);
    return frozen;
  });
  return work.catch((error: unknown) => {
    // Somebody changes it at this moment: the job comes again and sees what it is then.
    if (isTaken || faultOf(error).code === 'conflict') return undefined;
    throw error;
  });
}

async function writeAll(
  tx: Tx,
  edge: BroadcastEdge,
  place: Place,
  plan: Plan,
  now: Date,
): Promise<Summary> {
  const summary = new Summary();
  for (let after = ''; ; ) {
    const page = await judgePage(tx, place, plan, after, edge.random);
    for (const judged of page) summary.add(judged);
    await writePage(tx, edge, place, plan, page, now);
    if (page.length < audiencePageSize) return summary;
    after = page.at(-1)!.candidate.contact_id;
  }
}

async function writePage(
  tx: Tx,
  { random }: BroadcastEdge,
  place: Place,
  { broadcast, template, currency }: Plan,
  page: readonly Judged[],
  now: Date,
): Promise<void> {
  const rows: NewRecipient[] = [];
  const links: NewLink[] = [];
  for (const { candidate, fate, links: own } of page) {
    if (fate.kind === 'skipped') continue;
    const id = newId('msg', () => now, random);
    const { address, preview, price, timeZone: time_zone, dueAt: due_at } = fate;
    const content = JSON.stringify(fate.content);
    const { contact_id } = candidate;
    rows.push({ id, contact_id, address, content, preview, due_at, price, time_zone });
    for (const [code, url] of own) links.push({ code, url, message_id: id });
  }
  if (rows.length === 0) return;
  const { id: broadcastId, channel, app_id: appId } = broadcast;
  const { registration } = template;
  const all = {
    ...{ broadcastId, channel, appId, currency, now },
    registration: registration === null ? null : JSON.stringify(registration),
  };
  await insertRecipients(tx, place, all, rows);
  if (links.length > 0) await writeLinks(tx, place, broadcastId, links, () => urlId());

  function urlId(): string {
    return newId('url', () => now, random);
  }
}

async function writeLinks(
  tx: Tx,
  place: Place,
  broadcastId: string,
  links: readonly NewLink[],
  newUrlId: () => string,
): Promise<void> {
  const byUrl = Map.groupBy(links, ({ url }) => url);
  const urls = [...byUrl].map(([url, own]) => ({ id: newUrlId(), url, links: own.length }));
  const kept = await ensureUrls(tx, place, broadcastId, urls);
  const idOf = new Map(kept.map(({ id, url }) => [url, id]));
  const rows = links.map(({ code, message_id, url }) => {
    return { code, message_id, url_id: idOf.get(url)! };
  });
  await insertLinks(tx, place, broadcastId, rows);
}
