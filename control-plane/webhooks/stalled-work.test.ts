import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../test/kit/eventually.ts';
import { sqlAt } from '../../test/kit/postgres.ts';
import { openJobs } from '../platform/jobs/jobs.ts';
import { type Kit, startKit } from './delivery.kit.ts';
import { tellStalledWork } from './stalled-work.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit(() => new Date());
});
afterAll(() => kit.stop());

test.each(['messaging', 'einvoice'] as const)(
  'a job of %s that is parked is told to the endpoints of its service and environment',
  async (service) => {
    const { db, log, metrics } = kit.options;
    const { id } = await kit.endpoint('http://127.0.0.1:9/', { service });
    const other = await kit.endpoint('http://127.0.0.1:9/', { service, environment: 'live' });
    const queue = `q-${service}`;
    const opened = await openJobs({ db, log, metrics, newClaimId: randomUUID, lossesMax: 2 });
    const jobs = tellStalledWork(opened, service, kit.options);
    await db.tenant(kit.tenantId, (tx) =>
      jobs.enqueue(tx, kit.tenantId, [
        { queue, key: 'call_1', payload: { environment: 'sandbox' } },
      ]),
    );
    await sqlAt(kit.test.url, 'update job set losses = 2 where queue = $1', [queue]);
    const worker = jobs.work({ queue, batch: 1, concurrency: 1, handler: async () => {} });
    await eventually(async () => {
      const told = await sqlAt(
        kit.test.url,
        `select d.endpoint_id, e.environment, e.type, e.subject_id, e.payload -> 'data' ->> 'queue' as queue
         from webhook_delivery d join webhook_event e on e.id = d.event_id
         where d.endpoint_id = any ($1)`,
        [[id, other.id]],
      );
      expect(told).toEqual([
        {
          endpoint_id: id,
          environment: 'sandbox',
          type: 'work.stalled',
          subject_id: 'call_1',
          queue,
        },
      ]);
    });
    await worker.stop(0);
    await opened.close();
  },
);
