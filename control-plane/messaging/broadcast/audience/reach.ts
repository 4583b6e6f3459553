/** Asks the provider whom it reaches before anything is sent, where the provider can say. */
import type { SendOutcome } from '../../../channels/contract.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { OpenedApp } from '../../apps/app-opener.ts';
import { tryProvider } from '../../rcs/provider.ts';
import type { BroadcastContext } from '../context.ts';
import { keepReach, listReach } from './reach-store.ts';

/** People seldom change phones and networks: an answer is valid for a day. */
export const reachAgeMsMax = 24 * 3_600_000;

export type ReachCheck =
  | { readonly kind: 'checked' }
  /** `mayContinue` returned false. */
  | { readonly kind: 'stopped' }
  /** The provider gives no answer; unless it is `refused`, another try may help. */
  | Exclude<SendOutcome, { kind: 'accepted' }>;

export interface ReachRequest {
  readonly segmentId: string;
  readonly opened: OpenedApp;
  /** The most contacts to check. */
  readonly contactsMax?: number;
  /** Called in each transaction; false stops the check. */
  mayContinue?(tx: Tx): Promise<boolean>;
}

/**
 * Asks for all numbers of a segment without a recent answer, as many at once as the provider
 * allows. Answers are stored immediately, so an interrupted check continues where it stopped.
 */
export async function checkReach(
  context: BroadcastContext,
  scope: TenantScope,
  { segmentId, opened, contactsMax = Number.POSITIVE_INFINITY, mayContinue: goOn }: ReachRequest,
): Promise<ReachCheck> {
  const { reach } = opened.channel;
  if (reach === undefined) return { kind: 'checked' };
  const { db, clock } = context;
  const [appId, limit] = [opened.row.id, reach.phonesMax];
  let looked = 0;
  for (let after = ''; looked < contactsMax; ) {
    const since = new Date(clock().getTime() - reachAgeMsMax);
    const page = await db.tenant(scope.tenantId, async (tx) => {
      if (goOn !== undefined && !(await goOn(tx))) return undefined;
      return listReach(tx, scope, { segmentId, appId, after, limit, since });
    });
    if (page === undefined) return { kind: 'stopped' };
    const asked = page.flatMap(({ phone, is_known }) => (is_known || phone === null ? [] : phone));
    const outcome = await ask(context, scope, opened, asked);
    if (outcome.kind !== 'checked') return outcome;
    if (page.length < limit) break;
    looked += page.length;
    after = page.at(-1)!.contact_id;
  }
  return { kind: 'checked' };
}

async function ask(
  context: BroadcastContext,
  scope: TenantScope,
  opened: OpenedApp,
  asked: readonly string[],
): Promise<ReachCheck> {
  if (asked.length === 0) return { kind: 'checked' };
  const { db, clock } = context;
  const reach = opened.channel.reach!;
  const answer = await tryProvider(context, scope, opened, (context) =>
    reach.requestMany(asked, opened.app, context),
  );
  if (answer.kind !== 'answered') return answer;
  const outcome = reach.readMany(answer.response, clock());
  if (outcome.kind !== 'reached') return outcome;
  const said = { asked, reached: outcome.phones };
  await db.tenant(scope.tenantId, (tx) => keepReach(tx, scope, opened.row.id, said, clock()));
  return { kind: 'checked' };
}
