import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { advance } from '../advance.ts';
import { type PipelineHarness, startPipelineHarness, unreachable } from '../pipeline.kit.ts';
import { type DocumentKey, lockDocuments } from '../store.ts';

/** The same document, submitted more than once. */
let harness: PipelineHarness;
beforeAll(async () => {
  harness = await startPipelineHarness();
});
afterAll(() => harness.stop());
beforeEach(() => harness.reset());

const never = new AbortController().signal;
const strict = () => harness.addConnector(harness.tenantId, 'reject');
const stateOf = async (id: string) => (await harness.invoice(id)).state;
let made = 0;
const document = () => {
  made += 1;
  return harness.erp.add('AE', { header: { DOC_NO: `REPEAT-${made}` } });
};

test('gets a warning, and is sent all the same, where the connector only warns', async () => {
  const ref = await document();
  const first = await harness.submit('AE', { ref });
  await harness.runAllJobs();
  const again = await harness.submit('AE', { ref });
  await harness.runAllJobs();
  expect(await harness.invoice(again)).toMatchObject({
    state: 'delivered',
    duplicate_of: first,
    warnings: [{ rule: 'PINT-AE-DUPLICATE', severity: 'warning' }],
  });
});

test('gets a warning also within one batch', async () => {
  const ref = await document();
  const ids = [await harness.submit('AE', { ref }), await harness.submit('AE', { ref })];
  await harness.runAllJobs();
  const invoices = await Promise.all(ids.map((id) => harness.invoice(id)));
  const first = invoices.find(({ duplicate_of }) => duplicate_of === null);
  expect(first?.state).toBe('delivered');
  expect(invoices.find((each) => each !== first)).toMatchObject({
    state: 'delivered',
    duplicate_of: first!.id,
  });
});

test('is refused where the connector says so, whichever connector brought it before', async () => {
  const ref = await document();
  const ids = [
    await harness.submit('AE', { connectorId: await strict(), ref }),
    await harness.submit('AE', { connectorId: await strict(), ref }),
  ];
  await harness.runAllJobs();
  const invoices = await Promise.all(ids.map((id) => harness.invoice(id)));
  const delivered = invoices.find(({ state }) => state === 'delivered');
  expect(invoices.find((each) => each !== delivered)).toMatchObject({
    state: 'rejected',
    duplicate_of: delivered!.id,
    errors: [{ rule: 'PINT-AE-DUPLICATE' }],
  });
});

test('of two workers at the same time, one sees what the other does', async () => {
  const ref = await document();
  const calls = [];
  for (let worker = 0; worker < 2; worker += 1) {
    await harness.submit('AE', { connectorId: await strict(), ref });
    const jobs = await harness.claim();
    expect(jobs).toHaveLength(1);
    calls.push(jobs);
  }
  await Promise.all(calls.map((jobs) => advance(harness.context, jobs, never)));
  const states = calls.map(async ([job]) => (await harness.invoice(job!.key)).state);
  expect((await Promise.all(states)).toSorted()).toEqual(['rejected', 'submitted']);
});

test('waits for what is decided on the same document, and not on others', async () => {
  const [ref, other] = [await document(), await document()];
  const decided = await harness.submit('AE', { ref });
  await harness.runAllJobs();
  const [key] = await harness.sql<DocumentKey>(
    `select id, seller, number, document_type as "documentType", issue_year as "issueYear"
     from invoice where id = $1`,
    [decided],
  );
  const again = await harness.submit('AE', { ref });
  const sameJobs = await harness.claim();
  const free = await harness.submit('AE', { ref: other });
  const otherJobs = await harness.claim();
  let waiting = Promise.resolve();
  await harness.context.db.tenant(harness.tenantId, async (tx) => {
    await lockDocuments(tx, harness.tenantId, [key!]);
    waiting = advance(harness.context, sameJobs, never);
    await advance(harness.context, otherJobs, never);
    expect(await stateOf(free)).toBe('submitted');
    expect(await stateOf(again)).toBe('validating');
  });
  await waiting;
  expect(await stateOf(again)).toBe('submitted');
});

test('is found also when the one submitted first was pulled last', async () => {
  const ref = await document();
  harness.standIns.read = async (_tenant, _row, refs) => refs.map(() => unreachable());
  const first = await harness.submit('AE', { connectorId: await strict(), ref });
  await harness.runDueJobs();
  Reflect.deleteProperty(harness.standIns, 'read');
  harness.advance(100);
  const second = await harness.submit('AE', { connectorId: await strict(), ref });
  await harness.runDueJobs();
  expect((await harness.invoice(second)).state).toBe('submitted');
  await harness.runAllJobs();
  expect(await harness.invoice(first)).toMatchObject({ state: 'rejected', duplicate_of: second });
});

test('may be submitted again once it was rejected', async () => {
  const connectorId = await strict();
  const ref = await document();
  harness.standIns.read = async (_tenant, _row, refs) => refs.map(() => ({ kind: 'missing' }));
  const rejected = await harness.submit('AE', { connectorId, ref });
  await harness.runAllJobs();
  Reflect.deleteProperty(harness.standIns, 'read');
  const again = await harness.submit('AE', { connectorId, ref });
  await harness.runAllJobs();
  expect((await harness.invoice(rejected)).state).toBe('rejected');
  expect(await harness.invoice(again)).toMatchObject({ state: 'delivered', duplicate_of: null });
});

test('may be submitted again once its authority has cancelled it', async () => {
  const connectorId = await strict();
  const ref = await document();
  const cancelled = await harness.submit('AE', { connectorId, ref });
  await harness.runAllJobs();
  await harness.sql(`update invoice set authority_status = 'cancelled' where id = $1`, [cancelled]);
  const again = await harness.submit('AE', { connectorId, ref });
  await harness.runAllJobs();
  expect(await harness.invoice(again)).toMatchObject({ state: 'delivered', duplicate_of: null });
});

test.each([
  ['of another year', `update invoice set issue_year = issue_year - 1 where id = `],
  ['of another type', `update invoice set document_type = '381' where id = `],
])('one with the number of an earlier one %s is another document', async (_name, change) => {
  const ref = await document();
  const first = await harness.submit('AE', { ref });
  await harness.runAllJobs();
  await harness.sql(`${change}'${first}'`);
  const second = await harness.submit('AE', { connectorId: await strict(), ref });
  await harness.runAllJobs();
  expect(await harness.invoice(second)).toMatchObject({ state: 'delivered', duplicate_of: null });
});
