import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { erpDate } from '../../../../scripts/demo/erp-documents.ts';
import { hours, type PipelineHarness, startPipelineHarness } from '../pipeline.kit.ts';
import { applyTransitions } from '../transitions.ts';

let harness: PipelineHarness;
beforeAll(async () => {
  harness = await startPipelineHarness();
});
afterAll(() => harness.stop());
beforeEach(() => harness.reset());

async function cleared(number?: string): Promise<string> {
  const change = number === undefined ? {} : { header: { DOC_NO: number } };
  const id = await harness.submit('MY', { change });
  await harness.runAllJobs();
  expect((await harness.invoice(id)).state).toBe('cleared');
  return id;
}

async function acknowledgeByClient(id: string): Promise<void> {
  const invoice = await harness.invoice(id);
  const { random, metrics } = harness.context;
  const at = { now: harness.clock(), random, metrics };
  await harness.context.db.tenant(harness.tenantId, (tx) =>
    applyTransitions(tx, harness.tenantId, [{ invoice, trigger: 'acknowledge' }], at),
  );
}

const waiting = async () =>
  (await harness.jobs()).filter(({ queue }) => queue === 'acknowledge').length;

test('a cleared document is acknowledged at the end of its window, and no sooner', async () => {
  const id = await cleared();
  const { cancellable_until } = await harness.invoice(id);
  harness.advance(cancellable_until!.getTime() - harness.clock().getTime() - 1_000);
  expect(await harness.runDueJobs('acknowledge')).toBe(0);
  harness.advance(1_000);
  expect(await harness.runDueJobs('acknowledge')).toBe(1);
  expect((await harness.states(id)).slice(-2)).toEqual(['cleared', 'acknowledged']);
  expect(await waiting()).toBe(0);
});

test('a job that is due by the database’s clock before the window has ended waits again', async () => {
  const id = await cleared();
  await harness.expireLeases();
  await harness.runDueJobs('acknowledge');
  expect((await harness.invoice(id)).state).toBe('cleared');
  expect(await waiting()).toBe(1);
});

test('one that was cancelled or rejected on the portal stays cleared, and says so', async () => {
  const id = await cleared();
  const { uin } = await harness.invoice(id);
  expect(harness.myinvois.rejectAsBuyer(uin!, 'Wrong quantity')).toBe(200);
  harness.advance(73 * hours);
  await harness.runDueJobs('acknowledge');
  expect(await harness.invoice(id)).toMatchObject({
    state: 'cleared',
    authority_status: 'rejection-requested',
  });
  expect(await waiting()).toBe(0);
});

test('one that was cancelled is told and confirmed once it is asked for, also within its window', async () => {
  const id = await cleared();
  await harness.runAllJobs('write-back');
  const ask = () =>
    harness.context.db.tenant(harness.tenantId, (tx) =>
      harness.context.jobs.runNow(tx, harness.tenantId, 'acknowledge', [id]),
    );
  await ask();
  await harness.expireLeases();
  await harness.runDueJobs('acknowledge');
  expect([(await harness.invoice(id)).authority_status, await waiting()]).toEqual(['valid', 1]);
  const { uin } = await harness.invoice(id);
  harness.myinvois.documents().find(({ uuid }) => uuid === uin)!.status = 'Cancelled';
  harness.advance(600_000);
  await ask();
  await harness.expireLeases();
  await harness.runDueJobs('acknowledge');
  expect(await harness.invoice(id)).toMatchObject({
    state: 'cleared',
    authority_status: 'cancelled',
  });
  expect(await waiting()).toBe(0);
  await harness.runAllJobs('write-back');
  expect((await harness.invoice(id)).write_back).toMatchObject({
    outcome: 'written',
    status: 'cancelled',
  });
  expect(
    harness.erp.rows(`select status from einv_status_sandbox where invoice_id = '${id}'`),
  ).toEqual([{ status: 'cancelled' }]);
  const told = await harness.states(id);
  expect(told.filter((event) => /cancelled/.test(event))).toHaveLength(1);
});

test('many hints are one question in ten minutes', async () => {
  const id = await cleared();
  const lookUp = vi.spyOn(harness.context.authorities, 'lookUp');
  const hint = async () => {
    await harness.context.db.tenant(harness.tenantId, (tx) =>
      harness.context.jobs.runNow(tx, harness.tenantId, 'acknowledge', [id]),
    );
    await harness.expireLeases();
    await harness.runDueJobs('acknowledge');
  };
  for (let time = 0; time < 5; time += 1) {
    await hint();
    harness.advance(60_000);
  }
  expect(lookUp).toHaveBeenCalledTimes(1);
  // The last of them is followed when its time has come.
  harness.advance(5 * 60_000);
  await harness.runDueJobs('acknowledge');
  expect(lookUp).toHaveBeenCalledTimes(2);
  // At the end of the time to cancel it is asked in any case.
  const { cancellable_until } = await harness.invoice(id);
  harness.advance(cancellable_until!.getTime() - harness.clock().getTime() - 60_000);
  await hint();
  harness.advance(60_000);
  await harness.runDueJobs('acknowledge');
  expect((await harness.invoice(id)).state).toBe('acknowledged');
  lookUp.mockRestore();
});

test('one that a client acknowledged, and cancelled afterwards, is told as well', async () => {
  const id = await cleared();
  await acknowledgeByClient(id);
  const { uin } = await harness.invoice(id);
  harness.myinvois.documents().find(({ uuid }) => uuid === uin)!.status = 'Cancelled';
  await harness.runAllJobs('acknowledge');
  expect(await harness.invoice(id)).toMatchObject({
    state: 'acknowledged',
    authority_status: 'cancelled',
  });
  await harness.runAllJobs('write-back');
  expect((await harness.invoice(id)).write_back).toMatchObject({ status: 'cancelled' });
  expect((await harness.states(id)).filter((event) => /cancelled/.test(event))).toHaveLength(1);
});

test('one that another connector brings again is asked for at once, as it may have been cancelled', async () => {
  const number = 'BROUGHT-AGAIN';
  const ref = await harness.erp.add('MY', {
    header: { DOC_NO: number, DOC_DATE: erpDate(harness.clock()) },
  });
  const id = await harness.submit('MY', { ref });
  await harness.runAllJobs();
  const { uin } = await harness.invoice(id);
  harness.myinvois.documents().find(({ uuid }) => uuid === uin)!.status = 'Cancelled';
  const connectorId = await harness.addConnector(harness.tenantId, 'reject');
  const refused = await harness.submit('MY', { ref, connectorId });
  await harness.runAllJobs();
  expect(await harness.invoice(refused)).toMatchObject({
    state: 'rejected',
    duplicate_of: id,
    errors: [{ message: expect.stringContaining('submit this one again') }],
  });
  await harness.expireLeases();
  await harness.runDueJobs('acknowledge');
  const again = await harness.submit('MY', { ref, connectorId });
  await harness.runAllJobs();
  expect(await harness.invoice(again)).toMatchObject({ state: 'cleared', duplicate_of: null });
});

test('an authority that does not answer is asked again', async () => {
  const id = await cleared();
  harness.advance(73 * hours);
  harness.myinvois.fault({ call: 'submission', kind: 503, times: 1 });
  await harness.runDueJobs('acknowledge');
  expect((await harness.invoice(id)).state).toBe('cleared');
  await harness.runAllJobs('acknowledge');
  expect((await harness.invoice(id)).state).toBe('acknowledged');
});

test('an invoice that a client acknowledged before is not acknowledged twice', async () => {
  const id = await cleared();
  await acknowledgeByClient(id);
  await harness.runAllJobs('acknowledge');
  const states = await harness.states(id);
  expect(states.filter((state) => state === 'acknowledged')).toHaveLength(1);
});
