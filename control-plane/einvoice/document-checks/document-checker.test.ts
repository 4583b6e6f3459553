import { gunzipSync } from 'node:zlib';
import { packDocuments } from '@drawbridge/link/documents.ts';
import { infer } from '@drawbridge/mapping/infer.ts';
import { invoice as european } from '@drawbridge/profiles/bis-3.0/example.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import { decideVerdict } from '@drawbridge/validation/source/verdict.ts';
import { Validator } from '@drawbridge/validation/validate.ts';
import { afterAll, expect, test } from 'vitest';
import { mappings } from '../../../scripts/demo/mappings.ts';
import { openThreadPool, type ThreadPool } from '../../platform/concurrency/thread-pool.ts';
import type { JsonBytes } from '../../platform/db/insert.ts';
import { sampleFrom } from '../connectors/mapping-sample.ts';
import { finalDocumentOf } from '../pipeline/submission/final-document.ts';
import { verdictReport } from '../validate/report.ts';
import { DocumentChecker, documentThread } from './document-checker.ts';

const validator = new Validator();
const tenantId = 'acme';
const opened: ThreadPool[] = [];
afterAll(() => Promise.all(opened.map((pool) => pool.close())));

/** A checker whose threads are real, and one whose threads must not be asked. */
function checkers(): [threaded: DocumentChecker, here: DocumentChecker] {
  const pool = openThreadPool({ program: documentThread, threads: 1 });
  opened.push(pool);
  const nobody: ThreadPool = {
    run: () => Promise.reject(new Error('a small document needs no thread')),
    close: async () => {},
  };
  return [new DocumentChecker(validator, pool), new DocumentChecker(validator, nobody)];
}
const [threaded, here] = checkers();

/** A document of an ERP with that many lines; its mapping is that of the sample ERP. */
function sourceOf(lines: number): SourceDocument {
  const row = (key: string, values: Record<string, string | null>) => ({
    origin: 'T',
    key,
    values,
  });
  const columns = { DESCRIPT: 'Iron', QTY: '2', UOM: 'H87', UNIT_PRICE: '1.50', NET_AMT: '3.00' };
  return {
    ref: 'INV-1',
    sections: {
      header: [row('1', { DOC_NO: 'INV-1', DOC_DATE: '20260301', CURR: 'AED', DOC_KIND: 'I' })],
      lines: Array.from({ length: lines }, (_, at) =>
        row(String(at + 1), { ...columns, LINE_NO: String(at + 1) }),
      ),
      taxes: [],
    },
  };
}
const fields = mappings['PINT-AE'].fields.map((field) => ({ ...field, status: 'approved' }));
const mapping = { profile: 'PINT-AE', fields } as never;
const input = (source: SourceDocument) => ({
  profile: profileById('PINT-AE')!,
  mapping,
  source,
  connectorId: 'con_1',
  now: new Date('2026-03-01T08:00:00Z'),
});

test('a large document gets on a thread the verdict that it would get here', async () => {
  const given = input(sourceOf(1_500));
  const expected = decideVerdict({ ...given, validator });
  const outcome = await threaded.verdict(tenantId, given);
  if (outcome.kind !== 'done') throw new Error(outcome.kind);
  const { cim, provenance, ...verdict } = outcome.result;
  const { cim: ownCim, provenance: ownProvenance, ...own } = expected;
  expect(verdict).toEqual(own);
  expect(JSON.parse((cim as JsonBytes).bytes.toString())).toEqual(ownCim);
  expect(JSON.parse(gunzipSync(provenance as Uint8Array).toString())).toEqual(ownProvenance);
});

test('who asks for the verdict on a large document gets the answer to a small one', async () => {
  const reportOf = (lines: number) => {
    const given = input(sourceOf(lines));
    return verdictReport(given.profile, decideVerdict({ ...given, validator }));
  };
  const small = await here.sourceReport(tenantId, input(sourceOf(10)));
  expect(small).toEqual({ kind: 'done', result: reportOf(10) });
  const large = await threaded.sourceReport(tenantId, input(sourceOf(1_500)));
  if (large.kind !== 'done') throw new Error(large.kind);
  const json = Buffer.from(large.result as Uint8Array).toString();
  expect(json).toBe(JSON.stringify(reportOf(1_500)));
});

test('a small one is judged here', async () => {
  const given = input(sourceOf(10));
  const expected = decideVerdict({ ...given, validator });
  expect(await here.verdict(tenantId, given)).toEqual({ kind: 'done', result: expected });
});

test('a sample of a large document is that of a small one', async () => {
  const [large, small] = [sourceOf(1_500), sourceOf(1)];
  const result = sampleFrom(large, mapping);
  expect(result.values).toEqual(sampleFrom(small, mapping).values);
  expect(result.values.size).toBeGreaterThan(3);
  expect(await threaded.sample(tenantId, large, mapping)).toEqual({ kind: 'done', result });
  const expected = sampleFrom(small, mapping);
  expect(await here.sample(tenantId, small, mapping)).toEqual({ kind: 'done', result: expected });
});

test('a mapping is proposed on a thread from many columns or large documents, as here from few', async () => {
  const columnsOf = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      section: 'header',
      origin: 'T',
      column: at === 0 ? 'invoice_number' : `note_${at}`,
      type: 'text',
      samples: ['INV-1'],
    }));
  const profile = profileById('PINT-AE')!;
  const given = (columns: number, lines: number) => {
    return { profile, columns: columnsOf(columns), joins: {}, documents: [sourceOf(lines)] };
  };
  for (const [columns, lines] of [
    [300, 1],
    [10, 2_000],
  ] as const) {
    const large = given(columns, lines);
    const proposed = infer(large.columns, profile, large);
    expect(proposed.fields.map(({ target }) => target)).toContain('number');
    expect(await threaded.proposal(tenantId, large)).toEqual({ kind: 'done', result: proposed });
    await expect(here.proposal(tenantId, large)).rejects.toThrow('needs no thread');
  }
  expect(await here.proposal(tenantId, given(10, 1))).toMatchObject({ kind: 'done' });
});

test('a large document gets its identifier on a thread', async () => {
  const profile = profileById('PINT-MY')!;
  const granted = { uin: 'UIN-1', clearedAt: '2026-03-01T08:00:00Z' };
  const result = finalDocumentOf(validator, profile, european, granted);
  expect(result.xml).toContain('UIN-1');
  const outcome = { kind: 'done', result };
  const model = JSON.stringify(european);
  const large = model.padEnd(1_000_000);
  expect(await threaded.final(tenantId, profile, large, granted)).toEqual(outcome);
  expect(await here.final(tenantId, profile, model, granted)).toEqual(outcome);
});

const bytesOf = (body: unknown) => new TextEncoder().encode(JSON.stringify(body));

test('the body of a request is parsed, checked and answered on a thread', async () => {
  const outcome = await threaded.report(
    tenantId,
    bytesOf({ profile: 'BIS-3.0', invoice: european }),
  );
  if (outcome.kind !== 'done' || outcome.result.kind !== 'report') throw new Error(outcome.kind);
  const report = JSON.parse(Buffer.from(outcome.result.json).toString());
  expect(report).toMatchObject({ valid: true, xml: expect.stringContaining('<cbc:ID>') });
});

test.each([
  [{ profile: 'BIS-3.0', invoice: {}, note: 1 }, 'invalid_request', /note/],
  [{ invoice: {} }, 'profile_required', /PINT-AE/],
])('what is wrong with it is told as elsewhere: %j', async (body, code, message) => {
  const refused = threaded.report(tenantId, bytesOf(body));
  await expect(refused).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});

test('a mapping is parsed on a thread, and what is wrong with it is told as elsewhere', async () => {
  const body = {
    version: 3,
    mapping: { fields: [{ target: 'number', value: '1', status: 'approved' }] },
  };
  expect(await threaded.mapping(tenantId, bytesOf(body))).toEqual({
    kind: 'done',
    result: { kind: 'mapping', request: body },
  });
  const wrong = threaded.mapping(tenantId, bytesOf({ mapping: { fields: [{}] } }));
  await expect(wrong).rejects.toMatchObject({ code: 'invalid_request', status: 400 });
});

test('one that names a document of a source comes back', async () => {
  const body = { connector_id: 'cnx_1', source_ref: 'INV-1' };
  expect(await threaded.report(tenantId, bytesOf(body))).toMatchObject({
    kind: 'done',
    result: { kind: 'source', request: body },
  });
});

test('a large answer of an agent is read on a thread as a small one is here', async () => {
  const read = (lines: number, checker: DocumentChecker) => {
    const result = [{ kind: 'found', document: sourceOf(lines) }, { kind: 'missing' }];
    const text = JSON.stringify({ kind: 'ok', result });
    return { result, outcome: checker.answer(tenantId, 'connector.readMany', text) };
  };
  for (const { result, outcome } of [read(3, here), read(2_000, threaded)]) {
    expect(await outcome).toEqual({ kind: 'answered', result });
  }
  const broken = threaded.answer(tenantId, 'connector.readMany', '['.repeat(1_000_000));
  expect(await broken).toMatchObject({ kind: 'fault', fault: { code: 'result_invalid' } });
});

test('a batch of documents is unpacked on a thread, and one that does not read is none', async () => {
  const documents = [sourceOf(1_500), null, sourceOf(2), sourceOf(1_500)];
  const content = packDocuments(documents.map((each) => each && JSON.stringify(each)));
  expect(await threaded.batch(tenantId, content)).toEqual(documents);
  expect(await threaded.batch(tenantId, new Uint8Array(500_000))).toBeUndefined();
  const small = packDocuments([JSON.stringify(sourceOf(1))]);
  expect(await here.batch(tenantId, small)).toEqual([sourceOf(1)]);
});
