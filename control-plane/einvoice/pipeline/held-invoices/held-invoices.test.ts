import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { erpDate } from '../../../../scripts/demo/erp-documents.ts';
import { updateConnector } from '../../connectors/store.ts';
import type { Change } from '../../erp.kit.ts';
import { advance } from '../advance.ts';
import { type PipelineHarness, startPipelineHarness } from '../pipeline.kit.ts';
import { lockVerdicts } from '../store.ts';
import { takeHoldStep } from './hold-steps.ts';

let harness: PipelineHarness;
let reports: number;
beforeAll(async () => {
  harness = await startPipelineHarness();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.reset();
  reports = 0;
});

const own = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  harness.context.db.tenant(harness.tenantId, (tx) => tx.rows<Row>(text, values));
const policy = (submission: object | null) =>
  own('update connector set submission = $1 where id = $2 returning id', [
    JSON.stringify(submission === null ? {} : { sandbox: submission }),
    harness.connectorId,
  ]);
const step = (name: 'release' | 'approve', ids: string[], by: string) =>
  harness.context.db.tenant(harness.tenantId, (tx) =>
    takeHoldStep(
      tx,
      harness.context.jobs,
      { tenantId: harness.tenantId, environment: 'sandbox' },
      {
        step: name,
        ids,
        by: { id: by, isPerson: by.startsWith('usr_') },
        now: harness.clock(),
        random: harness.context.random,
      },
    ),
  );
const sent = () => harness.peppol.deliveries().length;
const stateOf = async (id: string) => (await harness.invoice(id)).state;

test('a valid document waits until it is released, and is then sent once', async () => {
  await policy({ hold: 'release' });
  const before = sent();
  const ids = [await harness.submit('AE'), await harness.submit('AE')];
  await harness.runAllJobs();
  expect(await harness.jobs()).toEqual([]);
  for (const id of ids) {
    expect(await harness.invoice(id)).toMatchObject({
      state: 'validated',
      waits_for: 'release',
      sent_at: null,
    });
  }
  expect(sent()).toBe(before);
  const outcomes = await step('release', ids, 'key_1');
  expect([...outcomes.values()].map(({ kind }) => kind)).toEqual(['changed', 'changed']);
  await harness.runAllJobs();
  expect(await Promise.all(ids.map(stateOf))).toEqual(['delivered', 'delivered']);
  expect(sent()).toBe(before + 2);
  const again = await step('release', ids, 'key_1');
  expect(again.get(ids[0]!)).toEqual({ kind: 'not-held', state: 'delivered' });
});

test('a job that is claimed while the invoice waits sends nothing', async () => {
  await policy({ hold: 'approval' });
  const id = await harness.submit('AE');
  await harness.runAllJobs();
  await step('release', [id], 'usr_1');
  const before = sent();
  await harness.context.db.tenant(harness.tenantId, (tx) =>
    harness.context.jobs.enqueue(tx, harness.tenantId, [
      { queue: 'invoice', key: id, runAt: harness.clock(), payload: { environment: 'sandbox' } },
    ]),
  );
  await harness.runAllJobs();
  expect([sent(), await stateOf(id), (await harness.jobs()).length]).toEqual([
    before,
    'validated',
    0,
  ]);
  expect((await step('approve', [id], 'usr_1')).get(id)).toEqual({
    kind: 'second-person-required',
  });
  await step('approve', [id], 'usr_2');
  await harness.runAllJobs();
  expect([sent(), await stateOf(id)]).toEqual([before + 1, 'delivered']);
});

test('two who release at the same time send it once', async () => {
  await policy({ hold: 'release' });
  const id = await harness.submit('AE');
  await harness.runAllJobs();
  const before = sent();
  const outcomes = await Promise.all(
    ['key_1', 'key_2', 'usr_1'].map(async (by) => (await step('release', [id], by)).get(id)!.kind),
  );
  expect(outcomes.toSorted()).toEqual(['changed', 'not-held', 'not-held']);
  await harness.runAllJobs();
  expect(sent()).toBe(before + 1);
});

test('a worker that dies after its verdict leaves nothing that is sent', async () => {
  await policy({ hold: 'release' });
  const id = await harness.submit('AE');
  const before = sent();
  const first = await harness.claim();
  await harness.expireLeases();
  const second = await harness.claim();
  await advance(harness.context, second, AbortSignal.any([]));
  // The first worker wakes up: its claim is over, and so is its work.
  await advance(harness.context, first, AbortSignal.any([]));
  await harness.runAllJobs();
  expect([sent(), await stateOf(id)]).toEqual([before, 'validated']);
});

/** In a transaction of its own, as a request does it; `before` the change is committed. */
async function holdAll(before = async () => {}): Promise<void> {
  await harness.context.db.tenant(harness.tenantId, async (tx) => {
    await lockVerdicts(tx, harness.tenantId);
    const none = { name: null, agent_id: null, default_profile: null, duplicates: null };
    const rest = { settings: null, submit_from: null, receives: null, live_set_by: null };
    const change = { ...none, ...rest, submission: { sandbox: { hold: 'release' as const } } };
    await updateConnector(tx, harness.tenantId, harness.connectorId, change, harness.clock());
    await before();
  });
}

test('a policy that comes while a document is read holds for it', async () => {
  const id = await harness.submit('AE');
  const before = sent();
  harness.standIns.read = async (...call) => {
    const outcomes = await harness.readErp(...call);
    await holdAll();
    return outcomes;
  };
  await harness.runAllJobs();
  expect([sent(), (await harness.invoice(id)).waits_for]).toEqual([before, 'release']);
});

test('a document that is decided while a policy is being changed is held by it', async () => {
  const id = await harness.submit('AE');
  const before = sent();
  const jobs = await harness.claim();
  let deciding = Promise.resolve();
  await holdAll(async () => {
    deciding = advance(harness.context, jobs, AbortSignal.any([]));
    const waiting = () =>
      harness.sql(`select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`);
    await expect.poll(waiting).toHaveLength(1);
  });
  await deciding;
  await harness.runAllJobs();
  expect([sent(), (await harness.invoice(id)).waits_for]).toEqual([before, 'release']);
});

test('only posted documents are submitted; another is told what is lacking, and goes once it is posted', async () => {
  await policy({ posted: { column: 'CUST_PO', values: ['POSTED'] } });
  const ref = await add({ header: { CUST_PO: 'DRAFT' } });
  const id = await harness.submit('AE', { ref });
  await harness.runAllJobs();
  expect(await harness.invoice(id)).toMatchObject({
    state: 'rejected',
    errors: [{ rule: 'PINT-AE-SOURCE-NOT-POSTED' }],
  });
  await change(ref, 'CUST_PO', 'POSTED');
  const next = await harness.submit('AE', { ref });
  await harness.runAllJobs();
  expect(await stateOf(next)).toBe('delivered');
});

/** An agent reports these documents. */
async function report(...refs: string[]): Promise<void> {
  reports += 1;
  await harness.context.db.tenant(harness.tenantId, (tx) =>
    harness.context.jobs.enqueue(
      tx,
      harness.tenantId,
      refs.map((ref) => ({
        queue: 'changed-document',
        key: `${reports} ${ref}`,
        runAt: harness.clock(),
        payload: { environment: 'sandbox', connector: harness.connectorId, ref },
      })),
    ),
  );
  await harness.runAllJobs('changed-document');
}

async function watch(submission: object): Promise<void> {
  await policy(submission);
  await own(
    `update connector set default_profile = 'PINT-AE',
       submit_from = jsonb_build_object('sandbox', $1::text) returning id`,
    [harness.clock().toISOString().slice(0, 10)],
  );
}

const add = (change: Change = {}) =>
  harness.erp.add('AE', {
    ...change,
    header: { DOC_DATE: erpDate(harness.clock()), ...change.header },
  });
const change = (ref: string, column: string, value: string) =>
  harness.erp.run(`update OSALES set ${column} = '${value}' where DOC_NO = '${ref}'`);
const made = () =>
  own<{ id: string; state: string; waits_for: string | null; rule: string | null }>(
    `select id, state, waits_for, errors -> 0 ->> 'rule' as rule from invoice order by id`,
  );

test('a document that is reported before it is posted is left alone until it is', async () => {
  await watch({ posted: { column: 'CUST_PO', values: ['POSTED'] } });
  const ref = await add({ header: { CUST_PO: 'DRAFT' } });
  await report(ref);
  expect(await made()).toEqual([]);
  await change(ref, 'CUST_PO', 'POSTED');
  await report(ref);
  await harness.runAllJobs();
  expect(await made()).toMatchObject([{ state: 'delivered' }]);
});

test('a held document that changes is withdrawn and held anew; a second report of the same changes nothing', async () => {
  await watch({ hold: 'approval' });
  const ref = await add();
  await report(ref);
  await harness.runAllJobs();
  const [first] = await made();
  await step('release', [first!.id], 'usr_1');
  await report(ref);
  expect(await made()).toMatchObject([{ state: 'validated', waits_for: 'approval' }]);
  await change(ref, 'PAY_TERMS', 'Net 60 days');
  harness.advance(1_000);
  await report(ref);
  await harness.runAllJobs();
  expect(await made()).toMatchObject([
    { id: first!.id, state: 'rejected', rule: 'PINT-AE-SOURCE-CHANGED', waits_for: null },
    { state: 'validated', waits_for: 'release' },
  ]);
  expect((await step('approve', [first!.id], 'usr_2')).get(first!.id)!.kind).toBe('not-held');
});

test('a held document that is no longer in the source, or no longer posted, is not sent any more', async () => {
  await watch({ hold: 'release', posted: { column: 'CUST_PO', values: ['POSTED'] } });
  const ref = await add({ header: { CUST_PO: 'POSTED' } });
  await report(ref);
  await harness.runAllJobs();
  await change(ref, 'CUST_PO', 'DRAFT');
  await report(ref);
  expect(await made()).toMatchObject([{ state: 'rejected', rule: 'PINT-AE-SOURCE-CHANGED' }]);
});

test('a held document that is posted no more by what its connector asks for now is not said to have changed', async () => {
  await watch({ hold: 'release' });
  const ref = await add({ header: { CUST_PO: 'DRAFT' } });
  await report(ref);
  await harness.runAllJobs();
  await policy({ hold: 'release', posted: { column: 'CUST_PO', values: ['POSTED'] } });
  await report(ref);
  const [only] = await made();
  expect(await harness.invoice(only!.id)).toMatchObject({
    state: 'rejected',
    errors: [
      {
        rule: 'PINT-AE-WITHDRAWN',
        message: expect.stringContaining(
          'its connector or its mapping says now: it is not posted: CUST_PO is "DRAFT"',
        ),
      },
    ],
  });
});
