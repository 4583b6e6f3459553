/**
 * Takes in what networks tell. What arrives while a transaction commits shares the next one, so the
 * disk is asked once for many; each is durable before its network is answered, and one that is told
 * twice changes nothing.
 */
import type { Db } from '../../platform/db/database.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log/log.ts';
import type { AppDesk, OpenedApp } from '../apps/desk.ts';
import { findApps, listApps } from '../apps/store.ts';
import type { Place } from '../contacts/store.ts';
import { Gathered } from '../gathered.ts';
import { heedAccounts } from './accounts.ts';
import { joinEarly, type KeptReport } from './early.ts';
import { type Item, judge, type Told, type Untold, type Webhook } from './judgement.ts';
import { findReported, keepReports, type Learnt } from './move-store.ts';
import { applyLearnt, type MovesContext } from './moves.ts';
import { heedConsents, heedIdentities, heedTemplates } from './news.ts';
import { useProofs } from './people-store.ts';
import { receiveMessages } from './received.ts';

export interface IntakeContext extends MovesContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: Log;
  readonly jobs: Jobs;
  readonly desk: AppDesk;
}

/** What became of a webhook. */
export type Outcome =
  | Untold
  /** It is written down. */
  | { readonly kind: 'taken' }
  /** Its proof was used before, and nothing was written. */
  | { readonly kind: 'repeated' };

/** Webhooks that share a transaction. */
const lotMax = 200;
/** Numbers of one tenant that share an address on the chat app. */
const numbersMax = 200;

interface Taking {
  readonly place: Place;
  readonly webhook: Webhook;
}

export class Intake {
  readonly #lots: Gathered<Taking, Outcome>;

  constructor(context: IntakeContext) {
    // A lot is of one place: that is its key.
    const take = (lot: readonly Taking[]) =>
      takeAll(
        context,
        lot[0]!.place,
        lot.map(({ webhook }) => webhook),
      );
    this.#lots = new Gathered(take, lotMax);
  }

  /** Resolves when what it tells is written down, or there is nothing to write. */
  take(place: Place, webhook: Webhook): Promise<Outcome> {
    return this.#lots.put(`${place.tenantId} ${place.environment}`, { place, webhook });
  }
}

async function takeAll(
  context: IntakeContext,
  place: Place,
  webhooks: readonly Webhook[],
): Promise<Outcome[]> {
  const { db, clock } = context;
  const { outcomes, early } = await db.tenant(place.tenantId, async (tx) => {
    const apps = await appsOf(tx, context, place, webhooks);
    const judged = webhooks.map((webhook) => judge(webhook, apps, clock()));
    const told = judged.filter((each) => each.kind === 'told');
    const fresh = await unused(tx, context, place, told);
    const items = told.flatMap((each) => (fresh.has(each) ? each.items : []));
    return {
      early: await apply(tx, context, place, items),
      outcomes: judged.map((each): Outcome => {
        if (each.kind !== 'told') return each;
        return { kind: fresh.has(each) ? 'taken' : 'repeated' };
      }),
    };
  });
  for (const [appId, own] of Map.groupBy(early, (report) => report.appId)) {
    await joinEarly(
      context,
      place,
      appId,
      own.map(({ providerId }) => providerId),
    );
  }
  return outcomes;
}

/** The apps as they stand now, so that no webhook is judged by settings that were changed. */
async function appsOf(
  tx: Tx,
  { desk }: IntakeContext,
  place: Place,
  webhooks: readonly Webhook[],
): Promise<OpenedApp[]> {
  const ids = new Set(webhooks.flatMap(({ appId }) => appId ?? []));
  const isForNumbers = webhooks.some(({ appId }) => appId === undefined);
  const rows = [
    ...(ids.size === 0 ? [] : await findApps(tx, place, [...ids])),
    ...(isForNumbers ? await listApps(tx, place, 'wa', { after: '', limit: numbersMax }) : []),
  ];
  return rows.map((row) => desk.open(place, row));
}

/** Those whose proof may be used once and was not used yet, and all others. */
async function unused(
  tx: Tx,
  { clock }: IntakeContext,
  { tenantId }: Place,
  told: readonly Told[],
): Promise<ReadonlySet<Told>> {
  const proofs = new Map<string, Told>();
  for (const each of told) {
    const { opened, once } = each;
    if (once === undefined) continue;
    const key = `${opened.row.id} ${once}`;
    if (!proofs.has(key)) proofs.set(key, each);
  }
  const rows = [...proofs.values()].map(({ opened, once }) => {
    return { app_id: opened.row.id, proof: once! };
  });
  const used = await useProofs(tx, tenantId, rows, clock());
  const fresh = used.map(({ app_id, proof }) => proofs.get(`${app_id} ${proof}`)!);
  return new Set([...told.filter(({ once }) => once === undefined), ...fresh]);
}

/** Everything in one transaction; answers the reports whose message is not known yet. */
async function apply(
  tx: Tx,
  context: IntakeContext,
  place: Place,
  items: readonly Item[],
): Promise<{ readonly appId: string; readonly providerId: string }[]> {
  const of = <K extends Item['event']['kind']>(kind: K) =>
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
