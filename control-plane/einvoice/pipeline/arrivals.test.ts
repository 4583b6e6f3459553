import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { erpDate } from '../../../scripts/demo/erp-documents.ts';
import { eventually } from '../../../test/kit/eventually.ts';
import type { Job } from '../../platform/jobs/job.ts';
import type { Change } from '../erp.kit.ts';
import { type Arrival, takeArrivals } from './arrivals.ts';
import { emiratesReceiver, type Stage, startStage, unreachable } from './pipeline.kit.ts';

let stage: Stage;
let connector: string;
let told: number;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());
beforeEach(async () => {
  await stage.fresh();
  told = 0;
  const [row] = await own<{ id: string }>(
    `update connector set default_profile = 'PINT-AE', submit_from = jsonb_build_object('sandbox', $1::text)
     returning id`,
    [today()],
  );
  connector = row!.id;
});

const today = () => stage.clock().toISOString().slice(0, 10);
const own = <Row>(text: string, values: string[] = []): Promise<Row[]> =>
  stage.context.db.tenant(stage.tenantId, (tx) => tx.rows<Row>(text, values));

const add = (change: Change = {}) =>
  stage.erp.add('AE', {
    ...change,
    header: { DOC_DATE: erpDate(stage.clock()), ...change.header },
  });

/** The agent tells of these documents, in one event. */
async function tell(...refs: string[]): Promise<void> {
  told += 1;
  await stage.context.db.tenant(stage.tenantId, (tx) =>
    stage.context.jobs.enqueue(
      tx,
      stage.tenantId,
      refs.map((ref) => ({
        ...{ queue: 'arrival', key: `${told} ${ref}`, runAt: stage.clock() },
        payload: { environment: 'sandbox', connector, ref },
      })),
    ),
  );
}

const made = () =>
  own<{ source_ref: string; state: string }>('select source_ref, state from invoice order by id');
const waiting = async () => (await stage.jobs()).filter(({ queue }) => queue === 'arrival').length;

test('what was issued since the day is submitted, what is older or gone is not', async () => {
  const ref = add();
  const old = add({ header: { DOC_DATE: '20200131' } });
  await tell(ref, old, 'gone');
  await stage.turn('arrival');
  expect(await made()).toEqual([{ source_ref: ref, state: 'received' }]);
  expect(await waiting()).toBe(0);
  await stage.settle();
  expect((await made())[0]!.state).toBe('delivered');
});

test('told of twice at once, it is submitted once', async () => {
  const refs = [add(), add()];
  await tell(...refs);
  await tell(...refs);
  const jobs = (await stage.claim('arrival')) as readonly Job<Arrival>[];
  // Nothing can be put in until both have looked, so neither has seen the other's.
  await stage.sql('begin');
  await stage.sql('lock table invoice in share mode');
  const both = [jobs.slice(0, 2), jobs.slice(2)].map((own) => takeArrivals(stage.context, own));
  await eventually(async () => {
    const held = await stage.sql('select 1 from pg_locks where not granted');
    expect(held).toHaveLength(2);
  });
  await stage.sql('commit');
  await Promise.all(both);
  const rows = await made();
  expect(rows).toHaveLength(refs.length);
  expect(new Set(rows.map(({ source_ref }) => source_ref))).toEqual(new Set(refs));
});

test('what a client has submitted is not submitted again', async () => {
  const ref = add();
  await stage.submit('AE', { ref });
  await stage.settle();
  await tell(ref);
  await stage.turn('arrival');
  expect(await made()).toHaveLength(1);
});

test('a change while the verdict is to come waits for it', async () => {
  const ref = add({ customer: { TAX_NO: '1' } });
  await stage.submit('AE', { ref });
  await tell(ref);
  await stage.turn('arrival');
  expect([(await made()).length, await waiting()]).toEqual([1, 1]);
  await stage.settle();
  await stage.settle('arrival');
  expect((await made()).map(({ state }) => state)).toEqual(['rejected', 'received']);
});

test('what an authority refused is for a person to send again', async () => {
  stage.peppol.receiver(emiratesReceiver, 'unregistered');
  const ref = add();
  await tell(ref);
  await stage.turn('arrival');
  await stage.settle();
  expect((await made()).map(({ state }) => state)).toEqual(['rejected']);
  await tell(ref);
  await stage.settle('arrival');
  expect(await made()).toHaveLength(1);
});

test('a source that is down is asked again, a worker that lost its lease submits nothing', async () => {
  const ref = add();
  stage.moods.read = async (_tenant, _row, refs) => refs.map(() => unreachable());
  await tell(ref);
  await stage.turn('arrival');
  expect([(await made()).length, await waiting()]).toEqual([0, 1]);
  Reflect.deleteProperty(stage.moods, 'read');
  stage.advance(60_000);
  const jobs = (await stage.claim('arrival')) as readonly Job<Arrival>[];
  await stage.abandon();
  await takeArrivals(stage.context, jobs);
  expect(await made()).toEqual([]);
  await stage.settle('arrival');
  expect(await made()).toHaveLength(1);
});

test('until a mapping is approved nobody knows the day, and nothing is submitted', async () => {
  const ref = add();
  const [kept] = await own<{ document: unknown }>(
    'select document from mapping where profile = $1',
    ['PINT-AE'],
  );
  await own(`update mapping set document = jsonb_set(document, '{fields}', '[]')`);
  await tell(ref);
  await stage.turn('arrival');
  expect([(await made()).length, await waiting()]).toEqual([0, 1]);
  await own(`update mapping set document = $1 where profile = 'PINT-AE'`, [
    JSON.stringify(kept!.document),
  ]);
  await stage.settle('arrival');
  expect(await made()).toHaveLength(1);
});
