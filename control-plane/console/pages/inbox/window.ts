import type { InboxMessage } from './queries.ts';

/** The network allows words of one's own for so long after the person wrote. */
const windowMs = 24 * 3_600_000;

/** Whether the service window of WhatsApp is open. The server decides; this only tells before. */
export function windowEnd(
  said: readonly InboxMessage[],
  now: Date,
): { readonly kind: 'open'; readonly until: Date } | { readonly kind: 'closed' } {
  const last = said.find(({ channel, direction }) => channel === 'wa' && direction === 'in');
  if (last === undefined) return { kind: 'closed' };
  const until = new Date(new Date(last.created_at).getTime() + windowMs);
  return now < until ? { kind: 'open', until } : { kind: 'closed' };
}
