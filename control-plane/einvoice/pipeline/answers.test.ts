import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../test/kit/eventually.ts';
import { takeTurn } from './answer-store.ts';
import { listen, startListening } from './answers.ts';
import { addTenant, hours, type Stage, startStage } from './pipeline.kit.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());
beforeEach(() => stage.fresh());

const hear = () => listen(stage.context, 'sandbox');

async function answer(id: string, ...codes: string[]): Promise<void> {
  const { submission_key } = await stage.invoice(id);
  for (const code of codes) {
    stage.advance(1_000);
    stage.peppol.respond(submission_key, code);
  }
}

async function settled(company: 'AE' | 'BE' | 'MY'): Promise<string> {
  const id = await stage.submit(company);
  await stage.settle();
  await stage.settle('forward');
  return id;
}

test.each(['AE', 'BE', 'MY'] as const)(
  '%s: what the buyer accepts is acknowledged, told once',
  async (company) => {
    const id = await settled(company);
    const before = (await stage.states(id)).at(-1);
    await answer(id, 'AB', 'AP', 'PD');
    await hear();
    await hear();
    expect((await stage.states(id)).slice(-2)).toEqual([before, 'acknowledged']);
    expect((await stage.invoice(id)).buyer_response).toMatchObject({ code: 'PD', status: 'paid' });
  },
);

test('a rejection by the buyer stands beside the state, until he says otherwise', async () => {
  const id = await settled('AE');
  await answer(id, 'IP', 'RE');
  await hear();
  const { state, buyer_response } = await stage.invoice(id);
  expect(state).toBe('delivered');
  expect(buyer_response).toEqual({
    ...{ code: 'RE', status: 'rejected', at: stage.clock().toISOString() },
  });
  await answer(id, 'CA');
  await hear();
  expect((await stage.invoice(id)).state).toBe('acknowledged');
});

test('an answer that comes before its invoice is delivered is not lost', async () => {
  stage.peppol.receiver('0235:1008765432', 'mls-never');
  const id = await stage.submit('AE');
  await stage.turn();
  await answer(id, 'AP');
  await hear();
  expect(await stage.invoice(id)).toMatchObject({ state: 'submitted', buyer_response: null });
  await stage.context.db.tenant(stage.tenantId, (tx) =>
    tx.run(`update invoice set state = 'delivered' where id = $1`, [id]),
  );
  await hear();
  expect((await stage.invoice(id)).state).toBe('acknowledged');
});

test('an answer is for its own seller and environment, whoever uses the same number', async () => {
  const otherTenant = await addTenant(stage.kit, stage.clock);
  const connectorId = await stage.addConnector(otherTenant);
  const id = await stage.submit('AE');
  const theirs = await stage.submit('BE', { tenantId: otherTenant, connectorId });
  await stage.settle();
  const { number } = await stage.invoice(id);
  await stage.context.db.tenant(otherTenant, (tx) =>
    tx.run('update invoice set number = $2 where id = $1', [theirs, number]),
  );
  await answer(id, 'AP');
  await listen(stage.context, 'live');
  expect((await stage.invoice(id)).state).toBe('delivered');
  await hear();
  expect((await stage.invoice(id)).state).toBe('acknowledged');
  expect((await stage.invoice(theirs)).state).toBe('delivered');
});

test('an answer about nothing we know is looked at once', async () => {
  const id = await settled('AE');
  await stage.context.db.tenant(stage.tenantId, (tx) =>
    tx.run(`update invoice set number = 'other' where id = $1`, [id]),
  );
  await answer(id, 'AP');
  await hear();
  await stage.context.db.tenant(stage.tenantId, (tx) =>
    tx.run('update invoice set number = source_ref where id = $1', [id]),
  );
  await hear();
  expect((await stage.invoice(id)).state).toBe('delivered');
});

test('answers are listened for, again and again', async () => {
  const ids = [await settled('AE'), await settled('BE')];
  const listening = startListening(stage.context, 60);
  for (const id of ids) {
    await answer(id, 'AP');
    await eventually(async () => expect((await stage.invoice(id)).state).toBe('acknowledged'));
  }
  await listening.stop();
});

test('one node at a time asks a network', async () => {
  const turns = () => stage.context.db.system((tx) => takeTurn(tx, 'sandbox', 'test', 24 * hours));
  const taken = await Promise.all([turns(), turns(), turns()]);
  expect(taken.filter(Boolean)).toHaveLength(1);
  await stage.sql(`update network_turn set due_at = now() where authority = 'test'`);
  expect(await turns()).toBe(true);
});
