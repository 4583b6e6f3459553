/** Hours after a person's last message in which anything may be answered. */
export const serviceWindowHours = 24;

const windowMs = serviceWindowHours * 60 * 60 * 1_000;

export type ServiceWindow =
  | { readonly kind: 'open'; readonly until: Date }
  /** Only a template may go out. `since` is absent for a person who never wrote. */
  | { readonly kind: 'closed'; readonly since?: Date };

/**
 * Whether free-form messages may be sent now. The network measures from its own clock, so the
 * window is open up to but not including its end.
 */
export function serviceWindow(lastInboundAt: Date | undefined, now: Date): ServiceWindow {
  if (lastInboundAt === undefined) return { kind: 'closed' };
  const until = new Date(lastInboundAt.getTime() + windowMs);
  return now < until ? { kind: 'open', until } : { kind: 'closed', since: until };
}
