/** Finds out what became of calls that nobody told of: by look-up, by the provider's own list. */
import { isFinal } from '@drawbridge/messaging/call-status.ts';
import type { MarkupProvider } from '../../../channels/voice-contract.ts';
import type { Environment } from '../../../platform/auth/principal.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import type { Place } from '../../contacts/store.ts';
import type { VoiceDesk } from '../desk.ts';
import { lookForLegs } from '../legs/look.ts';
import { contextOf, type OpenProvider, openProvider } from '../providers/account.ts';
import { lookUp, pagesOf } from '../providers/look-up.ts';
import { hangUp } from './hang-up.ts';
import { allOf, byPlace } from './lots.ts';
import { advance, type Told } from './progress.ts';
import { type CallRow, findCalls, knownCallIds, lockCall } from './store.ts';

export interface SettleJob {
  readonly environment: Environment;
  /** How often it was looked up. */
  readonly looks: number;
  /** When the provider last said that it goes on. */
  readonly aliveAt?: string;
}

/** Seconds to the next look, and then on and on by the last. */
const looks = [30, 60, 120, 300] as const;
const second = 1_000;
const ringMs = 60 * second;
/** A list shows a call a while after it was placed. */
const graceMs = 120 * second;
const unknownMs = 24 * 3_600 * second;

/** Most calls have ended by then, and their jobs end together. */
export async function settleCalls(desk: VoiceDesk, jobs: readonly Job<SettleJob>[]): Promise<void> {
  await allOf(
    byPlace(jobs).map(async ([place, own]) => {
      const { tenantId } = place;
      const going = await desk.db.tenant(tenantId, async (tx) => {
        const ids = own.map(({ key }) => key);
        const calls = (await findCalls(tx, place, ids)).filter((call) => !isOver(call));
        const isGoing = new Set(calls.map(({ id }) => id));
        const over = own.filter(({ key }) => !isGoing.has(key));
        if (over.length > 0) await desk.jobs.complete(tx, tenantId, over);
        return calls;
      });
      const byKey = new Map(own.map((job) => [job.key, job]));
      await allOf(going.map((call) => settleCall(desk, place, byKey.get(call.id)!, call)));
    }),
  );
}

/** There is nothing more to find out: not of the call, nor of a leg that it dialled. */
function isOver({ status, legs_open }: CallRow): boolean {
  return isFinal(status) && legs_open === 0;
}

async function settleCall(
  desk: VoiceDesk,
  place: Place,
  job: Job<SettleJob>,
  call: CallRow,
): Promise<void> {
  const open = await openProvider(desk, place, call.provider_id);
  if (open === undefined) throw new Error('a call names a configuration that is not there');
  if (isFinal(call.status)) await lookForLegs(desk, open, call);
  const told = isFinal(call.status) ? undefined : await findOut(desk, open, call, job.payload);
  await desk.db.tenant(place.tenantId, async (tx) => {
    const locked = await lockCall(tx, place, call.id);
    const after =
      locked === undefined || told === undefined
        ? locked
        : await advance(desk, tx, place, locked, told);
    if (after === undefined || isOver(after)) {
      return desk.jobs.complete(tx, place.tenantId, [job]);
    }
    const seconds = looks[Math.min(job.payload.looks, looks.length - 1)]!;
    const now = desk.clock();
    const payload = {
      ...{ environment: place.environment, looks: job.payload.looks + 1 },
      aliveAt: told === undefined ? job.payload.aliveAt : now.toISOString(),
    };
    const runAt = new Date(now.getTime() + seconds * second);
    await desk.jobs.reschedule(tx, place.tenantId, [{ job, runAt, payload }]);
  });
}

/** What is to be written down; undefined when nothing was learnt. */
async function findOut(
  desk: VoiceDesk,
  open: OpenProvider,
  call: CallRow,
  { aliveAt }: SettleJob,
): Promise<Told | undefined> {
  const sinceMs = desk.clock().getTime() - (call.asked_at ?? call.created_at).getTime();
  const isTrunk = open.provider.kind === 'trunk';
  const requestId = call.request_id ?? call.provider_call_id ?? (isTrunk ? call.id : undefined);
  if (requestId === undefined) return search(desk, open, call, sinceMs);
  const found = await lookUp(desk, open, { requestId, callId: call.provider_call_id ?? undefined });
  switch (found.kind) {
    case 'report': {
      if (call.hangup_asked) await hangUp(desk, open, { ...call, request_id: requestId });
      const { status, at, durationSeconds, answeredBy, cause, callId } = found;
      return { status, at, durationSeconds, answeredBy, cause, callId, requestId };
    }
    case 'gone':
      return gone(desk, call, { sinceMs, aliveAt, isTrunk });
    case 'unclear':
      return sinceMs > unknownMs
        ? given('placing_unknown', 'nobody told what became of it')
        : undefined;
  }
}

/** The provider has no such call: not yet, never, or no longer. */
function gone(
  desk: VoiceDesk,
  call: CallRow,
  {
    sinceMs,
    aliveAt,
    isTrunk,
  }: {
    readonly sinceMs: number;
    readonly aliveAt: string | undefined;
    readonly isTrunk: boolean;
  },
): Told | undefined {
  if (call.answered_at !== null) {
    // Its end was not heard; it is paid up to when it was last known to go on.
    const at = aliveAt === undefined ? call.answered_at : new Date(aliveAt);
    // Its record is there some moments after its end.
    if (!isTrunk && desk.clock().getTime() - at.getTime() < graceMs) return undefined;
    return { status: 'completed', at, cause: 'the end was not heard' };
  }
  // A PBX that took the call had its channel at once: it rang while nobody listened.
  if (isTrunk && call.intent === 'placed') return given('end_not_heard', 'the end was not heard');
  if (sinceMs < graceMs) return undefined;
  desk.log.info({ callId: call.id }, 'the provider has no such call');
  return given('not_placed', 'the provider has no such call');
}

/** Looks for a call whose id was never told among those the provider lists. */
async function search(
  desk: VoiceDesk,
  open: OpenProvider,
  call: CallRow,
  sinceMs: number,
): Promise<Told | undefined> {
  const provider = open.provider as MarkupProvider;
  const from = new Date((call.asked_at ?? call.created_at).getTime() - 5 * second);
  const { account } = open;
  const request = provider.search.request(
    ...([call.to_number, from, account as never, contextOf(desk)] as const),
  );
  const list = await pagesOf(desk, { provider, account }, request);
  const listed = list && provider.search.read(list.pages);
  const fitting = (listed ?? []).filter(
    ({ to, from: by, at }) =>
      to === call.to_number && by === call.from_number && (at === undefined || at >= from),
  );
  // A call that comes meanwhile may move another to the next page, where it stands once more.
  const ids = [...new Set(fitting.map(({ callId }) => callId))];
  const { tenantId } = open.place;
  const known = await desk.db.tenant(tenantId, (tx) =>
    knownCallIds(tx, tenantId, call.provider_id, ids),
  );
  const mine = ids.filter((id) => !known.has(id));
  if (mine.length === 1) {
    return { status: 'queued', intent: 'placed', requestId: mine[0]!, callId: mine[0]! };
  }
  const isOver = sinceMs > call.limit_seconds * second + ringMs + graceMs;
  if (listed !== undefined && list?.isWhole && mine.length === 0 && isOver) {
    return given('not_placed', 'the provider lists no such call');
  }
  return sinceMs > unknownMs
    ? given('placing_unknown', 'nobody told what became of it')
    : undefined;
}

function given(code: string, detail: string): Told {
  return { status: 'failed', error: { code, detail } };
}
