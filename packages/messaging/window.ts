/** Hours after a person's last message in which any message may be sent. */
const serviceWindowHours = 24;

const windowMs = serviceWindowHours * 60 * 60 * 1_000;

/** Whether a person's service window is open. */
export type ServiceWindow =
  | { readonly kind: 'open'; readonly until: Date }
  /** Only a template may be sent. `since` is absent for a person who never wrote. */
  | { readonly kind: 'closed'; readonly since?: Date };

/**
 * Whether free-form messages may be sent now. The network uses its own clock, so the end itself is
 * outside the window.
 */
export function serviceWindow(lastInboundAt: Date | undefined, now: Date): ServiceWindow {
  if (lastInboundAt === undefined) return { kind: 'closed' };
  const until = new Date(lastInboundAt.getTime() + windowMs);
  return now < until ? { kind: 'open', until } : { kind: 'closed', since: until };
}
