/** Asks the provider whom it reaches, where it tells, before anything is sent to them. */
import type { SendOutcome } from '../../channels/contract.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { OpenedApp } from '../apps/desk.ts';
import type { Place } from '../contacts/store.ts';
import { tryAsk } from '../rcs/provider.ts';
import type { BroadcastEdge } from './edge.ts';
import { keepReach, listReach } from './reach-store.ts';

/** People change phones and networks seldom: what was said a day ago holds. */
export const reachAgeMsMax = 24 * 3_600_000;

export type ReachCheck =
  | { readonly kind: 'checked' }
  /** The caller stopped it. */
  | { readonly kind: 'stopped' }
  /** The provider does not say; another try may help where it is not `refused`. */
  | Exclude<SendOutcome, { kind: 'accepted' }>;

export interface ReachWish {
  readonly segmentId: string;
  readonly opened: OpenedApp;
  /** Contacts that are looked at. */
  readonly contactsMax?: number;
  /** Called in each transaction; false ends it. */
  goOn?(tx: Tx): Promise<boolean>;
}

/**
 * Asks for all numbers of a segment of which the provider has not told lately, as many together as
 * it allows; what it said is kept at once, so a check that was cut goes on where it stood.
 */
export async function checkReach(
  edge: BroadcastEdge,
  place: Place,
  { segmentId, opened, contactsMax = Number.POSITIVE_INFINITY, goOn }: ReachWish,
): Promise<ReachCheck> {
  const { reach } = opened.channel;
  if (reach === undefined) return { kind: 'checked' };
  const { db, clock } = edge;
  const [appId, limit] = [opened.row.id, reach.phonesMax];
  let looked = 0;
  for (let after = ''; looked < contactsMax; ) {
    const since = new Date(clock().getTime() - reachAgeMsMax);
    const page = await db.tenant(place.tenantId, async (tx) => {
      if (goOn !== undefined && !(await goOn(tx))) return undefined;
      return listReach(tx, place, { segmentId, appId, after, limit, since });
    });
    if (page === undefined) return { kind: 'stopped' };
    const asked = page.flatMap(({ phone, is_known }) => (is_known || phone === null ? [] : phone));
    const outcome = await ask(edge, place, opened, asked);
    if (outcome.kind !== 'checked') return outcome;
    if (page.length < limit) break;
    looked += page.length;
    after = page.at(-1)!.contact_id;
  }
  return { kind: 'checked' };
}

async function ask(
  edge: BroadcastEdge,
  place: Place,
  opened: OpenedApp,
  asked: readonly string[],
): Promise<ReachCheck> {
  if (asked.length === 0) return { kind: 'checked' };
  const { db, clock } = edge;
  const reach = opened.channel.reach!;
  const answer = await tryAsk(edge, place, opened, (context) =>
    reach.requestMany(asked, opened.app, context),
  );
  if (answer.kind !== 'answered') return answer;
  const outcome = reach.readMany(answer.response, clock());
  if (outcome.kind !== 'reached') return outcome;
  const said = { asked, reached: outcome.phones };
  await db.tenant(place.tenantId, (tx) => keepReach(tx, place, opened.row.id, said, clock()));
  return { kind: 'checked' };
}
