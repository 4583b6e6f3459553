import { gunzipSync } from 'node:zlib';
import { Validator } from '@drawbridge/validation/validate.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  openThreadPool,
  type ThreadPool,
  type ThreadPoolLimits,
} from '../../../platform/concurrency/thread-pool.ts';
import { DocumentChecker, documentThread } from '../../document-checks/document-checker.ts';
import { advance } from '../advance.ts';
import { type PipelineHarness, startPipelineHarness } from '../pipeline.kit.ts';
import { portionsOf } from '../submission/outbound-documents.ts';
import type { PipelineContext } from '../work-item.ts';
import { validate } from './validate.ts';

let harness: PipelineHarness;
let pool: ThreadPool;
beforeAll(async () => {
  harness = await startPipelineHarness();
});
afterAll(() => harness?.stop());
beforeEach(() => harness.reset());
afterEach(() => pool?.close());

/** A document of two thousand lines, which goes to a thread. */
const large = { change: { copies: 1_000 } };

/** The harness works with threads of such limits from now on. */
function limit(limits: Partial<ThreadPoolLimits>): void {
  pool = openThreadPool({ program: documentThread, threads: 1, limits });
  const own = harness.context as {
    -readonly [name in keyof PipelineContext]: PipelineContext[name];
  };
  own.checker = new DocumentChecker(new Validator(), pool);
}

test('a large document goes the way of a small one, and is stored with its model', async () => {
  limit({});
  const [big, small] = [await harness.submit('AE', large), await harness.submit('AE')];
  await harness.runAllJobs();
  const states = ['received', 'validating', 'validated', 'submitted', 'delivered'];
  expect(await harness.states(big)).toEqual(states);
  expect(await harness.states(small)).toEqual(states);
  const { document } = await harness.content(big);
  expect(document?.match(/<cac:InvoiceLine>/g)).toHaveLength(2_000);
  const [row] = await harness.kit.db.tenant(harness.tenantId, (tx) =>
    tx.rows<{ lines: number; provenance: Buffer }>(
      `select jsonb_array_length(cim->'lines') as lines, provenance
       from invoice_content where tenant_id = $1 and invoice_id = $2`,
      [harness.tenantId, big],
    ),
  );
  expect(row!.lines).toBe(2_000);
  const provenance = JSON.parse(gunzipSync(row!.provenance).toString());
  expect(Object.keys(provenance).length).toBeGreaterThan(10_000);
});

test('a large document that is cleared gets its identifier', async () => {
  limit({});
  // As large as MyInvois takes.
  const id = await harness.submit('MY', { change: { copies: 100 } });
  await harness.runAllJobs();
  const { document, final } = await harness.content(id);
  const { uin } = await harness.invoice(id);
  expect(uin).not.toBeNull();
  expect(document).not.toContain(uin);
  expect(final).toContain(uin);
  expect(final!.match(/<cac:InvoiceLine>/g)).toHaveLength(200);
});

test('large documents are stored and sent one portion after the other, those of two batches too', async () => {
  limit({});
  harness.context.pullPortions.note(harness.connectorId, [2_500_000]);
  const order: string[] = [];
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) ids.push(await harness.submit('AE', large));
  harness.standIns.read = async (...call) => {
    const [, , refs] = call;
    const states = await Promise.all(ids.map(async (id) => (await harness.invoice(id)).state));
    order.push(
      `${refs.length} read after ${states.filter((state) => state === 'submitted').length}`,
    );
    return harness.readErp(...call);
  };
  const [first, ...others] = await harness.claim();
  const never = AbortSignal.any([]);
  await Promise.all([
    advance(harness.context, [first!], never),
    advance(harness.context, others, never),
  ]);
  expect(order).toEqual(['1 read after 0', '1 read after 1', '1 read after 2']);
  await harness.runAllJobs();
  for (const id of ids) expect((await harness.invoice(id)).state).toBe('delivered');
});

test('documents that were sent before are looked up in portions', async () => {
  limit({});
  const ids = [await harness.submit('AE', large), await harness.submit('AE', large)];
  const portion = async (bytes: number) => {
    const items = await Promise.all(
      ids.map(async (id) => ({ job: undefined as never, invoice: await harness.invoice(id) })),
    );
    const all = await portionsOf(harness.kit.db, harness.tenantId, items, bytes);
    return all.map((each) => each.length);
  };
  await harness.runDueJobs();
  expect(await portion(1)).toEqual([1, 1]);
  expect(await portion(100_000_000)).toEqual([2]);
});

test('one that takes too long is tried again, then rejected; what was pulled with it is not', async () => {
  limit({ taskMsMax: 1 });
  const [big, small] = [await harness.submit('AE', large), await harness.submit('AE')];
  await harness.runDueJobs();
  expect((await harness.invoice(big)).state).toBe('validating');
  expect((await harness.invoice(small)).state).toBe('submitted');
  await harness.runAllJobs();
  expect(await harness.invoice(big)).toMatchObject({
    state: 'rejected',
    errors: [{ rule: 'PINT-AE-LIMIT-work', message: expect.stringContaining('time') }],
  });
});

test('of one that was sent and takes too long when its source tells of it again nothing else is said', async () => {
  limit({});
  const id = await harness.submit('AE', large);
  await harness.runAllJobs();
  await pool.close();
  limit({ taskMsMax: 1 });
  const { source_ref: ref } = await harness.invoice(id);
  const { connectorId: connector, tenantId } = harness;
  const payload = { environment: 'sandbox', connector, ref };
  const job = { queue: 'changed-document', key: ref, runAt: harness.clock(), payload };
  await harness.kit.db.tenant(tenantId, async (tx) => {
    await tx.run(
      `update connector set default_profile = 'PINT-AE', submit_from = '{"sandbox": "2020-01-01"}'`,
    );
    await harness.context.jobs.enqueue(tx, tenantId, [job]);
  });
  await harness.runAllJobs('changed-document');
  const told = (await harness.invoice(id)).warnings.filter(({ rule }) =>
    rule.endsWith('-SOURCE-CHANGED'),
  );
  expect(told).toMatchObject([
    { message: expect.stringContaining('cannot be read in its source') },
  ]);
  expect(told[0]!.message).not.toContain('is empty');
});

test('one that takes too much memory is rejected at once', async () => {
  limit({ heapMiBMax: 64 });
  const big = await harness.submit('AE', { change: { copies: 5_000 } });
  await harness.runDueJobs();
  expect(await harness.invoice(big)).toMatchObject({
    state: 'rejected',
    errors: [{ rule: 'PINT-AE-LIMIT-work', message: expect.stringContaining('memory') }],
  });
});

test('beyond what a tenant may have on threads at once, documents wait for their turn', async () => {
  limit({ tenantBytesMax: 1 });
  // Its documents were small, so that these two are pulled together.
  harness.context.pullPortions.note(harness.connectorId, [1]);
  const both = [await harness.submit('AE', large), await harness.submit('AE', large)];
  await harness.runDueJobs();
  const states = await Promise.all(both.map(async (id) => (await harness.invoice(id)).state));
  expect(states.toSorted()).toEqual(['submitted', 'validating']);
  await harness.runAllJobs();
  for (const id of both) expect((await harness.invoice(id)).state).toBe('delivered');
});

test('a worker that loses its lease while a thread checks keeps nothing of it', async () => {
  limit({});
  const big = await harness.submit('AE', large);
  const [job] = await harness.claim();
  const items = [{ job: job!, invoice: { ...(await harness.invoice(big)), state: 'validating' } }];
  const checking = validate(
    harness.context,
    harness.tenantId,
    items as Parameters<typeof validate>[2],
    AbortSignal.any([]),
  );
  await harness.expireLeases();
  await expect(checking).rejects.toThrow('no longer held');
  expect(await harness.states(big)).toEqual(['received']);
  await harness.runAllJobs();
  expect((await harness.invoice(big)).state).toBe('delivered');
});
