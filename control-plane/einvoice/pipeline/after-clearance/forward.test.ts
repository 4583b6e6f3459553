import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Job } from '../../../platform/jobs/job.ts';
import { hours, type PipelineHarness, startPipelineHarness } from '../pipeline.kit.ts';
import { type ForwardJobPayload, forward } from './forward.ts';

let harness: PipelineHarness;
beforeAll(async () => {
  harness = await startPipelineHarness();
});
afterAll(() => harness.stop());
beforeEach(() => harness.reset());

async function cleared(): Promise<string> {
  const id = await harness.submit('MY');
  await harness.runAllJobs();
  expect((await harness.invoice(id)).state).toBe('cleared');
  return id;
}

const arrived = async (id: string) => {
  const { submission_key } = await harness.invoice(id);
  return harness.peppol.deliveries(submission_key);
};
/** The buyer of the company MY. */
const malaysianBuyer = '0230:c2584563200';
const waiting = async () =>
  (await harness.jobs()).filter(({ queue }) => queue === 'forward').length;

test('a cleared document goes to its buyer with its identifier, once', async () => {
  const id = await cleared();
  expect(await arrived(id)).toEqual([]);
  await harness.runAllJobs('forward');
  const { final } = await harness.content(id);
  const hash = createHash('sha256').update(final!).digest('hex');
  expect(await arrived(id)).toMatchObject([{ hash, discarded: 0 }]);
  const { state, forwarding } = await harness.invoice(id);
  // In a clearance market the buyer's receipt is not a state of the invoice.
  expect([state, forwarding?.status]).toEqual(['cleared', 'delivered']);
  expect(await harness.states(id)).not.toContain('delivered');
});

test('a document that was not cleared is not forwarded', async () => {
  const id = await harness.submit('MY', { change: { header: { DOC_NO: 'MY-8-CF404' } } });
  await harness.runAllJobs();
  expect((await harness.invoice(id)).state).toBe('rejected');
  expect(await waiting()).toBe(0);
});

test.each(['cut-after', 'cut-before', 503, 500] as const)(
  'when the access point meets %s, it goes once all the same',
  async (kind) => {
    const id = await cleared();
    harness.peppol.fault({ call: 'submit', kind, times: 1 });
    await harness.runDueJobs('forward');
    expect((await harness.invoice(id)).forwarding?.status).toBe('waiting');
    await harness.runAllJobs('forward');
    expect((await harness.invoice(id)).forwarding?.status).toBe('delivered');
    expect(await arrived(id)).toMatchObject([{ discarded: 0 }]);
  },
);

test('a worker that dies after sending leaves no second copy', async () => {
  const id = await cleared();
  const jobs = await harness.claim('forward');
  const { authorities } = harness.context;
  const { submit } = authorities;
  authorities.submit = async (...call) => {
    const outcomes = await submit.apply(authorities, call);
    await harness.expireLeases();
    return outcomes;
  };
  await forward(harness.context, jobs as readonly Job<ForwardJobPayload>[]);
  Reflect.deleteProperty(authorities, 'submit');
  expect((await harness.invoice(id)).forwarding?.status).toBe('waiting');
  harness.advance(hours);
  await harness.runAllJobs('forward');
  expect((await harness.invoice(id)).forwarding?.status).toBe('delivered');
  expect(await arrived(id)).toMatchObject([{ discarded: 0 }]);
});

test('a buyer that the network does not know is shown, and the invoice stays cleared', async () => {
  const id = await cleared();
  const { submission_key } = await harness.invoice(id);
  harness.peppol.receiver(malaysianBuyer, 'unregistered');
  await harness.runAllJobs('forward');
  const { state, forwarding } = await harness.invoice(id);
  expect(state).toBe('cleared');
  expect(forwarding).toMatchObject({ status: 'refused', errors: [{ code: expect.any(String) }] });
  expect(harness.peppol.deliveries(submission_key)).toEqual([]);
});

test('without an access point nothing is forwarded and no job waits', async () => {
  const id = await cleared();
  Reflect.deleteProperty(harness.endpoints, 'peppol');
  await harness.runDueJobs('forward');
  expect((await harness.invoice(id)).forwarding?.status).toBe('off');
  expect(await waiting()).toBe(0);
});

test('a document cancelled before it was forwarded is not sent', async () => {
  const id = await cleared();
  await harness.context.db.tenant(harness.tenantId, (tx) =>
    tx.run(`update invoice set authority_status = 'cancelled' where id = $1`, [id]),
  );
  await harness.runDueJobs('forward');
  expect((await harness.invoice(id)).forwarding?.status).toBe('withheld');
  expect([await waiting(), await arrived(id)]).toEqual([0, []]);
});
