/** Ids of messages and calls begin with the instant they were made at: what follows from that. */
import { newId } from '../../platform/ids.ts';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const instantLength = 10;

export const stemPattern = /^[0-9a-hjkmnp-tv-z]{26}$/;

/** The id without its prefix: sorts by time whatever it names. */
export function stemOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

/** When an id of `newId` was made. */
export function instantOf(id: string): Date {
  const digits = stemOf(id).slice(0, instantLength);
  let ms = 0;
  for (const digit of digits) ms = ms * 32 + alphabet.indexOf(digit);
  return new Date(ms);
}

/** The lowest id of an instant: a span of time is a span of ids. */
export function firstIdAt(prefix: string, instant: Date): string {
  return newId(
    prefix,
    () => instant,
    (size) => new Uint8Array(size),
  );
}

/** A contact has one conversation, so its id follows from the contact's. */
export function conversationIdOf(contactId: string): string {
  return `cnv_${stemOf(contactId)}`;
}
