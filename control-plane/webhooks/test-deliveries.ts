/** Tests an endpoint: sends a test event like any other and returns its delivery. */
import { type Service, testEvent, type WebhookPayload } from '@drawbridge/webhooks/events.ts';
import type { Environment } from '../platform/auth/principal.ts';
import type { Db } from '../platform/db/database.ts';
import { type Clock, newId, type RandomBytes } from '../platform/ids.ts';
import { testedChannel } from './endpoint-queue-store.ts';
import { addTestEvent, type DeliveryRow, findDelivery } from './store.ts';

interface TestTarget {
  readonly tenantId: string;
  readonly endpointId: string;
  readonly service: Service;
  readonly environment: Environment;
}

export interface TestDeliveries {
  /**
   * The test's delivery; still pending when it was not sent within the time or `signal` was
   * aborted.
   */
  send(target: TestTarget, signal: AbortSignal): Promise<DeliveryRow>;
  close(): Promise<void>;
}

export interface TestDeliveriesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly waitMs?: number;
}

const waitMsDefault = 20_000;

export async function openTestDeliveries(options: TestDeliveriesOptions): Promise<TestDeliveries> {
  const { db, clock, random, waitMs = waitMsDefault } = options;
  const waiting = new Map<string, () => void>();
  const listening = await db.listen(testedChannel, (eventId) => waiting.get(eventId)?.());

  function untilSent(eventId: string, signal: AbortSignal): Promise<void> {
    return new Promise((done) => {
      const end = () => {
        clearTimeout(timer);
        waiting.delete(eventId);
        signal.removeEventListener('abort', end);
        done();
      };
      const timer = setTimeout(end, waitMs);
      signal.addEventListener('abort', end);
      waiting.set(eventId, end);
    });
  }

  return {
    send: async ({ tenantId, endpointId, service, environment }, signal) => {
      const now = clock();
      const id = newId('evt', clock, random);
      const payload: WebhookPayload = {
        event: testEvent,
        id: endpointId,
        timestamp: now.toISOString(),
      };
      const sent = untilSent(id, signal);
      await db.tenant(tenantId, (tx) =>
        addTestEvent(tx, tenantId, endpointId, {
          id,
          environment,
          service,
          type: testEvent,
          subject_id: id,
          payload: JSON.stringify(payload),
          created_at: now,
        }),
      );
      await sent;
      const key = { environment, eventId: id, isHeld: false };
      const row = await db.tenant(tenantId, (tx) => findDelivery(tx, tenantId, endpointId, key));
      if (row === undefined) throw new Error('the test was deleted while it was sent');
      return row;
    },
    close: () => listening.stop(),
  };
}
