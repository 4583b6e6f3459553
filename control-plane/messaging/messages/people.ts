/** Who wrote: finds the contacts of senders, and makes those that are missing. */
import type { Channel } from '@drawbridge/messaging/message.ts';
import type { Person } from '../../channels/contract.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { type Clock, newId, type RandomBytes } from '../../platform/ids.ts';
import { tellContact } from '../contacts/events.ts';
import { findHolder, insertContact, type Place, setIdentifiers } from '../contacts/store.ts';
import { addIdentifier, lockAddress } from './people-store.ts';

export interface PeopleContext {
  readonly clock: Clock;
  readonly random: RandomBytes;
}

const nameMax = 200;

/** What a person is written to by: the phone where they show it, else the network's id. */
export function addressOf({ phone, userId }: Person): string {
  return phone ?? userId!;
}

/** The contact of a person who wrote; made when there is none. */
export async function contactOf(
  tx: Tx,
  place: Place,
  channel: Channel,
  person: Person,
  context: PeopleContext,
): Promise<string> {
  // Two messages of one stranger may come at once, on two nodes.
  await lockAddress(tx, place, channel, addressOf(person));
  const { phone, userId } = person;
  const identifiers = userId === undefined ? [] : [{ channel, external_id: userId }];
  const known = await findHolder(tx, place, phone, identifiers);
  if (known !== undefined) {
    if (userId !== undefined) await addIdentifier(tx, place, known, channel, userId);
    return known;
  }
  const { clock, random } = context;
  const now = clock();
  const id = newId('con', () => now, random);
  const name = (person.name ?? person.username)?.replaceAll('\0', '').trim().slice(0, nameMax);
  await insertContact(tx, place, {
    ...{ id, name: name || null, phone: phone ?? null, attributes: {}, created_at: now },
  });
  await setIdentifiers(tx, place, id, identifiers);
  const news = { id, phone: phone ?? null, name: name || null, channel, source: 'inbound' };
  await tellContact(tx, place, context, 'created', news);
  return id;
}
