/** How long a message may be sent, counted from when it was queued. */
import type { MessageRow } from '../message-row.ts';

type Expiring = Pick<MessageRow, 'ttl_seconds' | 'broadcast_id' | 'created_at'>;

/** Where the request does not say. */
const ttlSecondsDefault = 86_400;

/** Whether the message may be sent no more. */
export function isExpired(row: Expiring, now: Date): boolean {
  return now.getTime() >= expiresAtMs(row);
}

/** When to try again after a wait; at the latest when the message's time is over, so that this is told. */
export function dueAfter(row: Expiring, now: Date, waitMs: number): Date {
  return new Date(Math.min(now.getTime() + waitMs, expiresAtMs(row)));
}

/** The seconds that are left of what the request said; undefined when it said nothing. */
export function ttlLeft(row: Expiring, now: Date): number | undefined {
  if (row.ttl_seconds === null) return undefined;
  return Math.max(1, Math.ceil((expiresAtMs(row) - now.getTime()) / 1_000));
}

/** Those of a broadcast have no end of their own: it may be paused for days. */
function expiresAtMs({ ttl_seconds, broadcast_id, created_at }: Expiring): number {
  const seconds = ttl_seconds ?? (broadcast_id === null ? ttlSecondsDefault : undefined);
  return seconds === undefined ? Number.POSITIVE_INFINITY : created_at.getTime() + seconds * 1_000;
}
