/** How long a message may be sent, counted from when it was queued. */
import type { MessageRow } from '../message-row.ts';

type Lived = Pick<MessageRow, 'ttl_seconds' | 'broadcast_id' | 'created_at'>;

/** Where the request does not say. */
const lifeSecondsDefault = 86_400;

/** Whether the message may be sent no more. */
export function isTooLate(row: Lived, now: Date): boolean {
  return now.getTime() >= endMs(row);
}

/** When to try again after a wait; at the latest when the message's time is over, so that this is told. */
export function dueAfter(row: Lived, now: Date, waitMs: number): Date {
  return new Date(Math.min(now.getTime() + waitMs, endMs(row)));
}

/** The seconds that are left of what the request said; undefined when it said nothing. */
export function ttlLeft(row: Lived, now: Date): number | undefined {
  if (row.ttl_seconds === null) return undefined;
  return Math.max(1, Math.ceil((endMs(row) - now.getTime()) / 1_000));
}

/** Those of a broadcast have no end of their own: it may be paused for days. */
function endMs({ ttl_seconds, broadcast_id, created_at }: Lived): number {
  const seconds = ttl_seconds ?? (broadcast_id === null ? lifeSecondsDefault : undefined);
  return seconds === undefined ? Number.POSITIVE_INFINITY : created_at.getTime() + seconds * 1_000;
}
