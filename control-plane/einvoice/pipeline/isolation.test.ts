import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { LeaseLost } from '../../platform/jobs/job.ts';
import { listParkedJobs, retryParkedJob } from '../../platform/jobs/parked-job-store.ts';
import { createLog } from '../../platform/log/log.ts';
import { advance } from './advance.ts';
import { addTenant, type PipelineHarness, startPipelineHarness } from './pipeline.kit.ts';
import { settleEach } from './settle-each.ts';
import { startPipeline } from './workers.ts';

let harness: PipelineHarness;
beforeAll(async () => {
  harness = await startPipelineHarness();
});
afterAll(() => harness.stop());
beforeEach(() => harness.reset());

const never = new AbortController().signal;
const silent = createLog({ level: 'silent' });

test('all are done before a fault of one is thrown', async () => {
  const done: number[] = [];
  const working = settleEach(silent, [1, 2, 3], async (item) => {
    if (item === 1) throw new Error('first');
    await new Promise((resolve) => setImmediate(resolve));
    done.push(item);
  });
  await expect(working).rejects.toThrow('first');
  expect(done).toEqual([2, 3]);
});

test('a lost lease is not a fault; the faults of several items are all thrown', async () => {
  await settleEach(silent, [1], () => Promise.reject(new LeaseLost('q')));
  const faults = settleEach(silent, [1, 2], (item) => Promise.reject(new Error(`no ${item}`)));
  await expect(faults).rejects.toThrow('Error: no 1; Error: no 2');
});

test('a source that hangs delays neither another source nor another tenant', async () => {
  const otherTenant = await addTenant(harness.kit, harness.clock);
  const otherConnector = await harness.addConnector(otherTenant);
  const hanging = await harness.addConnector(harness.tenantId);
  const slow = await harness.submit('AE', { connectorId: hanging });
  const quick = await harness.submit('AE');
  const foreign = await harness.submit('BE', {
    tenantId: otherTenant,
    connectorId: otherConnector,
  });
  const gate = Promise.withResolvers<void>();
  harness.standIns.read = async (tenant, row, ...rest) => {
    if (row.id === hanging) await gate.promise;
    return harness.readErp(tenant, row, ...rest);
  };
  const working = advance(harness.context, await harness.claim(), never);
  await reaches(harness, [quick, foreign], 'submitted');
  expect((await harness.invoice(slow)).state).toBe('validating');
  gate.resolve();
  await working;
  expect((await harness.invoice(slow)).state).toBe('submitted');
});

test('many sources of one tenant that hang hold four calls, and the others are tried again', async () => {
  const otherTenant = await addTenant(harness.kit, harness.clock);
  const otherConnector = await harness.addConnector(otherTenant);
  for (let source = 0; source < 8; source += 1) {
    await harness.submit('AE', { connectorId: await harness.addConnector(harness.tenantId) });
  }
  const foreign = await harness.submit('BE', {
    tenantId: otherTenant,
    connectorId: otherConnector,
  });
  const gate = Promise.withResolvers<void>();
  let hanging = 0;
  harness.standIns.read = async (tenant, row, ...rest) => {
    if (tenant === harness.tenantId) {
      hanging += 1;
      await gate.promise;
    }
    return harness.readErp(tenant, row, ...rest);
  };
  const working = advance(harness.context, await harness.claim(), never);
  await reaches(harness, [foreign], 'submitted');
  await expect
    .poll(async () => (await harness.jobs()).filter((job) => job.payload.firstFailedAt).length)
    .toBe(4);
  expect(hanging).toBe(4);
  gate.resolve();
  await working;
});

test('a source that cannot be opened counts as unreachable and does not affect others', async () => {
  const broken = await harness.addConnector(harness.tenantId);
  harness.standIns.read = async (tenant, row, ...rest) => {
    if (row.id === broken) throw new Error('the settings do not open');
    return harness.readErp(tenant, row, ...rest);
  };
  const ids = [await harness.submit('AE', { connectorId: broken }), await harness.submit('AE')];
  await harness.runDueJobs();
  const states = await Promise.all(ids.map(async (id) => (await harness.invoice(id)).state));
  expect(states).toEqual(['validating', 'submitted']);
  const waiting = (await harness.jobs()).find(({ key }) => key === ids[0]);
  expect(waiting!.payload.failures).toBe(1);
});

test('a document whose processing throws is tried again, and the others go on', async () => {
  const ids = [await harness.submit('AE', { ref: 'bad' }), await harness.submit('AE')];
  harness.standIns.read = async (tenant, row, refs, signal) => {
    const outcomes = await harness.readErp(tenant, row, refs, signal);
    return outcomes.map((outcome, index) => (refs[index] === 'bad' ? (null as never) : outcome));
  };
  await harness.runDueJobs();
  const states = await Promise.all(ids.map(async (id) => (await harness.invoice(id)).state));
  expect(states).toEqual(['validating', 'submitted']);
});

test('a document whose number is longer than any index takes keeps back no other', async () => {
  const ids = [await harness.submit('BE'), await harness.submit('BE')];
  const long = randomBytes(3_000).toString('base64');
  const { source_ref: ref } = await harness.invoice(ids[0]!);
  harness.standIns.read = async (...call) => {
    const outcomes = await harness.readErp(...call);
    return outcomes.map((outcome) => {
      if (outcome.kind !== 'found' || outcome.document.ref !== ref) return outcome;
      const { sections } = outcome.document;
      const header = sections.header!.map((row) => {
        return { ...row, values: { ...row.values, DOC_NO: long } };
      });
      return { ...outcome, document: { ...outcome.document, sections: { ...sections, header } } };
    });
  };
  await harness.runAllJobs();
  const [first, second] = await Promise.all(ids.map((id) => harness.invoice(id)));
  expect([first!.state, first!.number]).toEqual(['delivered', long.slice(0, 200)]);
  expect(second!.state).toBe('delivered');
});

test('a lease that one tenant lost does not stop the others', async () => {
  const otherTenant = await addTenant(harness.kit, harness.clock);
  const connectorId = await harness.addConnector(otherTenant);
  const lost = await harness.submit('AE');
  const kept = await harness.submit('AE', { tenantId: otherTenant, connectorId });
  const jobs = await harness.claim();
  await harness.sql('update job set claim_id = gen_random_uuid() where tenant_id = $1', [
    harness.tenantId,
  ]);
  await advance(harness.context, jobs, never);
  expect((await harness.invoice(lost)).state).toBe('validating');
  expect((await harness.invoice(kept)).state).toBe('submitted');
});

test('a fault at one authority does not affect the other’s documents', async () => {
  const ids = [await harness.submit('MY'), await harness.submit('AE')];
  const { authorities } = harness.context;
  const { submit } = authorities;
  authorities.submit = async (authority, ...rest) => {
    if (authority === 'myinvois') throw new Error('a bug of the adapter');
    return submit.call(authorities, authority, ...rest);
  };
  await expect(harness.runDueJobs()).rejects.toThrow('a bug of the adapter');
  Reflect.deleteProperty(authorities, 'submit');
  const states = await Promise.all(ids.map(async (id) => (await harness.invoice(id)).state));
  expect(states).toEqual(['validated', 'submitted']);
});

test('a job whose invoice is settled or missing ends', async () => {
  const id = await harness.submit('AE');
  await harness.runAllJobs();
  await harness.context.db.tenant(harness.tenantId, (tx) =>
    harness.context.jobs.enqueue(
      tx,
      harness.tenantId,
      [id, 'inv_none'].map((key) => ({ queue: 'invoice', key, runAt: harness.clock() })),
    ),
  );
  expect(await harness.runDueJobs()).toBe(2);
  expect((await harness.jobs()).filter(({ queue }) => queue === 'invoice')).toEqual([]);
});

test('a tenant is told of an invoice whose job is parked; it goes on when the job is retried', async () => {
  const id = await harness.submit('AE');
  await harness.sql(`update job set attempts = 150, run_at = '2000-01-01' where key = $1`, [id]);
  const pipeline = startPipeline(harness.context, {
    write: () => expect.fail('nothing is to be written back'),
  });
  await expect.poll(() => harness.states(id)).toEqual(['received', 'stalled']);
  await pipeline.stop(0);
  expect((await harness.invoice(id)).state).toBe('received');
  const { db } = harness.context;
  const { tenantId } = harness;
  const filter = { queue: 'invoice', tenantId, max: 10 };
  const [job] = await db.system((tx) => listParkedJobs(tx, filter));
  expect(job).toMatchObject({ key: id });
  await db.tenant(tenantId, (tx) => retryParkedJob(tx, tenantId, job!.id));
  await harness.runAllJobs();
  expect((await harness.states(id)).at(-1)).toBe('delivered');
});

async function reaches(on: PipelineHarness, ids: readonly string[], state: string): Promise<void> {
  for (const id of ids) {
    await expect.poll(async () => (await on.invoice(id)).state).toBe(state);
  }
}
