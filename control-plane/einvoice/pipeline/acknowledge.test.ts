import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hours, type Stage, startStage } from './pipeline.kit.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());
beforeEach(() => stage.fresh());

async function cleared(number?: string): Promise<string> {
  const change = number === undefined ? {} : { header: { DOC_NO: number } };
  const id = await stage.submit('MY', { change });
  await stage.settle();
  expect((await stage.invoice(id)).state).toBe('cleared');
  return id;
}

const waiting = async () =>
  (await stage.jobs()).filter(({ queue }) => queue === 'acknowledge').length;

test('a cleared document is acknowledged at the end of its window, and no sooner', async () => {
  const id = await cleared();
  const { cancellable_until } = await stage.invoice(id);
  stage.advance(cancellable_until!.getTime() - stage.clock().getTime() - 1_000);
  expect(await stage.turn('acknowledge')).toBe(0);
  stage.advance(1_000);
  expect(await stage.turn('acknowledge')).toBe(1);
  expect((await stage.states(id)).slice(-2)).toEqual(['cleared', 'acknowledged']);
  expect(await waiting()).toBe(0);
});

test('a job that the database finds due before the window has ended goes back to rest', async () => {
  const id = await cleared();
  await stage.abandon();
  await stage.turn('acknowledge');
  expect((await stage.invoice(id)).state).toBe('cleared');
  expect(await waiting()).toBe(1);
});

test('one that was cancelled or rejected on the portal stays cleared, and says so', async () => {
  const id = await cleared();
  const { uin } = await stage.invoice(id);
  expect(stage.myinvois.rejectAsBuyer(uin!, 'Wrong quantity')).toBe(200);
  stage.advance(73 * hours);
  await stage.turn('acknowledge');
  expect(await stage.invoice(id)).toMatchObject({
    state: 'cleared',
    authority_status: 'rejection-requested',
  });
  expect(await waiting()).toBe(0);
});

test('an authority that does not answer at that moment is asked again', async () => {
  const id = await cleared();
  stage.advance(73 * hours);
  stage.myinvois.fault({ call: 'submission', kind: 503, times: 1 });
  await stage.turn('acknowledge');
  expect((await stage.invoice(id)).state).toBe('cleared');
  await stage.settle('acknowledge');
  expect((await stage.invoice(id)).state).toBe('acknowledged');
});

test('what a client has acknowledged before needs no second time', async () => {
  const id = await cleared();
  const { makeMoves } = await import('./transition.ts');
  const invoice = await stage.invoice(id);
  const edge = { now: stage.clock(), random: stage.context.random };
  await stage.context.db.tenant(stage.tenantId, (tx) =>
    makeMoves(tx, stage.tenantId, [{ invoice, trigger: 'acknowledge' }], edge),
  );
  await stage.settle('acknowledge');
  const states = await stage.states(id);
  expect(states.filter((state) => state === 'acknowledged')).toHaveLength(1);
});
