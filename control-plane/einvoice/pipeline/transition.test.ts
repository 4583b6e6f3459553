import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { InvoiceRow } from '../invoices/store.ts';
import { type Stage, startStage } from './pipeline.kit.ts';
import { type Move, makeMoves } from './transition.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());
beforeEach(() => stage.fresh());

const make = (moves: readonly Move[]) =>
  stage.context.db.tenant(stage.tenantId, (tx) =>
    makeMoves(tx, stage.tenantId, moves, { now: stage.clock(), random: stage.context.random }),
  );
const received = async (): Promise<InvoiceRow> => stage.invoice(await stage.submit('AE'));

test('moves of one invoice may follow each other: each is told, the last one stands', async () => {
  const invoice = await received();
  const stands = await make([
    { invoice, trigger: 'start-validation' },
    { invoice, trigger: 'pass', change: { number: 'N1' } },
    { invoice, trigger: 'submit', change: { authorityReference: 'R' } },
  ]);
  expect(stands.get(invoice.id)).toMatchObject({ state: 'submitted', authority_reference: 'R' });
  expect(await stage.invoice(invoice.id)).toMatchObject({
    ...{ state: 'submitted', number: 'N1', authority_reference: 'R' },
    updated_at: stage.clock(),
  });
  expect(await stage.states(invoice.id)).toEqual([
    ...['received', 'validating', 'validated', 'submitted'],
  ]);
});

test('a move that the table does not know is refused, with all that came with it', async () => {
  const [one, other] = [await received(), await received()];
  const moves: Move[] = [
    { invoice: one, trigger: 'start-validation' },
    { invoice: other, trigger: 'clear' },
  ];
  await expect(make(moves)).rejects.toThrow('cannot clear from received');
  expect(await stage.states(one.id)).toEqual(['received']);
});

test('an invoice that moved meanwhile takes the whole batch back, events and deliveries too', async () => {
  const [one, other] = [await received(), await received()];
  await make([{ invoice: other, trigger: 'start-validation' }]);
  const moves = [one, other].map((invoice) => ({ invoice, trigger: 'start-validation' as const }));
  await expect(make(moves)).rejects.toThrow('moved while its batch was at work');
  expect((await stage.invoice(one.id)).state).toBe('received');
  expect(await stage.states(one.id)).toEqual(['received']);
  expect(await stage.states(other.id)).toEqual(['received', 'validating']);
});

test.each(['webhook_event', 'webhook_delivery', 'invoice_content'])(
  'when %s cannot be written, nothing of the verdict is',
  async (table) => {
    const id = await stage.submit('AE');
    await stage.turn();
    const fresh = await stage.submit('AE');
    await stage.sql(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'the disk is full'; end $$`);
    await stage.sql(
      `create trigger refuse before insert on ${table} for each row execute function refuse()`,
    );
    try {
      await expect(stage.turn()).rejects.toThrow('the disk is full');
    } finally {
      await stage.sql('drop function refuse cascade');
    }
    const before = table === 'invoice_content' ? ['received', 'validating'] : ['received'];
    expect(await stage.states(fresh)).toEqual(before);
    await stage.abandon();
    await stage.settle();
    for (const each of [id, fresh]) expect((await stage.states(each)).at(-1)).toBe('delivered');
  },
);

test('when the next job cannot be put in, the authority’s verdict is not recorded either', async () => {
  const id = await stage.submit('MY');
  await stage.turn();
  stage.advance(10_000);
  await stage.sql(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'the disk is full'; end $$`);
  await stage.sql(
    'create trigger refuse before insert on job for each row execute function refuse()',
  );
  try {
    await expect(stage.turn()).rejects.toThrow('the disk is full');
  } finally {
    await stage.sql('drop function refuse cascade');
  }
  expect((await stage.states(id)).at(-1)).toBe('submitted');
  expect((await stage.content(id)).final).toBeNull();
  await stage.abandon();
  await stage.settle();
  expect((await stage.states(id)).at(-1)).toBe('cleared');
  expect((await stage.content(id)).final).toContain('938');
});
