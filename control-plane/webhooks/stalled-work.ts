import {
  type Service,
  stalledWorkEvent,
  type WebhookPayload,
} from '@drawbridge/webhooks/events.ts';
import type { Environment } from '../platform/auth/principal.ts';
import type { Tx } from '../platform/db/tx.ts';
import { type Clock, newId, type RandomBytes } from '../platform/ids.ts';
import type { Job } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { addEvents } from './store.ts';

const reason = 'The service could not do this and has stopped trying; its operator was told.';
const environments: readonly Environment[] = ['live', 'sandbox'];

/** The jobs, of which each that is parked is told to its tenant, unless its worker tells more. */
export function tellStalledWork(
  jobs: Jobs,
  service: Service,
  { clock, random }: { readonly clock: Clock; readonly random: RandomBytes },
): Jobs {
  const parked = async (tx: Tx, { tenantId, queue, key, payload }: Job<unknown>): Promise<void> => {
    const now = clock();
    const told: WebhookPayload = {
      event: stalledWorkEvent,
      id: key,
      timestamp: now.toISOString(),
      data: { reason, queue },
    };
    const { environment } = (payload ?? {}) as { readonly environment?: Environment };
    const events = environments
      .filter((each) => environment === undefined || environment === each)
      .map((each) => ({
        id: newId('evt', () => now, random),
        environment: each,
        service,
        type: stalledWorkEvent,
        subject_id: key,
        payload: JSON.stringify(told),
        created_at: now,
      }));
    await addEvents(tx, tenantId, events);
  };
  return { ...jobs, work: (options) => jobs.work({ parked, ...options }) };
}
