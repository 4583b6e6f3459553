import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Stage, startStage, unreachable } from './pipeline.kit.ts';
import { advance } from './pipeline.ts';

/** The same document, submitted more than once. */
let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());
beforeEach(() => stage.fresh());

const never = new AbortController().signal;
const strict = () => stage.addConnector(stage.tenantId, 'reject');
let made = 0;
const document = () => {
  made += 1;
  return stage.erp.add('AE', { header: { DOC_NO: `REPEAT-${made}` } });
};

test('is told, and goes out all the same, where the connector only warns', async () => {
  const ref = document();
  const first = await stage.submit('AE', { ref });
  await stage.settle();
  const again = await stage.submit('AE', { ref });
  await stage.settle();
  expect(await stage.invoice(again)).toMatchObject({
    ...{ state: 'delivered', duplicate_of: first },
    warnings: [{ rule: 'PINT-AE-DUPLICATE', severity: 'warning' }],
  });
});

test('is refused where the connector says so, also within one batch', async () => {
  const connectorId = await strict();
  const ref = document();
  const ids = [
    await stage.submit('AE', { connectorId, ref }),
    await stage.submit('AE', { connectorId, ref }),
  ].toSorted();
  await stage.settle();
  const [first, again] = [await stage.invoice(ids[0]!), await stage.invoice(ids[1]!)];
  expect(first.state).toBe('delivered');
  expect(again).toMatchObject({
    ...{ state: 'rejected', duplicate_of: first.id },
    errors: [{ rule: 'PINT-AE-DUPLICATE' }],
  });
});

test('of two workers at the same time, one sees what the other does', async () => {
  const connectorId = await strict();
  const ref = document();
  const calls = [];
  for (let worker = 0; worker < 2; worker += 1) {
    await stage.submit('AE', { connectorId, ref });
    const jobs = await stage.claim();
    expect(jobs).toHaveLength(1);
    calls.push(jobs);
  }
  await Promise.all(calls.map((jobs) => advance(stage.context, jobs, never)));
  const states = calls.map(async ([job]) => (await stage.invoice(job!.key)).state);
  expect((await Promise.all(states)).toSorted()).toEqual(['rejected', 'submitted']);
});

test('is found also when the one submitted first was pulled last', async () => {
  const connectorId = await strict();
  const ref = document();
  stage.moods.read = async (_tenant, _row, refs) => refs.map(() => unreachable());
  const first = await stage.submit('AE', { connectorId, ref });
  await stage.turn();
  Reflect.deleteProperty(stage.moods, 'read');
  stage.advance(100);
  const second = await stage.submit('AE', { connectorId, ref });
  await stage.turn();
  expect((await stage.invoice(second)).state).toBe('submitted');
  await stage.settle();
  expect(await stage.invoice(first)).toMatchObject({ state: 'rejected', duplicate_of: second });
});

test('may be submitted again once it was rejected', async () => {
  const connectorId = await strict();
  const ref = document();
  stage.moods.read = async (_tenant, _row, refs) => refs.map(() => ({ kind: 'missing' }));
  const rejected = await stage.submit('AE', { connectorId, ref });
  await stage.settle();
  Reflect.deleteProperty(stage.moods, 'read');
  const again = await stage.submit('AE', { connectorId, ref });
  await stage.settle();
  expect((await stage.invoice(rejected)).state).toBe('rejected');
  expect(await stage.invoice(again)).toMatchObject({ state: 'delivered', duplicate_of: null });
});
