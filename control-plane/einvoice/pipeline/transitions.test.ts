import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { InvoiceRow } from '../invoices/store.ts';
import { type PipelineHarness, startPipelineHarness } from './pipeline.kit.ts';
import { applyTransitions, type InvoiceTransition } from './transitions.ts';

let harness: PipelineHarness;
beforeAll(async () => {
  harness = await startPipelineHarness();
});
afterAll(() => harness.stop());
beforeEach(() => harness.reset());

const make = (moves: readonly InvoiceTransition[]) =>
  harness.context.db.tenant(harness.tenantId, (tx) =>
    applyTransitions(tx, harness.tenantId, moves, {
      now: harness.clock(),
      random: harness.context.random,
      metrics: harness.context.metrics,
    }),
  );
const received = async (): Promise<InvoiceRow> => harness.invoice(await harness.submit('AE'));

test('transitions of one invoice may follow each other: each has its event, and the last one is the state', async () => {
  const invoice = await received();
  harness.advance(1_000);
  const current = await make([
    { invoice, trigger: 'start-validation' },
    { invoice, trigger: 'pass', change: { number: 'N1' } },
    { invoice, trigger: 'submit', change: { authorityReference: 'R' } },
  ]);
  expect(current.get(invoice.id)).toMatchObject({
    state: 'submitted',
    authority_reference: 'R',
    updated_at: harness.clock(),
  });
  expect(await harness.invoice(invoice.id)).toMatchObject({
    state: 'submitted',
    number: 'N1',
    authority_reference: 'R',
    updated_at: harness.clock(),
  });
  expect(await harness.states(invoice.id)).toEqual([
    'received',
    'validating',
    'validated',
    'submitted',
  ]);
});

test('a transition that is not in the table is refused, with its whole transaction', async () => {
  const [one, other] = [await received(), await received()];
  const moves: InvoiceTransition[] = [
    { invoice: one, trigger: 'start-validation' },
    { invoice: other, trigger: 'clear' },
  ];
  await expect(make(moves)).rejects.toThrow('cannot clear from received');
  expect(await harness.states(one.id)).toEqual(['received']);
});

test('an invoice whose state changed since rolls back the whole batch, with events and deliveries', async () => {
  const [one, other] = [await received(), await received()];
  await make([{ invoice: other, trigger: 'start-validation' }]);
  const moves = [one, other].map((invoice) => ({ invoice, trigger: 'start-validation' as const }));
  await expect(make(moves)).rejects.toThrow('changed its state while its batch was processed');
  expect((await harness.invoice(one.id)).state).toBe('received');
  expect(await harness.states(one.id)).toEqual(['received']);
  expect(await harness.states(other.id)).toEqual(['received', 'validating']);
});

test.each(['webhook_event', 'webhook_delivery', 'invoice_content'])(
  'when %s cannot be written, nothing of the verdict is',
  async (table) => {
    const id = await harness.submit('AE');
    await harness.runDueJobs();
    const fresh = await harness.submit('AE');
    await harness.sql(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'the disk is full'; end $$`);
    await harness.sql(
      `create trigger refuse before insert on ${table} for each row execute function refuse()`,
    );
    try {
      await expect(harness.runDueJobs()).rejects.toThrow('the disk is full');
    } finally {
      await harness.sql('drop function refuse cascade');
    }
    const before = table === 'invoice_content' ? ['received', 'validating'] : ['received'];
    expect(await harness.states(fresh)).toEqual(before);
    await harness.expireLeases();
    await harness.runAllJobs();
    for (const each of [id, fresh]) expect((await harness.states(each)).at(-1)).toBe('delivered');
  },
);

test('when the next job cannot be enqueued, the authority’s verdict is not recorded either', async () => {
  const id = await harness.submit('MY');
  await harness.runDueJobs();
  harness.advance(10_000);
  await harness.sql(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'the disk is full'; end $$`);
  await harness.sql(
    'create trigger refuse before insert on job for each row execute function refuse()',
  );
  try {
    await expect(harness.runDueJobs()).rejects.toThrow('the disk is full');
  } finally {
    await harness.sql('drop function refuse cascade');
  }
  expect((await harness.states(id)).at(-1)).toBe('submitted');
  expect((await harness.content(id)).final).toBeNull();
  await harness.expireLeases();
  await harness.runAllJobs();
  expect((await harness.states(id)).at(-1)).toBe('cleared');
  expect((await harness.content(id)).final).toContain('938');
});
