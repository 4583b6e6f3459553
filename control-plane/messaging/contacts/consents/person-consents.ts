/** What people said by themselves, which holds for the person and not only for the address. */
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { newIds } from '../../../platform/ids.ts';
import type { ContactContext } from '../context.ts';
import { addConsentEvent } from '../events.ts';
import { channel } from '../schema.ts';
import { recordConsent } from './record-consent.ts';
import {
  type Address,
  addressesOfPeople,
  type Consent,
  findOptOuts,
  optOutsBefore,
  saidOtherwiseAfter,
} from './store.ts';

type RecordContext = Pick<ContactContext, 'clock' | 'random'>;

interface PersonConsent extends Omit<Consent, 'id' | 'created_at' | 'recorded_by'> {
  /** When they said it; not in the future. */
  readonly at: Date;
  /** Null or unknown: it holds for the address alone. */
  readonly contactId: string | null | undefined;
  /** `marketing` where the network says so. */
  readonly scope?: string;
}

/**
 * Records it, with the webhook events, for every address that the person has on the channel. Networks deliver
 * again for days and in any order: what the person said last holds, whatever came last.
 */
export async function recordPersonConsents(
  tx: Tx,
  scope: TenantScope,
  context: RecordContext,
  said: readonly PersonConsent[],
): Promise<void> {
  const people = said.flatMap(({ contactId, channel: on }) =>
    contactId ? [{ contactId, channel: on }] : [],
  );
  const known = people.length === 0 ? [] : await addressesOfPeople(tx, scope, people);
  const all = said.flatMap((one) => {
    const others = known.filter(
      (each) => each.contact_id === one.contactId && each.channel === one.channel,
    );
    const addresses = new Set([one.address, ...others.map(({ address }) => address)]);
    return [...addresses].map((address) => ({ ...one, address }));
  });
  // What is said last has the highest id, also within the millisecond of a batch.
  const ids = newIds('cns', context.clock, context.random, all.length);
  ids.sort((a, b) => (a < b ? -1 : 1));
  // A fixed order, so that two transactions with the same people cannot deadlock.
  for (const [nth, one] of all.toSorted(byAddress).entries()) {
    const { channel: on, address, state, source, note, at, scope: about } = one;
    if (await saidOtherwiseAfter(tx, scope, one, at)) continue;
    await recordConsent(tx, scope, context, {
      id: ids[nth]!,
      channel: on,
      address,
      state,
      source,
      note,
      recorded_by: null,
      created_at: at,
    });
    const data = { channel: on, address, source, ...(about === undefined ? {} : { scope: about }) };
    await addConsentEvent(tx, scope, context, state, data);
  }
}

function byAddress(a: PersonConsent, b: PersonConsent): number {
  return a.address < b.address ? -1 : a.address > b.address ? 1 : 0;
}

/** What a person refused at a former address holds at the new one that a network tells of, on every channel. */
export async function keepOptOuts(
  tx: Tx,
  scope: TenantScope,
  context: RecordContext,
  { from, to, source }: { readonly from: string; readonly to: string; readonly source: string },
): Promise<void> {
  const note = `said at ${from}`;
  const refused = await optOutsBefore(tx, scope, channel.options, { from, to, note });
  const at = context.clock();
  const said = refused.map((on) => {
    const refusal = { channel: on, address: to, state: 'revoked', source } as const;
    return { ...refusal, note, at, contactId: null };
  });
  await recordPersonConsents(tx, scope, context, said);
}

/** What a person refused at the addresses that they had holds at those that become known, on each channel. */
export async function extendOptOuts(
  tx: Tx,
  scope: TenantScope,
  context: RecordContext,
  { had, has, source }: KnownAddresses,
): Promise<void> {
  const isIn = (those: readonly Address[], { channel: on, address }: Address) =>
    those.some((each) => each.channel === on && each.address === address);
  const gained = has.filter((each) => !isIn(had, each));
  if (gained.length === 0 || had.length === 0) return;
  const refused = await findOptOuts(tx, scope, [...had, ...gained]);
  const said = gained.flatMap(({ channel: on, address }) => {
    const before = refused.find((each) => each.channel === on && isIn(had, each));
    if (before === undefined || isIn(refused, { channel: on, address })) return [];
    const [note, at] = [`said at ${before.address}`, before.created_at];
    return [{ contactId: null, channel: on, address, state: 'revoked' as const, source, note, at }];
  });
  await recordPersonConsents(tx, scope, context, said);
}

/** The addresses that a contact had, and has now. */
interface KnownAddresses {
  readonly had: readonly Address[];
  readonly has: readonly Address[];
  readonly source: string;
}
