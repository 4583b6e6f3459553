import type { Address } from './consents/store.ts';
import { byPhone } from './schema.ts';
import type { ContactRow } from './store.ts';

/** Every address a contact can be reached at, channel by channel. */
export function addressesOf({
  phone,
  channel_identifiers,
}: Pick<ContactRow, 'phone' | 'channel_identifiers'>): Address[] {
  const numbers = phone === null ? [] : byPhone.map((on) => ({ channel: on, address: phone }));
  const others = channel_identifiers.map((each) => {
    return { channel: each.channel, address: each.external_id };
  });
  return [...numbers, ...others.filter(({ address }) => address !== phone)];
}
