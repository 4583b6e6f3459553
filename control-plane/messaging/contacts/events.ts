/** Webhook events of contacts and consents. */

import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import { addEvents } from '../../webhooks/store.ts';
import { eventOf } from '../messages/events.ts';
import type { Address } from './consents/store.ts';
import type { ContactChannel } from './schema.ts';

interface EventContext {
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** A small snapshot of the contact; the receiver reads the rest with a GET. */
export interface ContactEventData {
  readonly id: string;
  readonly name: string | null;
  readonly phone: string | null;
  /** `api`, `inbound`, `network` or `retention`. */
  readonly source: string;
  /** The channel of an inbound message that made the contact. */
  readonly channel?: ContactChannel;
  /** Fields that an update named. */
  readonly changed?: string[];
  /** The contact that a merge removed. */
  readonly merged_id?: string;
}

export async function addContactEvent(
  tx: Tx,
  scope: TenantScope,
  { clock, random }: EventContext,
  what: 'created' | 'updated' | 'merged' | 'deleted',
  { id, ...data }: ContactEventData,
): Promise<void> {
  const event = eventOf(scope, `contact.${what}`, id, data, clock(), random);
  await addEvents(tx, scope.tenantId, [event]);
}

export async function addConsentEvent(
  tx: Tx,
  scope: TenantScope,
  { clock, random }: EventContext,
  state: 'granted' | 'revoked',
  data: Address & { readonly source: string; readonly scope?: string },
): Promise<void> {
  const event = eventOf(scope, `consent.${state}`, data.address, data, clock(), random);
  await addEvents(tx, scope.tenantId, [event]);
}
