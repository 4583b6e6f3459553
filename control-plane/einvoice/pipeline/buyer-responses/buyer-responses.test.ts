import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../../test/kit/eventually.ts';
import { claimPollTurn } from '../../network-messages/store.ts';
import { addTenant, hours, type PipelineHarness, startPipelineHarness } from '../pipeline.kit.ts';
import { receiveResponses, startResponsePolling } from './buyer-responses.ts';

let harness: PipelineHarness;
beforeAll(async () => {
  harness = await startPipelineHarness();
});
afterAll(() => harness.stop());
beforeEach(() => harness.reset());

const hear = () => receiveResponses(harness.context, 'sandbox');

async function answer(id: string, ...codes: string[]): Promise<void> {
  const { submission_key } = await harness.invoice(id);
  for (const code of codes) {
    harness.advance(1_000);
    harness.peppol.respond(submission_key, code);
  }
}

async function settled(company: 'AE' | 'BE' | 'MY'): Promise<string> {
  const id = await harness.submit(company);
  await harness.runAllJobs();
  await harness.runAllJobs('forward');
  return id;
}

test.each(['AE', 'BE', 'MY'] as const)(
  '%s: an invoice that the buyer accepts is acknowledged, with one event',
  async (company) => {
    const id = await settled(company);
    const before = (await harness.states(id)).at(-1);
    await answer(id, 'AB', 'AP', 'PD');
    await hear();
    await hear();
    expect((await harness.states(id)).slice(-2)).toEqual([before, 'acknowledged']);
    expect((await harness.invoice(id)).buyer_response).toMatchObject({
      code: 'PD',
      status: 'paid',
    });
  },
);

test('a rejection by the buyer is shown next to the state until they answer otherwise', async () => {
  const id = await settled('AE');
  await answer(id, 'IP', 'RE');
  await hear();
  const { state, buyer_response } = await harness.invoice(id);
  expect(state).toBe('delivered');
  expect(buyer_response).toEqual({
    code: 'RE',
    status: 'rejected',
    at: harness.clock().toISOString(),
  });
  await answer(id, 'CA');
  await hear();
  expect((await harness.invoice(id)).state).toBe('acknowledged');
});

test('an answer that comes before its invoice is delivered is not lost', async () => {
  harness.peppol.receiver('0235:1008765432', 'mls-never');
  const id = await harness.submit('AE');
  await harness.runDueJobs();
  await answer(id, 'AP');
  await hear();
  expect(await harness.invoice(id)).toMatchObject({ state: 'submitted', buyer_response: null });
  await harness.context.db.tenant(harness.tenantId, (tx) =>
    tx.run(`update invoice set state = 'delivered' where id = $1`, [id]),
  );
  await hear();
  expect((await harness.invoice(id)).state).toBe('acknowledged');
});

test('an answer is for its own seller and environment, also when others use the same number', async () => {
  const otherTenant = await addTenant(harness.kit, harness.clock);
  const connectorId = await harness.addConnector(otherTenant);
  const id = await harness.submit('AE');
  const theirs = await harness.submit('BE', { tenantId: otherTenant, connectorId });
  await harness.runAllJobs();
  const { number } = await harness.invoice(id);
  await harness.context.db.tenant(otherTenant, (tx) =>
    tx.run('update invoice set number = $2 where id = $1', [theirs, number]),
  );
  await answer(id, 'AP');
  await receiveResponses(harness.context, 'live');
  expect((await harness.invoice(id)).state).toBe('delivered');
  await hear();
  expect((await harness.invoice(id)).state).toBe('acknowledged');
  expect((await harness.invoice(theirs)).state).toBe('delivered');
});

test('an answer about an unknown invoice is looked at once', async () => {
  const id = await settled('AE');
  await harness.context.db.tenant(harness.tenantId, (tx) =>
    tx.run(`update invoice set number = 'other' where id = $1`, [id]),
  );
  await answer(id, 'AP');
  await hear();
  await harness.context.db.tenant(harness.tenantId, (tx) =>
    tx.run('update invoice set number = source_ref where id = $1', [id]),
  );
  await hear();
  expect((await harness.invoice(id)).state).toBe('delivered');
});

test('networks are asked for answers at intervals', async () => {
  const ids = [await settled('AE'), await settled('BE')];
  const listening = startResponsePolling(harness.context, 60);
  for (const id of ids) {
    await answer(id, 'AP');
    await eventually(async () => expect((await harness.invoice(id)).state).toBe('acknowledged'));
  }
  await listening.stop();
});

test('one node at a time asks a network', async () => {
  const turns = () =>
    harness.context.db.system((tx) => claimPollTurn(tx, 'sandbox', 'test', 24 * hours));
  const taken = await Promise.all([turns(), turns(), turns()]);
  expect(taken.filter(Boolean)).toHaveLength(1);
  await harness.sql(`update authority_poll set due_at = now() where authority = 'test'`);
  expect(await turns()).toBe(true);
});
