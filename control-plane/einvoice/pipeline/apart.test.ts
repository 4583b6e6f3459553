import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { LeaseLost } from '../../platform/jobs/job.ts';
import { createLog } from '../../platform/log/log.ts';
import { apart } from './apart.ts';
import { busy, Lanes } from './lanes.ts';
import { addTenant, type Stage, startStage } from './pipeline.kit.ts';
import { advance } from './pipeline.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());
beforeEach(() => stage.fresh());

const never = new AbortController().signal;
const silent = createLog({ level: 'silent' });

test('all are done before a fault of one is thrown', async () => {
  const done: number[] = [];
  const working = apart(silent, [1, 2, 3], async (item) => {
    if (item === 1) throw new Error('first');
    await new Promise((resolve) => setImmediate(resolve));
    done.push(item);
  });
  await expect(working).rejects.toThrow('first');
  expect(done).toEqual([2, 3]);
});

test('a lost lease is no fault; faults of several are all told', async () => {
  await apart(silent, [1], () => Promise.reject(new LeaseLost('q')));
  const faults = apart(silent, [1, 2], (item) => Promise.reject(new Error(`no ${item}`)));
  await expect(faults).rejects.toThrow('Error: no 1; Error: no 2');
});

test('a place takes so many calls at once, and hands its turns on in their order', async () => {
  const lanes = new Lanes(2, 60_000);
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const begun: number[] = [];
  const calls = gates.map((gate, index) =>
    lanes.through('erp', () => {
      begun.push(index);
      return gate.promise;
    }),
  );
  const elsewhere = await lanes.through('other', async () => 'at once');
  expect([elsewhere, begun]).toEqual(['at once', [0, 1]]);
  gates[1]!.resolve();
  await calls[1];
  expect(begun).toEqual([0, 1, 2]);
  for (const gate of gates) gate.resolve();
  await Promise.all(calls);
  expect(begun).toEqual([0, 1, 2, 3]);
});

test('who waits too long for a turn is told; a call that throws gives its turn back', async () => {
  const lanes = new Lanes(1, 0);
  const gate = Promise.withResolvers<void>();
  const first = lanes.through('erp', () => gate.promise);
  expect(await lanes.through('erp', async () => 'done')).toBe(busy);
  gate.reject(new Error('down'));
  await expect(first).rejects.toThrow('down');
  expect(await lanes.through('erp', async () => 'done')).toBe('done');
});

test('a source that hangs holds up neither another source nor another tenant', async () => {
  const otherTenant = await addTenant(stage.kit, stage.clock);
  const otherConnector = await stage.addConnector(otherTenant);
  const hanging = await stage.addConnector(stage.tenantId);
  const slow = await stage.submit('AE', { connectorId: hanging });
  const quick = await stage.submit('AE');
  const foreign = await stage.submit('BE', { tenantId: otherTenant, connectorId: otherConnector });
  const gate = Promise.withResolvers<void>();
  stage.moods.read = async (tenant, row, ...rest) => {
    if (row.id === hanging) await gate.promise;
    return stage.readErp(tenant, row, ...rest);
  };
  const working = advance(stage.context, await stage.claim(), never);
  await reaches(stage, [quick, foreign], 'submitted');
  expect((await stage.invoice(slow)).state).toBe('validating');
  gate.resolve();
  await working;
  expect((await stage.invoice(slow)).state).toBe('submitted');
});

test('a source that cannot be opened is one that does not answer, and harms no other', async () => {
  const broken = await stage.addConnector(stage.tenantId);
  stage.moods.read = async (tenant, row, ...rest) => {
    if (row.id === broken) throw new Error('the settings do not open');
    return stage.readErp(tenant, row, ...rest);
  };
  const ids = [await stage.submit('AE', { connectorId: broken }), await stage.submit('AE')];
  await stage.turn();
  const states = await Promise.all(ids.map(async (id) => (await stage.invoice(id)).state));
  expect(states).toEqual(['validating', 'submitted']);
  const waiting = (await stage.jobs()).find(({ key }) => key === ids[0]);
  expect(waiting!.payload.tries).toBe(1);
});

test('a document that we cannot digest is tried again, those beside it go on', async () => {
  const ids = [await stage.submit('AE', { ref: 'bad' }), await stage.submit('AE')];
  stage.moods.read = async (tenant, row, refs, signal) => {
    const outcomes = await stage.readErp(tenant, row, refs, signal);
    return outcomes.map((outcome, index) => (refs[index] === 'bad' ? (null as never) : outcome));
  };
  await stage.turn();
  const states = await Promise.all(ids.map(async (id) => (await stage.invoice(id)).state));
  expect(states).toEqual(['validating', 'submitted']);
});

test('a lease that one tenant lost does not stop the others', async () => {
  const otherTenant = await addTenant(stage.kit, stage.clock);
  const connectorId = await stage.addConnector(otherTenant);
  const lost = await stage.submit('AE');
  const kept = await stage.submit('AE', { tenantId: otherTenant, connectorId });
  const jobs = await stage.claim();
  await stage.sql('update job set claim_id = gen_random_uuid() where tenant_id = $1', [
    stage.tenantId,
  ]);
  await advance(stage.context, jobs, never);
  expect((await stage.invoice(lost)).state).toBe('validating');
  expect((await stage.invoice(kept)).state).toBe('submitted');
});

test('a fault at one authority leaves the other’s documents alone', async () => {
  const ids = [await stage.submit('MY'), await stage.submit('AE')];
  const { authorities } = stage.context;
  const { submit } = authorities;
  authorities.submit = async (authority, ...rest) => {
    if (authority === 'myinvois') throw new Error('a bug of the adapter');
    return submit.call(authorities, authority, ...rest);
  };
  await expect(stage.turn()).rejects.toThrow('a bug of the adapter');
  Reflect.deleteProperty(authorities, 'submit');
  const states = await Promise.all(ids.map(async (id) => (await stage.invoice(id)).state));
  expect(states).toEqual(['validated', 'submitted']);
});

test('a job whose invoice is settled, or not there at all, ends', async () => {
  const id = await stage.submit('AE');
  await stage.settle();
  await stage.context.db.tenant(stage.tenantId, (tx) =>
    stage.context.jobs.enqueue(
      tx,
      stage.tenantId,
      [id, 'inv_none'].map((key) => ({ queue: 'invoice', key, runAt: stage.clock() })),
    ),
  );
  expect(await stage.turn()).toBe(2);
  expect((await stage.jobs()).filter(({ queue }) => queue === 'invoice')).toEqual([]);
});

async function reaches(on: Stage, ids: readonly string[], state: string): Promise<void> {
  for (const id of ids) {
    await expect.poll(async () => (await on.invoice(id)).state, { timeout: 20_000 }).toBe(state);
  }
}
