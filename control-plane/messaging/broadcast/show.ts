import { ratesOf, type Tally, tally } from '@drawbridge/messaging/broadcast/tally.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { sumOfBroadcasts } from './reports/count-store.ts';
import type { BroadcastRow, NewBroadcast } from './store.ts';

/** Broadcasts in the form of the API, each with its counts. */
export async function showAll(tx: Tx, scope: TenantScope, rows: readonly BroadcastRow[]) {
  const ids = rows.map(({ id }) => id);
  const sums = ids.length === 0 ? [] : await sumOfBroadcasts(tx, scope, ids);
  const byId = new Map(sums.map(({ broadcast_id, ...counts }) => [broadcast_id, counts]));
  return rows.map((row) => show(row, byId.get(row.id) ?? tally({})));
}

function show(row: BroadcastRow, counts: Tally) {
  const { id, recipients, cost, currency, variables, quiet_from, quiet_to } = row;
  const instant = (at: Date | null) => at?.toISOString() ?? null;
  return {
    id,
    ...namesOf(row),
    variables,
    is_test: row.test_contacts !== null,
    resend_of: row.resend_of,
    recipients,
    skipped: row.skipped,
    time_zone: row.time_zone,
    require_consent: row.require_consent,
    track_urls: row.track_urls,
    quiet_hours: quiet_from === null ? null : { from: quiet_from, to: quiet_to! },
    status: row.state,
    reason: row.reason,
    detail: row.detail,
    counts: { queued: leftOf(recipients, counts), ...counts },
    rates: ratesOf(counts),
    cost: cost === null ? null : { amount: cost, currency: currency! },
    schedule_at: row.schedule_at.toISOString(),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    started_at: instant(row.started_at),
    finished_at: instant(row.finished_at),
  };
}

/** The fields that identify a broadcast. */
export function namesOf({ channel, app_id, template, language, segment }: NewBroadcast) {
  return { channel, app_id, template, language, segment };
}

/** Messages without any count yet. */
function leftOf(recipients: number, { sent, failed, unknown, canceled, skipped }: Tally): number {
  return Math.max(0, recipients - sent - failed - unknown - canceled - skipped);
}
