/** What customers' endpoints are told of contacts and of what they agreed to. */
import type { Tx } from '../../platform/db/tx.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import { addEvents } from '../../webhooks/store.ts';
import { eventOf } from '../messages/events.ts';
import type { Address } from './consent-store.ts';
import type { Place } from './store.ts';

interface Edge {
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** A snapshot that stays small whatever the contact holds; the rest is a GET away. */
export interface ContactNews {
  readonly id: string;
  readonly name: string | null;
  readonly phone: string | null;
  /** `api` or `inbound`. */
  readonly source: string;
  /** The channel that an inbound one came by. */
  readonly channel?: string;
  /** Fields that an update named. */
  readonly changed?: readonly string[];
  /** The contact that is gone, of a merge. */
  readonly merged_id?: string;
}

export async function tellContact(
  tx: Tx,
  place: Place,
  { clock, random }: Edge,
  what: 'created' | 'updated' | 'merged',
  { id, ...data }: ContactNews,
): Promise<void> {
  const event = eventOf(place, `contact.${what}`, id, data, clock(), random);
  await addEvents(tx, place.tenantId, [event]);
}

export async function tellConsent(
  tx: Tx,
  place: Place,
  { clock, random }: Edge,
  state: 'granted' | 'revoked',
  data: Address & { readonly source: string; readonly scope?: string },
): Promise<void> {
  const event = eventOf(place, `consent.${state}`, data.address, data, clock(), random);
  await addEvents(tx, place.tenantId, [event]);
}
