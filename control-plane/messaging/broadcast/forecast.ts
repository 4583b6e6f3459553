/** What a broadcast would do: the same decisions as a real one, with nothing written. */

import { decimal } from '@drawbridge/decimal/decimal.ts';
import { finishTime } from '@drawbridge/messaging/broadcast/finish-time.ts';
import { fullPace } from '@drawbridge/messaging/broadcast/pace.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import { fail } from '../errors.ts';
import { refused } from '../rcs/provider.ts';
import { findWallet } from '../tenants/wallet/store.ts';
import {
  AudienceSummary,
  audiencePageSize,
  type CandidateOutcome,
  decidePage,
} from './audience/outcomes.ts';
import { checkReach } from './audience/reach.ts';
import type { BroadcastContext } from './context.ts';
import { draftOf } from './create.ts';
import { type BroadcastPlan, planOf } from './plan.ts';
import type { BroadcastRequest } from './schema.ts';
import { limitsOf, perSecond } from './sending/rates.ts';
import { namesOf } from './show.ts';
import { findAgreedRate } from './store.ts';

/**
 * A request must be answered within a minute: of a larger segment only this many contacts are read.
 */
const contactsMax = 200_000;
const sampleSize = 20;

/** Throws an `ApiError` that says why the broadcast could not be made. */
export async function forecastOf(
  context: BroadcastContext,
  scope: TenantScope,
  request: BroadcastRequest,
) {
  const { db, ratePerSecond } = context;
  const { tenantId, environment } = scope;
  const { plan, rate, wallet } = await db.tenant(tenantId, async (tx) => {
    const own = { id: 'brc_dry_run', author: '' };
    const draft = await draftOf(tx, context, scope, request, own);
    const planning = await planOf(tx, context, scope, draft, draft.schedule_at);
    if (planning.kind === 'refused') throw fail(planning.code, planning.detail);
    return {
      plan: planning.plan,
      rate: (await findAgreedRate(tx, tenantId)) ?? ratePerSecond,
      wallet: await findWallet(tx, tenantId, environment),
    };
  });
  const segmentId = plan.broadcast.segment_id!;
  const check = await checkReach(context, scope, { segmentId, opened: plan.opened, contactsMax });
  if (check.kind !== 'checked' && check.kind !== 'stopped') throw refused(check);
  const { summary, sample, preview, isComplete } = await lookThrough(context, scope, plan);
  const { opened, currency, broadcast } = plan;
  const app = { id: opened.row.id, rate: opened.channel.limits(opened.app).app };
  const [narrower] = limitsOf({
    scope,
    app,
    tenantRate: rate,
    pace: fullPace,
    nowMs: 0,
    leavesRoom: false,
  });
  const due = [...summary.due].map(([ms, count]) => ({ at: new Date(ms), count }));
  const cost = currency === null ? null : { amount: summary.cost, currency };
  const left = decimal(wallet?.available ?? '0');
  const starts = due.length === 0 ? undefined : Math.min(...due.map(({ at }) => at.getTime()));
  return {
    dry_run: true,
    ...namesOf(broadcast),
    contacts: summary.looked,
    preview,
    is_complete: isComplete,
    recipients: summary.recipients,
    skipped: summary.skipped,
    skipped_sample: sample,
    cost,
    is_affordable: cost === null || left.gte(decimal(cost.amount)),
    messages_per_second: perSecond(narrower),
    starts_at: starts === undefined ? null : new Date(starts).toISOString(),
    finishes_at: finishTime(due, perSecond(narrower))?.toISOString() ?? null,
  };
}

/** Page by page, each in its own transaction, so that none stays open for long. */
async function lookThrough(
  { db, random }: BroadcastContext,
  scope: TenantScope,
  plan: BroadcastPlan,
) {
  const summary = new AudienceSummary();
  const sample: ReturnType<typeof skippedOf>[] = [];
  let preview: string | null = null;
  for (let after = ''; summary.looked < contactsMax; ) {
    const page = await db.tenant(scope.tenantId, (tx) =>
      decidePage(tx, scope, plan, after, random),
    );
    for (const decided of page) {
      summary.add(decided);
      if (decided.outcome.kind === 'reached') preview ??= decided.outcome.preview;
      else if (sample.length < sampleSize) sample.push(skippedOf(decided));
    }
    if (page.length < audiencePageSize) return { summary, sample, preview, isComplete: true };
    after = page.at(-1)!.candidate.place;
  }
  return { summary, sample, preview, isComplete: false };
}

function skippedOf({ candidate, outcome }: CandidateOutcome) {
  if (outcome.kind !== 'skipped') throw new Error('the sample has a contact that was not skipped');
  const { reason, detail: variable = null } = outcome;
  return { contact_id: candidate.contact_id, reason, variable };
}
