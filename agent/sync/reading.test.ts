import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackDocuments } from '@drawbridge/link/documents.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { overlapMs, readChanges } from './read-changes.ts';
import { reconcile } from './reconcile.ts';
import { erpKinds, openReader, type TestErp, type TestReader } from './sources.kit.ts';

const never = new AbortController().signal;

describe.each(erpKinds)('documents of $kind', ({ kind, unavailable, start }) => {
  let erp: TestErp;
  let reader: TestReader;
  let now: Date;

  beforeAll(async () => {
    if (unavailable === undefined) erp = await start();
  }, 60_000);
  afterAll(() => erp?.stop());
  beforeEach(async (context) => {
    context.skip(unavailable !== undefined, unavailable);
    now = new Date('2026-11-23T08:00:00Z');
    await erp.run('delete from line');
    await erp.run('delete from invoice');
    reader = openReader(kind, erp.settings, () => now);
  });
  afterEach(() => reader?.close());

  const put = (number: string, changed: number, total = '10.00') =>
    `insert into invoice values ('${number}', '${total}', ${changed})`;
  const read = async () => {
    expect(await readChanges(reader.context, 'erp', never)).toEqual({
      kind: 'read',
      isWhole: true,
    });
    return reader.taken();
  };
  const compare = async (options = {}) => {
    const outcome = await reconcile(reader.context, 'erp', options, never);
    if (outcome.kind !== 'reconciled') throw new Error(JSON.stringify(outcome));
    const { documents, late, edited, deleted } = outcome.report;
    return { documents, late, edited, deleted, sent: reader.taken() };
  };
  const later = (ms: number) => {
    now = new Date(now.getTime() + ms);
  };
  const nothing = { late: 0, edited: 0, deleted: 0, sent: [] };

  test('are sent once, with their content, and again when that has changed', async () => {
    await erp.run(put('A', 1));
    await erp.run(`insert into line values ('A-1', 'A', '10.00')`);
    expect(await read()).toEqual(['A']);
    const [batch] = reader.store.batches(0, 1);
    expect(unpackDocuments(batch!.content)).toMatchObject([
      { ref: 'A', sections: { header: [{ values: { total: '10.00' } }], lines: [{ key: 'A-1' }] } },
    ]);
    expect(await read()).toEqual([]);
    await erp.run(`update invoice set changed = 2 where number = 'A'`);
    expect(await read()).toEqual(['A']); // the column itself is content
    await erp.run(`update line set amount = '11.00'`);
    expect(await read()).toEqual(['A']); // within the overlap, though the header tells nothing
    later(overlapMs + 1);
    await read();
    await erp.run(`update line set amount = '12.00'`);
    expect(await read()).toEqual([]);
    expect(await compare()).toEqual({ ...nothing, documents: 1 });
    expect(await compare({ everyContent: true })).toMatchObject({ edited: 1, sent: ['A'] });
  });

  test('have a column that was added to their table, and are told anew', async () => {
    await erp.run(put('A', 1));
    expect(await read()).toEqual(['A']);
    await erp.run('alter table invoice add column note varchar(40)');
    try {
      await erp.run(`update invoice set note = 'urgent'`);
      const used = await reader.context.sources.use('erp', (one) => one.describe(never));
      expect(JSON.stringify(used)).toContain('note');
      later(60_000);
      expect(await read()).toEqual(['A']);
      const [, batch] = reader.store.batches(0, 2);
      expect(JSON.stringify(unpackDocuments(batch!.content))).toContain('urgent');
    } finally {
      await erp.run('alter table invoice drop column note');
    }
    later(60_000);
    expect(await read()).toEqual(['A']);
  });

  test('without a value in the column of their changes are told by a test, and found by a comparison', async () => {
    await erp.run(put('A', 1));
    await read();
    const told = async () => {
      const used = await reader.context.sources.use('erp', (one) => one.test(never));
      return used.kind === 'used' && used.value.kind === 'ok' ? used.value.detail : '';
    };
    expect(await told()).not.toContain('changed');
    await erp.run(`insert into invoice (number, total) values ('B', '2.00')`);
    expect(await read()).toEqual([]);
    expect(await told()).toContain('Some documents have no "changed", by which changes are listed');
    expect(await compare()).toEqual({ ...nothing, documents: 2, late: 1, sent: ['B'] });
  });

  test('are read from the start when the column of their changes gets another type', async (context) => {
    context.skip(kind !== 'postgres', 'other databases compare a number with a time');
    await erp.run(put('A', 1));
    await read();
    later(2 * overlapMs);
    expect(await read()).toEqual([]);
    const column = 'alter table invoice alter column changed type';
    await erp.run(`${column} timestamp using timestamp '2026-11-23' + changed * interval '1 s'`);
    try {
      await erp.run(`insert into invoice values ('B', '2.00', '2026-11-24')`);
      expect(await read()).toEqual(['A', 'B']);
    } finally {
      await erp.run(`${column} bigint using 1`);
    }
  });

  test('of a thousand come in pages, and no second time after the overlap', async () => {
    const rows = Array.from({ length: 1_000 }, (_, index) => `('N-${index}', '1', ${index})`);
    await erp.run(`insert into invoice values ${rows.join()}`);
    expect(new Set(await read()).size).toBe(1_000);
    expect(await read()).toEqual([]);
    expect(await compare()).toEqual({ ...nothing, documents: 1_000 });
  });

  test('committed late are read within the overlap', async (context) => {
    context.skip(kind === 'sqlite', 'SQLite has one writer at a time');
    await erp.run(put('A', 1));
    const slow = await erp.session();
    await slow.run('begin');
    await slow.run(put('B', 2));
    await erp.run(put('C', 3));
    expect(await read()).toEqual(['A', 'C']);
    later(overlapMs / 2);
    expect(await read()).toEqual([]);
    await slow.run('commit');
    expect(await read()).toEqual(['B']);
    expect(await compare()).toEqual({ ...nothing, documents: 3 });
  });

  test('committed after the overlap, or by a clock that was set back, are found and told', async () => {
    await erp.run(put('A', 100));
    await read();
    later(2 * overlapMs);
    await read();
    await erp.run(put('B', 50));
    expect(await read()).toEqual([]);
    expect(await compare()).toEqual({ ...nothing, documents: 2, late: 1, sent: ['B'] });
    expect(reader.store.findings('erp', 10)).toMatchObject([{ kind: 'late', ref: 'B' }]);
    expect(reader.store.events(0, 10).at(-1)).toMatchObject({ topic: 'source.reconciled' });
    expect(await compare()).toEqual({ ...nothing, documents: 2 });
  });

  test('that are new while they are compared are no finding', async () => {
    await erp.run(put('A', 1));
    await read();
    const { sources } = reader.context;
    const use: typeof sources.use = async (name, work) => {
      const used = await sources.use(name, work);
      await erp.run(put('B', 2)).catch(() => {}); // there already at the second call
      return used;
    };
    const racing = { ...reader.context, sources: { use } };
    const outcome = await reconcile(racing, 'erp', {}, never);
    expect(outcome).toMatchObject({ report: { late: 0, edited: 0, deleted: 0 } });
    expect(reader.taken()).toEqual(['B']);
  });

  test('that are deleted are told, and told once', async () => {
    await erp.run(put('A', 1));
    await erp.run(put('B', 2));
    await read();
    await erp.run(`delete from invoice where number = 'A'`);
    later(1);
    expect(await compare()).toEqual({ ...nothing, documents: 1, deleted: 1 });
    expect(await compare()).toEqual({ ...nothing, documents: 1 });
    await erp.run(put('A', 3));
    expect(await read()).toEqual(['A']);
  });

  test('of a restored backup are told: what has gone, what is as it was, what came instead', async () => {
    await erp.run(put('A', 1));
    await erp.run(put('B', 2, '20.00'));
    await erp.run(put('C', 3));
    await read();
    later(2 * overlapMs);
    await read();
    await erp.run(`delete from invoice where number = 'C'`);
    await erp.run(`update invoice set total = '19.00', changed = 1 where number = 'B'`);
    await erp.run(put('D', 2));
    expect(await read()).toEqual([]);
    const compared = await compare();
    expect(compared).toMatchObject({ documents: 3, late: 1, edited: 1, deleted: 1 });
    expect(new Set(compared.sent)).toEqual(new Set(['B', 'D']));
  });

  test('are all read again after winding back, and sent only if that is wanted', async () => {
    await erp.run(put('A', 1));
    await read();
    reader.store.rewind('erp', undefined);
    expect(await read()).toEqual([]);
    reader.store.rewind('erp', undefined, { sendAgain: true });
    expect(await read()).toEqual(['A']);
  });
});

test('a source that cannot list all its documents is not read for a comparison', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-reading-'));
  writeFileSync(join(folder, 'a.csv'), 'number\nA-1\n');
  const reader = openReader('files', { folder, settleSeconds: 0 }, () => new Date());
  const outcome = await reconcile(reader.context, 'erp', {}, new AbortController().signal);
  expect(outcome).toEqual({ kind: 'unsupported' });
  expect(reader.taken()).toEqual([]);
  expect(reader.store.sources()).toEqual([]);
  await reader.close();
  rmSync(folder, { recursive: true });
});
