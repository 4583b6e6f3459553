/** Sends messages, and records the outcomes. */
import type { OutboundMessage } from '@drawbridge/messaging/message.ts';
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
import { optedOut } from '../../contacts/consents/store.ts';
import { deletedContacts } from '../../contacts/store.ts';
import type { ProviderCalls } from '../../provider-calls.ts';
import type { MessageRow } from '../message-row.ts';
import { applyStatusReports, type StatusContext } from '../status/changes.ts';
import { applyEarlyReports } from '../status/early-reports.ts';
import { type RefusedMessage, recordNetworkRefusals } from '../status/network-refusals.ts';
import { type Requeued, requeue, type StatusReport } from '../status/store.ts';
import { repeatedByMerge } from '../store.ts';
import { changeOf, isSentAgain } from './outcome-change.ts';
import { recipientOf } from './queue.ts';
import type { Sender, SendingOutcome, Sent, Turn } from './sender-contract.ts';
import { isExpired, ttlLeft } from './time-to-live.ts';

export interface SenderContext extends StatusContext {
  readonly db: Db;
  readonly appOpener: AppOpener;
  readonly calls: ProviderCalls;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: Log;
}

const stoppedMs = 60_000;

export function createSender(context: SenderContext): Sender {
  return {
    send: async (scope, appId, claimId, rows, turn = withoutDelay) => {
      const { db, appOpener, clock } = context;
      const { row, withheld } = await db.tenant(scope.tenantId, (tx) =>
        readNow(tx, scope, appId, rows, clock()),
      );
      const opened = row && appOpener.open(scope, row);
      const wanted = rows.filter(({ id }) => !withheld.has(id));
      const sent =
        opened?.row.state === 'active'
          ? await exchangeAll(context, scope, opened, wanted, turn)
          : wanted.map(({ id }) => ({ id, outcome: stopped }));
      const kept = [...withheld].map(([id, outcome]) => ({ id, outcome }));
      const outcomes = [...sent, ...kept];
      await writeOutcomes(context, { scope, claimId, opened, rows }, outcomes);
      return outcomes;
    },
  };
}

/**
 * Reads the app, and which messages are not sent because of what has happened since they were queued, which
 * may be hours ago: their time is over, their recipient has opted out, is no contact any more, or
 * was merged with another recipient of the broadcast.
 */
async function readNow(
  tx: Tx,
  scope: TenantScope,
  appId: string,
  rows: readonly MessageRow[],
  now: Date,
) {
  const withheld = new Map<string, SendingOutcome>();
  const row = await findApp(tx, scope, appId);
  if (row === undefined) return { row, withheld };
  for (const each of rows) if (isExpired(each, now)) withheld.set(each.id, tooLate);
  const addresses = rows.map(({ address }) => address);
  const unwanted = await optedOut(tx, scope, row.channel, addresses);
  // A single message was asked for by its own request, whoever the contacts are.
  const ofBroadcasts = rows.filter(({ broadcast_id }) => broadcast_id !== null);
  const contacts = ofBroadcasts.flatMap(({ contact_id }) => contact_id ?? []);
  const gone = contacts.length === 0 ? new Set() : await deletedContacts(tx, scope, contacts);
  for (const { id, contact_id } of ofBroadcasts) {
    if (gone.has(contact_id)) withheld.set(id, deletedSince);
  }
  const ids = ofBroadcasts.map(({ id }) => id);
  const repeated = ids.length === 0 ? [] : await repeatedByMerge(tx, scope, ids);
  for (const id of repeated) withheld.set(id, mergedSince);
  for (const { id, address } of rows) if (unwanted.has(address)) withheld.set(id, optedOutSince);
  return { row, withheld };
}

const optedOutSince: SendingOutcome = {
  kind: 'withheld',
  status: 'skipped',
  code: 'opted_out',
  detail: 'The person opted out before this was sent.',
};

const deletedSince: SendingOutcome = {
  kind: 'withheld',
  status: 'skipped',
  code: 'contact_deleted',
  detail: 'The contact was deleted before this was sent.',
};

const mergedSince: SendingOutcome = {
  kind: 'withheld',
  status: 'skipped',
  code: 'contact_merged',
  detail: 'The contact was merged with another recipient, who gets this broadcast.',
};

const tooLate: SendingOutcome = {
  kind: 'withheld',
  status: 'expired',
  code: 'too_late',
  detail: 'It could not be sent within its time.',
};

const withoutDelay = async (): Promise<Turn> => ({ end: () => {} });
const stopped: SendingOutcome = { kind: 'waiting', code: 'app_stopped', afterMs: stoppedMs };
/** An earlier message to the person was not taken yet, and must not be overtaken. */
const behindEarlier: SendingOutcome = { kind: 'waiting', code: 'behind_earlier', afterMs: 0 };

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
      const outcome: SendingOutcome = isHeldUp
        ? behindEarlier
        : await exchange(context, scope, opened, row, token.token, turn);
      isHeldUp ||= isSentAgain(outcome, row, opened, context.clock());
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
  const { db, clock, random } = context;
  const chance = () => Buffer.from(random(4)).readUInt32BE() / 2 ** 32;
  const { scope, claimId, opened, rows } = batch;
  const now = clock();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const reports: StatusReport[] = [];
  const retries: Requeued[] = [];
  for (const { id, outcome } of sent) {
    const change = changeOf(outcome, byId.get(id)!, opened, { now, chance });
    if ('due_at' in change) retries.push(change);
    else reports.push(change);
  }
  await db.tenant(scope.tenantId, async (tx) => {
    await applyStatusReports(tx, scope, reports, context, now);
    if (retries.length > 0) await requeue(tx, scope, claimId, retries);
    await applyRefusals(tx, context, batch, sent);
  });
  const accepted = reports.flatMap(({ provider_id }) => provider_id ?? []);
  if (opened !== undefined) await applyEarlyReports(context, scope, opened.row.id, accepted);
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
  const refused: RefusedMessage[] = [];
  for (const { id, outcome } of sent) {
    if (outcome.kind !== 'refused') continue;
    if (outcome.action === 'opt-out') {
      const { channel, contact_id, address } = byId.get(id)!;
      const { code: error_code, detail: error_detail } = outcome;
      const told = { error_code, error_detail, at: context.clock() };
      refused.push({ channel, contact_id, address, ...told });
    }
    if (outcome.action === 'stop-channel') {
      const reason = `${outcome.code}: ${outcome.detail}`;
      const isNew = await stopByProvider(tx, scope, row, reason, context);
      if (isNew) log.warn({ appId: row.id, code: outcome.code }, 'a provider stopped an app');
      context.calls.dropToken(opened.app);
    }
  }
  await recordNetworkRefusals(tx, scope, context, refused);
}
