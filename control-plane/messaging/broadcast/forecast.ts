/** What a broadcast would do: the same decisions as when it is done, with nothing written. */

import { decimal } from '@drawbridge/decimal/decimal.ts';
import { finishTime } from '@drawbridge/messaging/broadcast/finish-time.ts';
import { fullPace } from '@drawbridge/messaging/broadcast/pace.ts';
import type { Place } from '../contacts/store.ts';
import { fail } from '../errors.ts';
import { refused } from '../rcs/provider.ts';
import { findWallet } from '../tenants/wallet-store.ts';
import { audiencePageSize, type Judged, judgePage, Summary } from './audience.ts';
import { draftOf } from './create.ts';
import type { BroadcastEdge } from './edge.ts';
import { type Plan, planOf } from './plan.ts';
import { gatesOf, perSecond } from './rates.ts';
import { checkReach } from './reach.ts';
import type { BroadcastRequest } from './schema.ts';
import { namesOf } from './show.ts';
import { findAgreedRate } from './store.ts';

/** A request is answered within a minute: of larger segments the first contacts are looked at. */
const contactsMax = 200_000;
const sampleSize = 20;

/** Throws an `ApiError` that says why the broadcast could not be made. */
export async function forecastOf(edge: BroadcastEdge, place: Place, request: BroadcastRequest) {
  const { db, ratePerSecond } = edge;
  const { tenantId, environment } = place;
  const { plan, rate, wallet } = await db.tenant(tenantId, async (tx) => {
    const own = { id: 'brc_dry_run', author: '' };
    const draft = await draftOf(tx, edge, place, request, own);
    const planning = await planOf(tx, edge, place, draft, draft.schedule_at);
    if (planning.kind === 'refused') throw fail(planning.code, planning.detail);
    return {
      plan: planning.plan,
      rate: (await findAgreedRate(tx, tenantId)) ?? ratePerSecond,
      wallet: await findWallet(tx, tenantId, environment),
    };
  });
  const { segment_id: segmentId } = plan.broadcast;
  const check = await checkReach(edge, place, { segmentId, opened: plan.opened, contactsMax });
  if (check.kind !== 'checked' && check.kind !== 'stopped') throw refused(check);
  const { summary, sample, preview, isComplete } = await lookThrough(edge, place, plan);
  const { opened, currency, broadcast } = plan;
  const app = { id: opened.row.id, rate: opened.channel.limits(opened.app).app };
  const [narrower] = gatesOf(place, app, rate, fullPace, 0, false);
  const due = [...summary.due].map(([ms, count]) => ({ at: new Date(ms), count }));
  const cost = currency === null ? null : { amount: summary.cost, currency };
  const left = decimal(wallet?.available ?? '0');
  const starts = due.length === 0 ? undefined : Math.min(...due.map(({ at }) => at.getTime()));
  return {
    ...{ dry_run: true, ...namesOf(broadcast), contacts: summary.looked, preview },
    ...{ is_complete: isComplete, recipients: summary.recipients, skipped: summary.skipped },
    ...{ skipped_sample: sample, cost },
    is_affordable: cost === null || left.gte(decimal(cost.amount)),
    messages_per_second: perSecond(narrower),
    starts_at: starts === undefined ? null : new Date(starts).toISOString(),
    finishes_at: finishTime(due, perSecond(narrower))?.toISOString() ?? null,
  };
}

/** Page by page, each in a transaction of its own: nothing is held for long. */
async function lookThrough({ db, random }: BroadcastEdge, place: Place, plan: Plan) {
  const summary = new Summary();
  const sample: ReturnType<typeof skippedOf>[] = [];
  let preview: string | null = null;
  for (let after = ''; summary.looked < contactsMax; ) {
    const page = await db.tenant(place.tenantId, (tx) => judgePage(tx, place, plan, after, random));
    for (const judged of page) {
      summary.add(judged);
      if (judged.fate.kind === 'reached') preview ??= judged.fate.preview;
      else if (sample.length < sampleSize) sample.push(skippedOf(judged));
    }
    if (page.length < audiencePageSize) return { summary, sample, preview, isComplete: true };
    after = page.at(-1)!.candidate.contact_id;
  }
  return { summary, sample, preview, isComplete: false };
}

function skippedOf({ candidate, fate }: Judged) {
  if (fate.kind !== 'skipped') throw new Error('only who is left out is in the sample');
  const { reason, detail: variable = null } = fate;
  return { contact_id: candidate.contact_id, reason, variable };
}
