/** Sends messages, and records the outcomes. */
import type { OutboundMessage } from '@drawbridge/messaging/message.ts';
import { fullJitter } from '@drawbridge/retry/backoff.ts';
import type { SendOutcome } from '../../../channels/contract.ts';
import { given } from '../../../channels/untrusted-input.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { Clock, RandomBytes } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { AppOpener, OpenedApp } from '../../apps/app-opener.ts';
import { stopByProvider } from '../../apps/stop-by-provider.ts';
import { findApp } from '../../apps/store.ts';
import { recordConsent } from '../../contacts/consents/record-consent.ts';
import { optedOut } from '../../contacts/consents/store.ts';
import { deletedContacts } from '../../contacts/store.ts';
import type { ProviderCalls } from '../../provider-calls.ts';
import type { MessageRow } from '../message-row.ts';
import { applyStatusReports, type StatusContext } from '../status/changes.ts';
import { applyEarlyReports } from '../status/early-reports.ts';
import { answerLost, type Requeued, requeue, type StatusReport } from '../status/store.ts';
import { dueAfter, isTooLate, ttlLeft } from './life-time.ts';
import { recipientOf } from './queue.ts';
import type { Sender, Sent, Turn } from './sender-contract.ts';

export interface SenderContext extends StatusContext {
  readonly db: Db;
  readonly appOpener: AppOpener;
  readonly calls: ProviderCalls;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: Log;
}

/** The most attempts to send one message: with these waits about a day. */
const attemptsMax = 600;
const backoff = { baseMs: 2_000, capMs: 300_000 };
/** A message that the provider refuses again for its account's sake may itself be at fault. */
const accountRefusalsMax = 5;
/** The most attempts where the app wants repeats after lost answers, of which each may arrive. */
const repeatsMax = 20;
const stoppedMs = 60_000;

export function createSender(context: SenderContext): Sender {
  return {
    send: async (scope, appId, claimId, rows, turn = withoutDelay) => {
      const { db, appOpener, clock } = context;
      const { row, withheld } = await db.tenant(scope.tenantId, (tx) =>
        readNow(tx, scope, appId, rows, clock()),
      );
      const wanted = rows.filter(({ id }) => !withheld.has(id));
      const sent =
        row?.state === 'active'
          ? await exchangeAll(context, scope, appOpener.open(scope, row), wanted, turn)
          : wanted.map(({ id }) => ({ id, outcome: stopped }));
      const kept = [...withheld].map(([id, outcome]) => ({ id, outcome }));
      const outcomes = [...sent, ...kept];
      const opened = row === undefined ? undefined : appOpener.open(scope, row);
      await writeOutcomes(context, { scope, claimId, opened, rows }, outcomes);
      return outcomes;
    },
  };
}

/**
 * Reads the app, and which messages are not sent because of what has happened since they were queued, which
 * may be hours ago: their time is over, their recipient has opted out, or is no contact any more.
 */
async function readNow(
  tx: Tx,
  scope: TenantScope,
  appId: string,
  rows: readonly MessageRow[],
  now: Date,
) {
  const withheld = new Map<string, SendOutcome>();
  const row = await findApp(tx, scope, appId);
  if (row === undefined) return { row, withheld };
  for (const each of rows) if (isTooLate(each, now)) withheld.set(each.id, tooLate);
  const addresses = rows.map(({ address }) => address);
  const unwanted = await optedOut(tx, scope, row.channel, addresses);
  // A single message was asked for by its own request, whoever the contacts are.
  const ofBroadcasts = rows.filter(({ broadcast_id }) => broadcast_id !== null);
  const contacts = ofBroadcasts.flatMap(({ contact_id }) => contact_id ?? []);
  const gone = contacts.length === 0 ? new Set() : await deletedContacts(tx, scope, contacts);
  for (const { id, contact_id } of ofBroadcasts) {
    if (gone.has(contact_id)) withheld.set(id, deletedSince);
  }
  for (const { id, address } of rows) if (unwanted.has(address)) withheld.set(id, optedOutSince);
  return { row, withheld };
}

const optedOutSince: SendOutcome = {
  kind: 'refused',
  code: 'opted_out',
  action: 'fail',
  detail: 'The person opted out before this was sent.',
};

const deletedSince: SendOutcome = {
  kind: 'refused',
  code: 'contact_deleted',
  action: 'fail',
  detail: 'The contact was deleted before this was sent.',
};

const tooLate: SendOutcome = {
  kind: 'refused',
  code: 'too_late',
  action: 'fail',
  detail: 'It could not be sent within its time.',
};

const withoutDelay = async (): Promise<Turn> => ({ end: () => {} });
const stopped: SendOutcome = { kind: 'retry', reason: 'app_stopped', afterMs: stoppedMs };
/** An earlier message to the person was not taken yet, and must not be overtaken. */
const behindEarlier: SendOutcome = { kind: 'retry', reason: 'behind_earlier', afterMs: 0 };

/** Many at once, but the messages to one person one after another, in their order. */
async function exchangeAll(
  context: SenderContext,
  scope: TenantScope,
  opened: OpenedApp,
  rows: readonly MessageRow[],
  turn: () => Promise<Turn>,
): Promise<Sent[]> {
  const { channel, app } = opened;
  await context.appOpener.prepare(scope, opened);
  const token = await context.calls.token(scope.environment, channel, app);
  if (token.kind !== 'token') return rows.map(({ id }) => ({ id, outcome: token }));
  const inOrder = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const people = Map.groupBy(inOrder, ({ address }) => address);
  const sent = [...people.values()].map(async (own) => {
    const done: Sent[] = [];
    let isHeldUp = false;
    for (const row of own) {
      const outcome: SendOutcome = isHeldUp
        ? behindEarlier
        : await exchange(context, scope, opened, row, token.token, turn);
      const verdict = verdictOf(outcome, row, opened, context, context.clock());
      isHeldUp ||= 'due_at' in verdict;
      done.push({ id: row.id, outcome });
    }
    return done;
  });
  return (await Promise.all(sent)).flat();
}

async function exchange(
  { calls, clock }: SenderContext,
  { environment }: TenantScope,
  { channel, app }: OpenedApp,
  row: MessageRow,
  token: string | undefined,
  turn: () => Promise<Turn>,
): Promise<SendOutcome> {
  const message = outboundOf(row, clock());
  const encoding = channel.encode(message, app, { now: clock(), ...given({ token }) });
  if (encoding.kind === 'refused') {
    return { kind: 'refused', code: encoding.code, detail: encoding.detail, action: 'fail' };
  }
  const { end } = await turn();
  const answer = await calls.exchange(environment, channel.id, encoding.request);
  end();
  switch (answer.kind) {
    case 'answered':
      return channel.decode(answer.response, clock(), message);
    case 'unsent':
      return { kind: 'retry', reason: answer.reason };
    case 'maybe-sent':
      return { kind: 'unknown', reason: answer.reason };
  }
}

function outboundOf(row: MessageRow, now: Date): OutboundMessage {
  return {
    id: row.id,
    to: recipientOf(row.address),
    content: row.content as OutboundMessage['content'],
    ...given({
      replyTo: row.reply_to ?? undefined,
      ttlSeconds: ttlLeft(row, now),
      registration: row.registration ?? undefined,
    }),
  };
}

/** Messages that were claimed together, all of one app; undefined: the app was removed. */
interface ClaimedMessages {
  readonly scope: TenantScope;
  readonly claimId: string;
  readonly opened: OpenedApp | undefined;
  readonly rows: readonly MessageRow[];
}

async function writeOutcomes(
  context: SenderContext,
  batch: ClaimedMessages,
  sent: readonly Sent[],
): Promise<void> {
  const { db, clock } = context;
  const { scope, claimId, opened, rows } = batch;
  const now = clock();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const reports: StatusReport[] = [];
  const retries: Requeued[] = [];
  for (const { id, outcome } of sent) {
    const verdict = verdictOf(outcome, byId.get(id)!, opened, context, now);
    if ('due_at' in verdict) retries.push(verdict);
    else reports.push(verdict);
  }
  await db.tenant(scope.tenantId, async (tx) => {
    await applyStatusReports(tx, scope, reports, context, now);
    if (retries.length > 0) await requeue(tx, scope, claimId, retries);
    await applyRefusals(tx, context, batch, sent);
  });
  const accepted = reports.flatMap(({ provider_id }) => provider_id ?? []);
  if (opened !== undefined) await applyEarlyReports(context, scope, opened.row.id, accepted);
}

/** The change of a message that an outcome causes. */
function verdictOf(
  outcome: SendOutcome,
  row: MessageRow,
  opened: OpenedApp | undefined,
  { random }: SenderContext,
  now: Date,
): StatusReport | Requeued {
  const { id } = row;
  const plain = { id, at: now, provider_id: null, error_code: null, error_detail: null };
  const chance = () => Buffer.from(random(4)).readUInt32BE() / 2 ** 32;
  // Whatever a repeat brings, the attempt whose answer was lost may have reached the person.
  const mayHaveGone = row.error_code === answerLost;
  const again = (code: string, afterMs = 0): Requeued => {
    const waitMs = Math.max(afterMs, backoff.baseMs + fullJitter(row.attempts, chance, backoff));
    const error_code = mayHaveGone ? answerLost : code;
    return { id, due_at: dueAfter(row, now, waitMs), error_code, isUntried: false };
  };
  const unsent = (status: 'skipped' | 'expired', code: string, detail: string | null) => ({
    ...plain,
    status: mayHaveGone ? ('unknown' as const) : status,
    error_code: mayHaveGone ? answerLost : code,
    error_detail: detail,
  });
  const isOver = isTooLate(row, now) || row.attempts >= attemptsMax;
  switch (outcome.kind) {
    case 'accepted':
      return { ...plain, status: 'sent', provider_id: outcome.providerId };
    case 'refused': {
      const { code, detail, action } = outcome;
      const isRepeated = row.error_code === code && row.attempts >= accountRefusalsMax;
      // It waits for the person who mends the account.
      if (action === 'stop-channel' && !isRepeated) return again(code);
      if (outcome === tooLate) return unsent('expired', row.error_code ?? code, detail);
      if (outcome === optedOutSince || outcome === deletedSince) {
        return unsent('skipped', code, detail);
      }
      const status = action === 'opt-out' ? 'skipped' : 'failed';
      return { ...plain, status, error_code: code, error_detail: detail };
    }
    case 'unknown': {
      const isHarmless = opened?.channel.guarantee.kind === 'exactly-once';
      const isWanted = opened?.row.resend_unknown === true && row.attempts < repeatsMax;
      if ((isHarmless || isWanted) && !isOver) return again(answerLost);
      const why = { error_code: answerLost, error_detail: outcome.reason };
      return { ...plain, ...why, status: 'unknown' };
    }
    case 'throttled':
    case 'retry': {
      const reason = outcome.kind === 'retry' ? outcome.reason : outcome.code;
      if (outcome === stopped || outcome === behindEarlier) {
        const due_at = dueAfter(row, now, outcome.afterMs ?? 0);
        return { id, due_at, error_code: reason, isUntried: true };
      }
      if (isOver) return unsent('expired', reason, null);
      return again(reason, outcome.afterMs);
    }
  }
}

/** Does what refusals require: an opt-out of the person, or stopping the app. */
async function applyRefusals(
  tx: Tx,
  context: SenderContext,
  { scope, opened, rows }: ClaimedMessages,
  sent: readonly Sent[],
): Promise<void> {
  if (opened === undefined) return;
  const { log } = context;
  const { row } = opened;
  const byId = new Map(rows.map((each) => [each.id, each]));
  for (const { id, outcome } of sent) {
    if (outcome.kind !== 'refused') continue;
    if (outcome.action === 'opt-out') {
      const said = { channel: row.channel, address: byId.get(id)!.address, source: 'network' };
      const note = `${outcome.code}: ${outcome.detail}`.slice(0, 500);
      const consent = { ...said, note, recorded_by: null, state: 'revoked' } as const;
      await recordConsent(tx, scope, context, consent);
    }
    if (outcome.action === 'stop-channel') {
      const reason = `${outcome.code}: ${outcome.detail}`;
      const isNew = await stopByProvider(tx, scope, row, reason, context);
      if (isNew) log.warn({ appId: row.id, code: outcome.code }, 'a provider stopped an app');
      context.calls.dropToken(opened.app);
    }
  }
}
