/** Sends over the wire, and writes down what came of it. */
import type { OutboundMessage } from '@drawbridge/messaging/message.ts';
import { fullJitter } from '@drawbridge/retry/backoff.ts';
import type { SendOutcome } from '../../channels/contract.ts';
import { given } from '../../channels/reading.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { Log } from '../../platform/log/log.ts';
import type { AppDesk, OpenedApp } from '../apps/desk.ts';
import { findApp, stopApp } from '../apps/store.ts';
import { optedOut } from '../contacts/consent-store.ts';
import { recordConsent } from '../contacts/consents.ts';
import type { Place } from '../contacts/store.ts';
import type { ProviderCalls } from '../provider-calls.ts';
import { joinEarly } from './early.ts';
import type { MessageRow } from './message-row.ts';
import { type Learnt, type Requeued, requeue } from './move-store.ts';
import { applyLearnt, type MovesContext } from './moves.ts';
import { recipientOf } from './queue.ts';
import type { Sender, Sent } from './sender-contract.ts';

export interface SenderContext extends MovesContext {
  readonly db: Db;
  readonly desk: AppDesk;
  readonly calls: ProviderCalls;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: Log;
}

/** How often a message that nobody takes is tried, over some hours. */
const attemptsMax = 20;
const backoff = { baseMs: 2_000, capMs: 900_000 };
/** What was lost is soon sent again where a repeat does no harm. */
const repeatMs = 2_000;
const stoppedMs = 60_000;

export function createSender(context: SenderContext): Sender {
  return {
    send: async (place, appId, claimId, rows, leave = atOnce) => {
      const { db, desk } = context;
      const { row, unwanted } = await db.tenant(place.tenantId, (tx) =>
        readNow(tx, place, appId, rows),
      );
      const wanted = rows.filter(({ address }) => !unwanted.has(address));
      const sent =
        row?.state === 'active'
          ? await exchangeAll(context, place, desk.open(place, row), wanted, leave)
          : wanted.map(({ id }) => ({ id, outcome: stopped }));
      const kept = rows.filter(({ address }) => unwanted.has(address));
      const outcomes = [...sent, ...kept.map(({ id }) => ({ id, outcome: optedOutSince }))];
      const opened = row === undefined ? undefined : desk.open(place, row);
      await settle(context, place, claimId, opened, rows, outcomes);
      return outcomes;
    },
  };
}

/** The app, and who has said stop since the messages were taken, which may be hours ago. */
async function readNow(tx: Tx, place: Place, appId: string, rows: readonly MessageRow[]) {
  const row = await findApp(tx, place, appId);
  const addresses = rows.map(({ address }) => address);
  const unwanted =
    row === undefined ? new Set<string>() : await optedOut(tx, place, row.channel, addresses);
  return { row, unwanted };
}

const optedOutSince: SendOutcome = {
  ...({ kind: 'refused', code: 'opted_out', action: 'fail' } as const),
  detail: 'The person asked not to be written to before this was sent.',
};

const atOnce = async (): Promise<void> => {};
const stopped: SendOutcome = { kind: 'retry', reason: 'app_stopped', afterMs: stoppedMs };

/** Many at once, but a person's messages one after another, as they were written. */
async function exchangeAll(
  context: SenderContext,
  place: Place,
  opened: OpenedApp,
  rows: readonly MessageRow[],
  leave: () => Promise<void>,
): Promise<Sent[]> {
  const { channel, app } = opened;
  await context.desk.prepare(place, opened);
  const token = await context.calls.token(place.environment, channel, app);
  if (token.kind !== 'token') return rows.map(({ id }) => ({ id, outcome: token }));
  const inOrder = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const people = Map.groupBy(inOrder, ({ address }) => address);
  const sent = [...people.values()].map(async (own) => {
    const done: Sent[] = [];
    for (const row of own) {
      const outcome = await exchange(context, place, opened, row, token.token, leave);
      done.push({ id: row.id, outcome });
    }
    return done;
  });
  return (await Promise.all(sent)).flat();
}

async function exchange(
  { calls, clock }: SenderContext,
  { environment }: Place,
  { channel, app }: OpenedApp,
  row: MessageRow,
  token: string | undefined,
  leave: () => Promise<void>,
): Promise<SendOutcome> {
  const message = outboundOf(row);
  const encoding = channel.encode(message, app, { now: clock(), ...given({ token }) });
  if (encoding.kind === 'refused') {
    return { kind: 'refused', code: encoding.code, detail: encoding.detail, action: 'fail' };
  }
  await leave();
  const answer = await calls.exchange(environment, channel.id, encoding.request);
  switch (answer.kind) {
    case 'answered':
      return channel.decode(answer.response, clock(), message);
    case 'unsent':
      return { kind: 'retry', reason: answer.reason };
    case 'lost':
      return { kind: 'unknown', reason: answer.reason };
  }
}

function outboundOf(row: MessageRow): OutboundMessage {
  return {
    id: row.id,
    to: recipientOf(row.address),
    content: row.content as OutboundMessage['content'],
    ...given({
      replyTo: row.reply_to ?? undefined,
      ttlSeconds: row.ttl_seconds ?? undefined,
      registration: row.registration ?? undefined,
    }),
  };
}

async function settle(
  context: SenderContext,
  place: Place,
  claimId: string,
  opened: OpenedApp | undefined,
  rows: readonly MessageRow[],
  sent: readonly Sent[],
): Promise<void> {
  const { db, clock } = context;
  const now = clock();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const learnt: Learnt[] = [];
  const again: Requeued[] = [];
  for (const { id, outcome } of sent) {
    const verdict = judge(outcome, byId.get(id)!, opened, context, now);
    if ('due_at' in verdict) again.push(verdict);
    else learnt.push(verdict);
  }
  await db.tenant(place.tenantId, async (tx) => {
    await applyLearnt(tx, place, learnt, context, now);
    if (again.length > 0) await requeue(tx, place, claimId, again);
    if (opened !== undefined) await heed(tx, context, place, opened, byId, sent);
  });
  const accepted = learnt.flatMap(({ provider_id }) => provider_id ?? []);
  if (opened !== undefined) await joinEarly(context, place, opened.row.id, accepted);
}

/** What an outcome makes of a message. */
function judge(
  outcome: SendOutcome,
  row: MessageRow,
  opened: OpenedApp | undefined,
  { random }: SenderContext,
  now: Date,
): Learnt | Requeued {
  const { id } = row;
  const plain = { id, at: now, provider_id: null, error_code: null, error_detail: null };
  switch (outcome.kind) {
    case 'accepted':
      return { ...plain, status: 'sent', provider_id: outcome.providerId };
    case 'refused': {
      const { code, detail } = outcome;
      return { ...plain, status: 'failed', error_code: code, error_detail: detail };
    }
    case 'unknown': {
      const isHarmless = opened?.channel.guarantee.kind === 'exactly-once';
      const mayRepeat = isHarmless || opened?.row.resend_unknown === true;
      if (mayRepeat && row.attempts < attemptsMax) {
        return { id, due_at: after(now, repeatMs * row.attempts), error_code: outcome.reason };
      }
      return {
        ...plain,
        status: 'unknown',
        error_code: 'answer_lost',
        error_detail: outcome.reason,
      };
    }
    case 'throttled':
    case 'retry': {
      const reason = outcome.kind === 'retry' ? outcome.reason : outcome.code;
      const isOver =
        row.attempts >= attemptsMax ||
        (row.ttl_seconds !== null &&
          now.getTime() > row.created_at.getTime() + row.ttl_seconds * 1_000);
      if (isOver) return { ...plain, status: 'expired', error_code: reason };
      const chance = () => Buffer.from(random(4)).readUInt32BE() / 2 ** 32;
      const waitMs = outcome.afterMs ?? backoff.baseMs + fullJitter(row.attempts, chance, backoff);
      return { id, due_at: after(now, waitMs), error_code: reason };
    }
  }
}

function after(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}

/** What refusals say of people and of the account. */
async function heed(
  tx: Tx,
  context: SenderContext,
  place: Place,
  { row }: OpenedApp,
  byId: ReadonlyMap<string, MessageRow>,
  sent: readonly Sent[],
): Promise<void> {
  const { clock, log } = context;
  for (const { id, outcome } of sent) {
    if (outcome.kind !== 'refused') continue;
    if (outcome.action === 'opt-out') {
      const said = { channel: row.channel, address: byId.get(id)!.address, source: 'network' };
      const note = `${outcome.code}: ${outcome.detail}`.slice(0, 500);
      const consent = { ...said, note, recorded_by: null, state: 'revoked' } as const;
      await recordConsent(tx, place, context, consent);
    }
    if (outcome.action === 'stop-channel') {
      const reason = `${outcome.code}: ${outcome.detail}`.slice(0, 500);
      const isNew = await stopApp(tx, place, row.id, reason, clock());
      if (isNew) log.warn({ appId: row.id, code: outcome.code }, 'a provider stopped an app');
    }
  }
}
