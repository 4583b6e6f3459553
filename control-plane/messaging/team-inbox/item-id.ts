/** Ids of messages and calls begin with the instant of their creation, so ids sort by time. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const instantLength = 10;

export const idSuffixPattern = /^[0-9a-hjkmnp-tv-z]{26}$/;

/** The id without its prefix: sorts by time across messages, calls and notes. */
export function idSuffixOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

/** When the id was created, to the millisecond. */
export function instantOfId(id: string): Date {
  const digits = idSuffixOf(id).slice(0, instantLength);
  let ms = 0;
  for (const digit of digits) ms = ms * 32 + alphabet.indexOf(digit);
  return new Date(ms);
}

/** A contact has one conversation, so its id is derived from the contact's. */
export function conversationIdOf(contactId: string): string {
  return `cnv_${idSuffixOf(contactId)}`;
}
