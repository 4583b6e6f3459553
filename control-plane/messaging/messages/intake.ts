/**
 * Takes in what networks tell. What arrives while a transaction commits shares the next one, so the
 * disk is asked once for many; each is durable before its network is answered, and one that is told
 * twice changes nothing.
 */
import type { ChannelEvent } from '../../channels/contract.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log/log.ts';
import type { AppDesk, OpenedApp } from '../apps/desk.ts';
import type { Place } from '../contacts/store.ts';
import { heedAccounts } from './accounts.ts';
import { joinEarly, type KeptReport } from './early.ts';
import { findReported, keepReports, type Learnt } from './move-store.ts';
import { applyLearnt, type MovesContext } from './moves.ts';
import { heedConsents, heedIdentities, heedTemplates } from './news.ts';
import { useProof } from './people-store.ts';
import { receiveMessages } from './received.ts';

export interface IntakeContext extends MovesContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: Log;
  readonly jobs: Jobs;
  readonly desk: AppDesk;
}

/** What one webhook told of one app. */
export interface Told {
  readonly opened: OpenedApp;
  readonly events: readonly ChannelEvent[];
  /** May be used by one request only. */
  readonly once?: string;
}

type Kind = ChannelEvent['kind'];
/** One event with the app it is for. */
export interface Item<K extends Kind = Kind> {
  readonly opened: OpenedApp;
  readonly event: Extract<ChannelEvent, { kind: K }>;
}

interface Waiting {
  readonly told: Told;
  readonly resolve: (isNew: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** Webhooks that share a transaction. */
const batchMax = 200;

export class Intake {
  readonly #context: IntakeContext;
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(context: IntakeContext) {
    this.#context = context;
  }

  /** Resolves when it is written down; false when its proof was used before, and nothing was. */
  take(place: Place, told: Told): Promise<boolean> {
    const key = `${place.tenantId} ${place.environment}`;
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(key);
      if (waiting !== undefined) return void waiting.push({ told, resolve, reject });
      this.#waiting.set(key, [{ told, resolve, reject }]);
      void this.#drain(key, place);
    });
  }

  async #drain(key: string, place: Place): Promise<void> {
    // A turn of the loop, in which webhooks that came together join.
    await new Promise(setImmediate);
    for (;;) {
      const waiting = this.#waiting.get(key)!;
      if (waiting.length === 0) break;
      const batch = waiting.splice(0, batchMax);
      await this.#write(place, batch);
    }
    this.#waiting.delete(key);
  }

  async #write(place: Place, batch: readonly Waiting[]): Promise<void> {
    try {
      const news = await takeAll(
        this.#context,
        place,
        batch.map(({ told }) => told),
      );
      for (const [at, { resolve }] of batch.entries()) resolve(news[at]!);
    } catch (error) {
      if (batch.length === 1) return batch[0]!.reject(error);
      // One of them is at fault, or the database: alone, each gets its own verdict.
      for (const one of batch) await this.#write(place, [one]);
    }
  }
}

async function takeAll(
  context: IntakeContext,
  place: Place,
  batch: readonly Told[],
): Promise<boolean[]> {
  const { db } = context;
  const { news, early } = await db.tenant(place.tenantId, async (tx) => {
    const proven = await unused(tx, context, place, batch);
    const fresh = batch.filter((_, at) => proven[at]);
    const kept = await apply(tx, context, place, fresh);
    return { news: proven, early: kept };
  });
  for (const [appId, own] of Map.groupBy(early, ({ appId }) => appId)) {
    await joinEarly(
      context,
      place,
      appId,
      own.map(({ providerId }) => providerId),
    );
  }
  return news;
}

async function unused(
  tx: Tx,
  { clock }: IntakeContext,
  { tenantId }: Place,
  batch: readonly Told[],
): Promise<boolean[]> {
  const verdicts: boolean[] = [];
  for (const { once, opened } of batch) {
    const isNew =
      once === undefined || (await useProof(tx, tenantId, opened.row.id, once, clock()));
    verdicts.push(isNew);
  }
  return verdicts;
}

/** Everything in one transaction; answers the reports whose message is not known yet. */
async function apply(
  tx: Tx,
  context: IntakeContext,
  place: Place,
  fresh: readonly Told[],
): Promise<{ readonly appId: string; readonly providerId: string }[]> {
  const items = fresh.flatMap(({ opened, events }) => events.map((event) => ({ opened, event })));
  const of = <K extends Kind>(kind: K) =>
    items.filter(({ event }) => event.kind === kind) as unknown as readonly Item<K>[];
  await heedIdentities(tx, context, place, of('identity'));
  const early = await report(tx, context, place, of('report'));
  await receiveMessages(tx, context, place, of('inbound'));
  await heedConsents(tx, context, place, of('consent'));
  await heedTemplates(tx, context, place, of('template'));
  await heedAccounts(tx, context, place, of('account'));
  return early;
}

async function report(
  tx: Tx,
  context: IntakeContext,
  place: Place,
  items: readonly Item<'report'>[],
): Promise<{ readonly appId: string; readonly providerId: string }[]> {
  if (items.length === 0) return [];
  const { clock } = context;
  const now = clock();
  const reported = items.map(({ opened, event: { providerId, messageId } }) => ({
    ...{ appId: opened.row.id, providerId, messageId },
  }));
  const ids = await findReported(tx, place, reported);
  const learnt = items.flatMap(({ event }, at): Learnt[] => {
    const id = ids[at];
    return id === undefined ? [] : [{ id, provider_id: event.providerId, ...newsOf(event, now) }];
  });
  await applyLearnt(tx, place, learnt, context, now);
  const unknown = items.flatMap(({ opened, event }, at) =>
    ids[at] === undefined ? [{ opened, event }] : [],
  );
  if (unknown.length === 0) return [];
  const kept = unknown.map(({ opened, event }) => {
    const { at, ...rest } = newsOf(event, now);
    const report: KeptReport = { ...rest, at: at.toISOString() };
    return { app_id: opened.row.id, provider_id: event.providerId, report };
  });
  await keepReports(tx, place, kept, now);
  return kept.map(({ app_id, provider_id }) => ({ appId: app_id, providerId: provider_id }));
}

const detailMax = 1_000;

function newsOf({ status, at, failure }: Item<'report'>['event'], now: Date) {
  return {
    status,
    // A network's clock may be wrong, ours orders what we show.
    at: at === undefined || at > now ? now : at,
    error_code: failure?.code.slice(0, detailMax) ?? null,
    error_detail: failure?.detail.slice(0, detailMax) ?? null,
  };
}
