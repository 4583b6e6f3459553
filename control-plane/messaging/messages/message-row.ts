import type { Channel, Content } from '@drawbridge/messaging/message.ts';
import { isFailure, type Status } from '@drawbridge/messaging/status.ts';
import type { InboundContent } from '../../channels/contract.ts';

/** Carriers' registration of a text (India: DLT). */
export interface Registration {
  readonly entityId: string;
  readonly templateId: string;
}

/** A stored message; amounts are exact decimals as text. */
export interface MessageRow {
  readonly id: string;
  readonly channel: Channel;
  readonly direction: 'in' | 'out';
  readonly app_id: string;
  readonly contact_id: string | null;
  /** The person's E.164 number, or the network's own id. */
  readonly address: string;
  readonly broadcast_id: string | null;
  readonly content: Content | InboundContent;
  /** The content as a person reads it. */
  readonly preview: string;
  readonly status: Status | 'received';
  readonly provider_id: string | null;
  readonly reply_to: string | null;
  readonly ttl_seconds: number | null;
  readonly registration: Registration | null;
  readonly due_at: Date | null;
  readonly attempts: number;
  readonly error_code: string | null;
  readonly error_detail: string | null;
  readonly price: string | null;
  readonly currency: string | null;
  /** When the hold was released because no report came; null again once the price is charged. */
  readonly hold_released_at: Date | null;
  readonly author: string | null;
  readonly created_at: Date;
  readonly sent_at: Date | null;
  readonly delivered_at: Date | null;
  readonly read_at: Date | null;
  readonly failed_at: Date | null;
}

/**
 * What the message costs, or may cost while it is on its way; null when nothing is charged. What ended
 * without being taken by its provider gave its price back.
 */
export function costOf({
  price,
  status,
  sent_at,
}: Pick<MessageRow, 'price' | 'status' | 'sent_at'>): string | null {
  const isUnsent = status !== 'received' && isFailure(status) && sent_at === null;
  return isUnsent ? null : price;
}

/** The columns of `MessageRow`, for select lists. */
export const messageColumns = `id, channel, direction, app_id, contact_id, address, broadcast_id,
  content, preview, status, provider_id, reply_to, ttl_seconds, registration, due_at, attempts,
  error_code, error_detail, trim_scale(price)::text as price, currency, hold_released_at, author,
  created_at, sent_at, delivered_at, read_at, failed_at`;
