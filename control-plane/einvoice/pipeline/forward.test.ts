import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Job } from '../../platform/jobs/job.ts';
import { type ForwardJob, forward } from './forward.ts';
import { hours, type Stage, startStage } from './pipeline.kit.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());
beforeEach(() => stage.fresh());

async function cleared(): Promise<string> {
  const id = await stage.submit('MY');
  await stage.settle();
  expect((await stage.invoice(id)).state).toBe('cleared');
  return id;
}

const arrived = async (id: string) => {
  const { submission_key } = await stage.invoice(id);
  return stage.peppol.deliveries(submission_key);
};
/** The buyer of the company MY. */
const malaysianBuyer = '0230:c2584563200';
const waiting = async () => (await stage.jobs()).filter(({ queue }) => queue === 'forward').length;

test('a cleared document goes to its buyer with its identifier, once', async () => {
  const id = await cleared();
  expect(await arrived(id)).toEqual([]);
  await stage.settle('forward');
  const { final } = await stage.content(id);
  const hash = createHash('sha256').update(final!).digest('hex');
  expect(await arrived(id)).toMatchObject([{ hash, discarded: 0 }]);
  const { state, forwarding } = await stage.invoice(id);
  // The buyer's receipt is no state of a clearance market.
  expect([state, forwarding?.status]).toEqual(['cleared', 'delivered']);
  expect(await stage.states(id)).not.toContain('delivered');
});

test('a document that was not cleared goes to nobody', async () => {
  const id = await stage.submit('MY', { change: { header: { DOC_NO: 'MY-8-CF404' } } });
  await stage.settle();
  expect((await stage.invoice(id)).state).toBe('rejected');
  expect(await waiting()).toBe(0);
});

test.each(['cut-after', 'cut-before', 503, 500] as const)(
  'when the access point meets %s, it goes once all the same',
  async (kind) => {
    const id = await cleared();
    stage.peppol.fault({ call: 'submit', kind, times: 1 });
    await stage.turn('forward');
    expect((await stage.invoice(id)).forwarding?.status).toBe('waiting');
    await stage.settle('forward');
    expect((await stage.invoice(id)).forwarding?.status).toBe('delivered');
    expect(await arrived(id)).toMatchObject([{ discarded: 0 }]);
  },
);

test('a worker that dies after sending leaves no second copy', async () => {
  const id = await cleared();
  const jobs = await stage.claim('forward');
  const { authorities } = stage.context;
  const { submit } = authorities;
  authorities.submit = async (...call) => {
    const outcomes = await submit.apply(authorities, call);
    await stage.abandon();
    return outcomes;
  };
  await forward(stage.context, jobs as readonly Job<ForwardJob>[]);
  Reflect.deleteProperty(authorities, 'submit');
  expect((await stage.invoice(id)).forwarding?.status).toBe('waiting');
  stage.advance(hours);
  await stage.settle('forward');
  expect((await stage.invoice(id)).forwarding?.status).toBe('delivered');
  expect(await arrived(id)).toMatchObject([{ discarded: 0 }]);
});

test('a buyer that the network does not know is told, and the invoice stays cleared', async () => {
  const id = await cleared();
  const { submission_key } = await stage.invoice(id);
  stage.peppol.receiver(malaysianBuyer, 'unregistered');
  await stage.settle('forward');
  const { state, forwarding } = await stage.invoice(id);
  expect(state).toBe('cleared');
  expect(forwarding).toMatchObject({ status: 'refused', errors: [{ code: expect.any(String) }] });
  expect(stage.peppol.deliveries(submission_key)).toEqual([]);
});

test('without an access point nothing is sent and nothing waits', async () => {
  const id = await cleared();
  Reflect.deleteProperty(stage.endpoints, 'peppol');
  await stage.turn('forward');
  expect((await stage.invoice(id)).forwarding?.status).toBe('off');
  expect(await waiting()).toBe(0);
});

test('what was cancelled before it went is kept back', async () => {
  const id = await cleared();
  await stage.context.db.tenant(stage.tenantId, (tx) =>
    tx.run(`update invoice set authority_status = 'cancelled' where id = $1`, [id]),
  );
  await stage.turn('forward');
  expect((await stage.invoice(id)).forwarding?.status).toBe('withheld');
  expect([await waiting(), await arrived(id)]).toEqual([0, []]);
});
