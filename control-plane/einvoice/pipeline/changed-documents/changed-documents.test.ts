import { packDocuments } from '@drawbridge/link/documents.ts';
import type { Mapping, MappingField } from '@drawbridge/mapping/mapping.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { erpDate } from '../../../../scripts/demo/erp-documents.ts';
import { eventually } from '../../../../test/kit/eventually.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import type { Change } from '../../erp.kit.ts';
import {
  emiratesReceiver,
  type PipelineHarness,
  startPipelineHarness,
  unreachable,
} from '../pipeline.kit.ts';
import { submitBatches } from './batches.ts';
import { type ChangedDocumentJobPayload, submitChangedDocuments } from './changed-documents.ts';
import { countWaitingDocuments, insertBatch } from './store.ts';

let harness: PipelineHarness;
let connector: string;
let told: number;
beforeAll(async () => {
  harness = await startPipelineHarness();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.reset();
  told = 0;
  const [row] = await own<{ id: string }>(
    `update connector set default_profile = 'PINT-AE', submit_from = jsonb_build_object('sandbox', $1::text)
     returning id`,
    [today()],
  );
  connector = row!.id;
});

const today = () => harness.clock().toISOString().slice(0, 10);
const own = <Row>(text: string, values: string[] = []): Promise<Row[]> =>
  harness.context.db.tenant(harness.tenantId, (tx) => tx.rows<Row>(text, values));

const add = (change: Change = {}) =>
  harness.erp.add('AE', {
    ...change,
    header: { DOC_DATE: erpDate(harness.clock()), ...change.header },
  });

/** Reports these documents in one event of the agent. */
async function tell(...refs: string[]): Promise<void> {
  told += 1;
  await harness.context.db.tenant(harness.tenantId, (tx) =>
    harness.context.jobs.enqueue(
      tx,
      harness.tenantId,
      refs.map((ref) => ({
        queue: 'changed-document',
        key: `${told} ${ref}`,
        runAt: harness.clock(),
        payload: { environment: 'sandbox', connector, ref },
      })),
    ),
  );
}

const made = () =>
  own<{ source_ref: string; state: string }>('select source_ref, state from invoice order by id');
const waiting = async () =>
  (await harness.jobs()).filter(({ queue }) => queue === 'changed-document').length;

test('documents issued since the day are submitted, older and missing ones are not', async () => {
  const ref = await add();
  const old = await add({ header: { DOC_DATE: '20200131' } });
  await tell(ref, old, 'gone');
  await harness.runDueJobs('changed-document');
  expect(await made()).toEqual([{ source_ref: ref, state: 'received' }]);
  expect(await waiting()).toBe(0);
  await harness.runAllJobs();
  expect((await made())[0]!.state).toBe('delivered');
});

test('documents older than the life time of invoices are not submitted, since they may have been before', async () => {
  const daysAgo = (days: number) =>
    erpDate(new Date(harness.clock().getTime() - days * 86_400_000));
  await own(`update connector set submit_from = '{"sandbox": "2020-01-01"}' returning id`);
  await own(
    `insert into life_time (tenant_id, environment, kind, days, updated_at)
     values ($1, 'sandbox', 'invoice', 30, now())`,
    [harness.tenantId],
  );
  const ref = await add({ header: { DOC_DATE: daysAgo(29) } });
  await tell(ref, await add({ header: { DOC_DATE: daysAgo(32) } }));
  await harness.runDueJobs('changed-document');
  await own('delete from life_time where tenant_id = $1', [harness.tenantId]);
  expect(await made()).toEqual([{ source_ref: ref, state: 'received' }]);
});

test('a document reported twice at once is submitted once', async () => {
  const refs = [await add(), await add()];
  await tell(...refs);
  await tell(...refs);
  const jobs = (await harness.claim(
    'changed-document',
  )) as readonly Job<ChangedDocumentJobPayload>[];
  // Nothing can be inserted until both have read, so neither has seen the other's.
  await harness.sql('begin');
  await harness.sql('lock table invoice in share mode');
  const both = [jobs.slice(0, 2), jobs.slice(2)].map((own) =>
    submitChangedDocuments(harness.context, own),
  );
  await eventually(async () => {
    const held = await harness.sql('select 1 from pg_locks where not granted');
    expect(held).toHaveLength(2);
  });
  await harness.sql('commit');
  await Promise.all(both);
  const rows = await made();
  expect(rows).toHaveLength(refs.length);
  expect(new Set(rows.map(({ source_ref }) => source_ref))).toEqual(new Set(refs));
});

test('a document that a client submitted is not submitted again', async () => {
  const ref = await add();
  await harness.submit('AE', { ref });
  await harness.runAllJobs();
  await tell(ref);
  await harness.runDueJobs('changed-document');
  expect(await made()).toHaveLength(1);
});

test('a change before the verdict waits for it', async () => {
  const ref = await add({ customer: { TAX_NO: '1' } });
  await harness.submit('AE', { ref });
  await tell(ref);
  await harness.runDueJobs('changed-document');
  expect([(await made()).length, await waiting()]).toEqual([1, 1]);
  await harness.runAllJobs();
  await harness.runAllJobs('changed-document');
  expect((await made()).map(({ state }) => state)).toEqual(['rejected', 'received']);
});

test.each(['changed-document', 'document-batch'] as const)(
  'a verdict that comes while a %s is looked at does not make its change forgotten',
  async (queue) => {
    const ref = await add({ customer: { TAX_NO: '1' } });
    await harness.submit('AE', { ref });
    const other = await add();
    await (queue === 'document-batch' ? sendBatch(ref, other) : tell(ref, other));
    const jobs = (await harness.claim(queue)) as readonly Job<ChangedDocumentJobPayload>[];
    const yieldToRequests = async () => void (await harness.runAllJobs('invoice'));
    const context = { ...harness.context, yieldToRequests };
    await (queue === 'document-batch' ? submitBatches : submitChangedDocuments)(context, jobs);
    await harness.runAllJobs('changed-document');
    const states = (await made()).filter(({ source_ref }) => source_ref === ref);
    expect(states.map(({ state }) => state)).toEqual(['rejected', 'received']);
  },
);

test('a document that an authority refused is not submitted again automatically', async () => {
  harness.peppol.receiver(emiratesReceiver, 'unregistered');
  const ref = await add();
  await tell(ref);
  await harness.runDueJobs('changed-document');
  await harness.runAllJobs();
  expect((await made()).map(({ state }) => state)).toEqual(['rejected']);
  await tell(ref);
  await harness.runAllJobs('changed-document');
  expect(await made()).toHaveLength(1);
});

test('a source that is down is asked again, a worker that lost its lease submits nothing', async () => {
  const ref = await add();
  harness.standIns.read = async (_tenant, _row, refs) => refs.map(() => unreachable());
  await tell(ref);
  await harness.runDueJobs('changed-document');
  expect([(await made()).length, await waiting()]).toEqual([0, 1]);
  Reflect.deleteProperty(harness.standIns, 'read');
  harness.advance(60_000);
  const jobs = (await harness.claim(
    'changed-document',
  )) as readonly Job<ChangedDocumentJobPayload>[];
  await harness.expireLeases();
  await submitChangedDocuments(harness.context, jobs);
  expect(await made()).toEqual([]);
  await harness.runAllJobs('changed-document');
  expect(await made()).toHaveLength(1);
});

test('a change is not forgotten while its source is away, nor by a clock that jumps', async () => {
  const ref = await add();
  harness.standIns.read = async (_tenant, _row, refs) => refs.map(() => unreachable());
  await tell(ref);
  for (const days of [0, 2, 5, 30]) {
    harness.advance(days * 86_400_000);
    await harness.runDueJobs('changed-document');
    expect(await waiting()).toBe(1);
  }
  Reflect.deleteProperty(harness.standIns, 'read');
  await harness.runAllJobs('changed-document');
  expect((await made()).map(({ source_ref }) => source_ref)).toEqual([ref]);
});

test('until a mapping is approved the day is unknown, and nothing is submitted', async () => {
  const [ref, batched] = [await add(), await add()];
  const approve = await withoutMapping();
  await tell(ref);
  await sendBatch(batched);
  for (const queue of ['changed-document', 'document-batch'] as const) {
    await harness.runDueJobs(queue);
  }
  expect(await made()).toEqual([]);
  // The batch waits as one, and its documents are not asked for.
  const queues = (await harness.jobs()).map(({ queue }) => queue);
  expect(queues).toEqual(['changed-document', 'document-batch']);
  await approve();
  await harness.runAllJobs('changed-document');
  expect(await made()).toHaveLength(1);
  await harness.runAllJobs('document-batch');
  const refs = (await made()).map(({ source_ref }) => source_ref);
  expect(new Set(refs)).toEqual(new Set([ref, batched]));
});

test('a mapping that is approved after weeks finds all that waited for it, as the source has it then', async () => {
  const [ref, batched] = [await add(), await add()];
  const approve = await withoutMapping();
  await tell(ref);
  await sendBatch(batched);
  for (const days of [0, 2, 5, 30]) {
    await harness.passTrying(days * 86_400_000);
    for (const queue of ['changed-document', 'document-batch'] as const) {
      await harness.runDueJobs(queue);
    }
  }
  const stored = () =>
    own<{ bytes: number }>('select length(content) as bytes from document_batch');
  expect(await stored()).toEqual([{ bytes: 0 }]);
  expect(await waitingDocuments()).toBe(2);
  await approve();
  await harness.runAllJobs('document-batch');
  await harness.runAllJobs('changed-document');
  const refs = (await made()).map(({ source_ref }) => source_ref);
  expect(new Set(refs)).toEqual(new Set([ref, batched]));
  expect(await stored()).toEqual([]);
  expect(await waitingDocuments()).toBe(0);
});

const nextYear = (ref: string) =>
  harness.erp.run(`update OSALES set DOC_DATE = DOC_DATE + 10000 where DOC_NO = '${ref}'`);

describe('a document that was sent and changes in its source', () => {
  const sent = async (change: Change = {}) => {
    const ref = await add(change);
    await tell(ref);
    await harness.runDueJobs('changed-document');
    await harness.runAllJobs();
    return ref;
  };
  const warnings = async () =>
    (await own<{ warnings: { rule: string; message: string }[] }>('select warnings from invoice'))
      .flatMap((row) => row.warnings)
      .filter(({ rule }) => rule === 'PINT-AE-SOURCE-CHANGED');
  const events = async () =>
    (
      await own<{ payload: { data: { reason: string } } }>(
        `select payload from webhook_event where type = 'invoice.source_changed' order by created_at`,
      )
    ).map(({ payload }) => payload);
  const look = async (ref: string) => {
    await tell(ref);
    await harness.runAllJobs('changed-document');
  };

  test('says so, once for each change, and no more when it is as it was sent', async () => {
    const ref = await sent();
    await look(ref);
    expect(await warnings()).toEqual([]);
    await harness.erp.run(
      `update OLINES set QTY = QTY * 2 where DOC_ID = (select DOC_ID from OSALES where DOC_NO = '${ref}')`,
    );
    await look(ref);
    await look(ref);
    expect(await warnings()).toMatchObject([
      { message: expect.stringMatching(/the total was [\d.]+ and is [\d.]+\. What was sent/) },
    ]);
    expect(await events()).toMatchObject([
      { data: { reason: expect.stringContaining('the total was') } },
    ]);
    expect(await made()).toMatchObject([{ state: 'delivered' }]);
    await harness.erp.run(
      `update OLINES set QTY = QTY / 2 where DOC_ID = (select DOC_ID from OSALES where DOC_NO = '${ref}')`,
    );
    await look(ref);
    expect(await warnings()).toEqual([]);
  });

  test('says so when it is not posted any more', async () => {
    await own(
      `update connector set submission = '{"sandbox": {"posted": {"column": "CUST_PO", "values": ["POSTED"]}}}'
       returning id`,
    );
    const ref = await sent({ header: { CUST_PO: 'POSTED' } });
    await harness.erp.run(`update OSALES set CUST_PO = 'VOID' where DOC_NO = '${ref}'`);
    await look(ref);
    expect(await warnings()).toMatchObject([
      { message: expect.stringContaining('CUST_PO is "VOID"') },
    ]);
  });

  test('says so where its number is one of another year now, of the same buyer and total', async () => {
    const ref = await sent();
    await nextYear(ref);
    await look(ref);
    expect(await warnings()).toMatchObject([
      {
        message: expect.stringMatching(
          /the year of issue was \d{4} and is \d{4}\. If it is another document.*match/,
        ),
      },
    ]);
    expect(await made()).toHaveLength(1);
  });

  test('is not said to have changed where only the condition of its connector has', async () => {
    const ref = await sent({ header: { CUST_PO: 'DRAFT' } });
    await own(
      `update connector set submission = '{"sandbox": {"posted": {"column": "CUST_PO", "values": ["POSTED"]}}}'
       returning id`,
    );
    await look(ref);
    expect(await warnings()).toMatchObject([
      {
        message: expect.stringMatching(
          /^The document is not posted in its source: CUST_PO is "DRAFT"\. What was sent/,
        ),
      },
    ]);
  });

  /** Fields of the mapping, changed and approved after a while. */
  const mapAnew = async (...fields: MappingField[]) => {
    harness.advance(60_000);
    const [row] = await own<{ document: Mapping }>(
      `select document from mapping where profile = 'PINT-AE'`,
    );
    const targets = new Set(fields.map(({ target }) => target));
    const kept = row!.document.fields.filter(({ target }) => !targets.has(target));
    const document = { ...row!.document, fields: [...kept, ...fields] };
    await own(
      `update mapping set document = $1, updated_at = $2 where profile = 'PINT-AE' returning profile`,
      [JSON.stringify(document), harness.clock().toISOString()],
    );
  };
  const buyerByNumber = {
    target: 'buyer.name',
    from: { section: 'customer', column: 'CUST_NO' },
    status: 'approved',
  } as const;
  const priceByQuantity = {
    target: 'lines[].unit_price',
    from: { section: 'lines', column: 'QTY' },
    status: 'approved',
  } as const;

  test('is not said to have changed where only the mapping has', async () => {
    const ref = await sent();
    await mapAnew(buyerByNumber, priceByQuantity);
    await look(ref);
    expect([await warnings(), await events()]).toEqual([[], []]);
  });

  test('says only what changed in the source, where the mapping has changed too', async () => {
    const ref = await sent();
    await mapAnew(buyerByNumber);
    await harness.erp.run(
      `update OLINES set QTY = QTY * 2 where DOC_ID = (select DOC_ID from OSALES where DOC_NO = '${ref}')`,
    );
    await look(ref);
    expect(await warnings()).toMatchObject([
      { message: expect.stringMatching(/sent: the total was [\d.]+ and is [\d.]+\. What/) },
    ]);
  });

  const lineColumns =
    'DOC_ID, LINE_NO, ITEM_NO, ITEM_TEXT, LONG_TEXT, QTY, UOM, PRICE, TAX_CODE, CLASS_CODE';

  test('says so where a line came to it, by another mapping too', async () => {
    const ref = await sent();
    await mapAnew(buyerByNumber);
    await harness.erp.run(
      `insert into OLINES (${lineColumns}) select ${lineColumns} from OLINES
       where DOC_ID = (select DOC_ID from OSALES where DOC_NO = '${ref}')`,
    );
    await look(ref);
    expect(await warnings()).toMatchObject([{ message: expect.stringContaining('the total was') }]);
  });

  test.each([
    [
      'renamed',
      'alter table OSALES rename column CURR to CURRENCY',
      'alter table OSALES rename column CURRENCY to CURR',
    ],
    [
      'of another form',
      `update OSALES set CORRECTS_DATE = '30 Nov' where DOC_NO = 'REF'`,
      `update OSALES set CORRECTS_DATE = null where DOC_NO = 'REF'`,
    ],
  ])('is not said to have changed where a column is %s', async (_, change, back) => {
    const ref = await sent();
    await harness.erp.run(change.replace('REF', ref));
    await look(ref);
    await harness.erp.run(back.replace('REF', ref));
    await look(ref);
    expect([await warnings(), await events()]).toEqual([[], []]);
  });

  test('is compared by the mapping of the profile that it was sent for', async () => {
    const ref = await sent();
    const fields = [{ ...buyerByNumber, target: 'number' }];
    await own(
      `update mapping set document = jsonb_set(document, '{fields}', $1) where profile = 'PINT-MY' returning profile`,
      [JSON.stringify(fields)],
    );
    await own(`update connector set default_profile = 'PINT-MY' returning id`);
    await look(ref);
    expect(await warnings()).toEqual([]);
  });

  test('is no news where it was refused by its authority', async () => {
    harness.peppol.receiver(emiratesReceiver, 'unregistered');
    const ref = await sent();
    await harness.erp.run(
      `update OLINES set QTY = QTY * 2 where DOC_ID = (select DOC_ID from OSALES where DOC_NO = '${ref}')`,
    );
    await look(ref);
    expect([await warnings(), await made()]).toMatchObject([[], [{ state: 'rejected' }]]);
  });
});

describe('another document in a file of the same name', () => {
  /** What the file `out.csv` holds now: a document of the ERP, as a file. */
  let inFile: string;
  beforeEach(() => {
    const read = harness.readErp;
    harness.standIns.read = async (tenant, row, refs, signal) => {
      const outcomes = await read(tenant, row, [inFile], signal);
      return refs.map(() => {
        const [outcome] = outcomes;
        if (outcome?.kind !== 'found') return outcome!;
        const { header = [], ...others } = outcome.document.sections;
        const rows = header.map((each) => ({ ...each, origin: 'out.csv' }));
        const sections = { ...others, header: rows };
        return { kind: 'found', document: { ref: 'out.csv', sections } };
      });
    };
  });
  const put = async (ref: string) => {
    inFile = ref;
    await tell('out.csv');
    await harness.runAllJobs('changed-document');
  };
  const numbers = async () =>
    (await own<{ number: string }>('select number from invoice order by id')).map(
      ({ number }) => number,
    );

  test('is submitted, once', async () => {
    const [first, second] = [await add(), await add()];
    await put(first);
    await harness.runAllJobs();
    await put(second);
    await tell('out.csv');
    await harness.runDueJobs('changed-document');
    await harness.runAllJobs();
    await put(second);
    expect(await made()).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }]);
    expect(await numbers()).toEqual([first, second]);
    await put(first);
    expect(await made()).toHaveLength(2);
  });

  test('is submitted where its number began anew with the year', async () => {
    const ref = await add();
    await put(ref);
    await harness.runAllJobs();
    await nextYear(ref);
    await put(ref);
    await harness.runAllJobs();
    await put(ref);
    expect(await numbers()).toEqual([ref, ref]);
    expect(await made()).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }]);
  });

  test('is not what a mapping makes of the same file under another number', async () => {
    const first = await add();
    await put(first);
    await harness.runAllJobs();
    harness.advance(60_000);
    await own(
      `update mapping set updated_at = $1, document = jsonb_set(document, '{fields}', (
         select jsonb_agg(case when f->>'target' = 'number'
           then f || '{"transforms": [{"kind": "concat", "columns": ["CURR"], "separator": "-"}]}' else f end)
         from jsonb_array_elements(document->'fields') as f))
       where profile = 'PINT-AE' returning profile`,
      [harness.clock().toISOString()],
    );
    await put(first);
    expect(await numbers()).toEqual([first]);
    const second = await add();
    await put(second);
    await harness.runAllJobs();
    expect(await numbers()).toEqual([first, `${second}-AED`]);
  });

  test('is submitted once the one before has its verdict', async () => {
    const [first, second] = [await add(), await add()];
    await put(first);
    await harness.runDueJobs();
    await put(second);
    await harness.runAllJobs();
    expect(new Set(await numbers())).toEqual(new Set([first, second]));
  });

  test.each([
    ['number', async () => add()],
    [
      'year',
      async (ref: string) => {
        await nextYear(ref);
        return ref;
      },
    ],
  ])('of another %s takes the place of its confirmation too', async (_, another) => {
    const first = await add();
    const written: (readonly string[] | undefined)[] = [];
    harness.standIns.write = async (_tenant, _row, { confirmation }) => {
      written.push(confirmation.replaces);
      return { kind: 'written', target: 'status/out.csv.json' };
    };
    await put(first);
    await harness.runAllJobs();
    await harness.runAllJobs('write-back');
    await put(await another(first));
    await harness.runAllJobs();
    await harness.runAllJobs('write-back');
    const [one] = await own<{ id: string }>('select id from invoice order by id');
    expect(written).toEqual([undefined, [one!.id]]);
  });
});

const waitingDocuments = () =>
  harness.context.db.tenant(harness.tenantId, (tx) =>
    countWaitingDocuments(tx, harness.tenantId, connector, 100),
  );

/** Takes the approved mapping away; gives back how it is approved again. */
async function withoutMapping(): Promise<() => Promise<unknown>> {
  const [kept] = await own<{ document: unknown }>(
    'select document from mapping where profile = $1',
    ['PINT-AE'],
  );
  await own(`update mapping set document = jsonb_set(document, '{fields}', '[]')`);
  return () =>
    own(`update mapping set document = $1 where profile = 'PINT-AE'`, [
      JSON.stringify(kept!.document),
    ]);
}

/** Documents as an agent sends them, with their content. */
async function sendBatch(...refs: string[]): Promise<void> {
  const documents = refs.map((ref) => {
    const values = { DOC_NO: ref, DOC_DATE: erpDate(harness.clock()) };
    return JSON.stringify({ ref, sections: { header: [{ origin: 'OSALES', key: ref, values }] } });
  });
  const content = packDocuments(documents);
  const { tenantId, context, clock } = harness;
  const batch = { id: 'evt_1', environment: 'sandbox' as const, connector_id: connector };
  await context.db.tenant(tenantId, async (tx) => {
    await insertBatch(tx, tenantId, { ...batch, refs, content });
    const job = { queue: 'document-batch', key: batch.id, runAt: clock() };
    await context.jobs.enqueue(tx, tenantId, [{ ...job, payload: { environment: 'sandbox' } }]);
  });
}
