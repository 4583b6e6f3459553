import { afterEach, beforeEach, expect, test } from 'vitest';
import { settle } from '../contract.suite.ts';
import type { OutboundDocument } from '../contract.ts';
import { myinvois } from './adapter.ts';
import { startTestHarness, type TestHarness } from './harness.kit.ts';

let harness: TestHarness;
beforeEach(async () => {
  harness = await startTestHarness();
});
afterEach(() => harness.stop());

async function submitted(document: OutboundDocument): Promise<string> {
  const [outcome] = await myinvois.submit([document], harness.context);
  return outcome?.kind === 'pending' ? outcome.reference : '';
}

async function statusOf(document: OutboundDocument, reference?: string, sentAt?: Date) {
  const question = { document, ...(reference && { reference }), ...(sentAt && { sentAt }) };
  const [outcome] = await myinvois.lookUp([question], harness.context);
  return outcome!;
}

test('a cleared document has its number, its link, and the published window', async () => {
  harness.control.set({ cancellationHours: 48 });
  const document = harness.document('cleared');
  const reference = await submitted(document);
  expect(await statusOf(document, reference)).toMatchObject({ kind: 'pending', reference });
  harness.advance(5_000);
  const [row] = harness.control.documents('cleared');
  expect(await statusOf(document, reference)).toEqual({
    kind: 'cleared',
    uin: row?.uuid,
    reference,
    validationUrl: `${harness.url}/${row?.uuid}/share/${row?.longId}`,
    clearedAt: '2026-11-21T08:00:01.000Z',
    cancellableUntil: '2026-11-23T08:00:01.000Z',
  });
  expect((await fetch(`${harness.url}/${row?.uuid}/share/${row?.longId}`)).status).toBe(200);
});

test('the window is asked for once a day, not for each document', async () => {
  const documents = Array.from({ length: 5 }, (_, index) => harness.document(`window-${index}`));
  await settle(myinvois, documents, harness.context, harness);
  expect(harness.sent.filter((line) => line.includes('documenttypes'))).toHaveLength(2);
});

test('a document is cleared even when its window cannot be read', async () => {
  harness.control.fault({ call: 'types', kind: 500 });
  const document = harness.document('no-window');
  const [outcome] = await settle(myinvois, [document], harness.context, harness);
  expect(outcome?.kind).toBe('cleared');
  expect(outcome).not.toHaveProperty('cancellableUntil');
});

test('a refusal gives the innermost codes with path and Malay text', async () => {
  for (const spelling of ['errorMS', 'errorMs'] as const) {
    harness.control.set({ malaySpelling: spelling });
    const document = harness.document(`old-${spelling}`, { issuedAt: '2026-11-18T07:59:59Z' });
    const [outcome] = await settle(myinvois, [document], harness.context, harness);
    expect(outcome).toEqual({
      kind: 'refused',
      errors: [
        {
          code: 'CF321',
          message: 'Issuance date time value of the document is too old that cannot be submitted.',
          location: '/Invoice/IssueDate',
          translations: { ms: 'Tarikh dan masa dokumen terlalu lama untuk dihantar.' },
        },
      ],
    });
  }
});

test('a cancelled document and a requested rejection are shown with the clearance', async () => {
  const document = harness.document('later');
  const reference = await submitted(document);
  harness.advance(5_000);
  const [row] = harness.control.documents('later');
  expect(await statusOf(document, reference)).not.toHaveProperty('authorityStatus');
  expect(harness.control.rejectAsBuyer(row?.uuid ?? '', 'wrong buyer')).toBe(200);
  expect(await statusOf(document, reference)).toMatchObject({
    kind: 'cleared',
    authorityStatus: 'rejection-requested',
  });
  row!.status = 'Cancelled';
  expect(await statusOf(document, reference)).toMatchObject({
    kind: 'cleared',
    authorityStatus: 'cancelled',
  });
});

test('every page of a submission is read', async () => {
  const document = harness.document('page-two');
  const uuid = 'U'.repeat(26);
  const row = { uuid, status: 'Valid', longId: 'L', dateTimeValidated: '2026-11-21T08:00:00Z' };
  const pages = [Array.from({ length: 100 }, (_, n) => ({ uuid: `${n}`, status: 'Valid' })), [row]];
  await submitted(harness.document('warm-up'));
  const [outcome] = await myinvois.lookUp([{ document, reference: `S/${uuid}` }], {
    ...harness.context,
    exchange: async ({ path }) => {
      const page = Number(new URL(path, 'http://x').searchParams.get('pageNo') ?? 1);
      const body = { documentCount: 101, documentSummary: pages[page - 1] ?? [] };
      return { status: 200, headers: {}, body: JSON.stringify(body) };
    },
  });
  expect(outcome).toMatchObject({ kind: 'cleared', uin: uuid });
});

test.each(['InProgress', 'in progress', 'SUBMITTED', 'something new'])(
  'status %s is pending',
  async (status) => {
    await submitted(harness.document('warm-up'));
    const body = JSON.stringify({ documentSummary: [{ uuid: 'U', status }] });
    const question = { document: harness.document('words'), reference: 'S/U' };
    const [outcome] = await myinvois.lookUp([question], {
      ...harness.context,
      exchange: async () => ({ status: 200, headers: {}, body }),
    });
    expect(outcome?.kind).toBe('pending');
  },
);

test.each(['Valid', 'VALID', ' valid ', 'Val id'])('status %j is valid', async (status) => {
  await submitted(harness.document('warm-up'));
  const body = JSON.stringify({ documentSummary: [{ uuid: 'U', status, longId: 'L' }] });
  const question = { document: harness.document('words'), reference: 'S/U' };
  const [outcome] = await myinvois.lookUp([question], {
    ...harness.context,
    exchange: async () => ({ status: 200, headers: {}, body }),
  });
  expect(outcome?.kind).toBe('cleared');
});

test('documents of one submission are asked for in one call', async () => {
  const documents = Array.from({ length: 30 }, (_, index) => harness.document(`one-${index}`));
  const outcomes = await myinvois.submit(documents, harness.context);
  harness.advance(5_000);
  harness.sent.length = 0;
  const questions = documents.map((document, index) => {
    const outcome = outcomes[index];
    return { document, reference: outcome?.kind === 'pending' ? outcome.reference : '' };
  });
  await myinvois.lookUp(questions, harness.context);
  const path = '/api/v1.0/documentsubmissions/';
  expect(harness.sent.filter((line) => line.startsWith(`GET ${path}`))).toHaveLength(1);
});

test('many lost answers need one search', async () => {
  const documents = Array.from({ length: 40 }, (_, index) => harness.document(`lost-${index}`));
  const sentAt = harness.clock();
  await myinvois.submit(documents, harness.context);
  harness.advance(5_000);
  harness.sent.length = 0;
  const questions = documents.map((document) => ({ document, sentAt }));
  const outcomes = await myinvois.lookUp(questions, harness.context);
  expect(outcomes.every((outcome) => outcome.kind === 'cleared')).toBe(true);
  expect(harness.sent.filter((line) => line.endsWith('/documents/search'))).toHaveLength(1);
});

test('a document that is not listed is unknown while the listing may lag, then retry', async () => {
  const document = harness.document('traceless');
  const sentAt = harness.clock();
  expect(await statusOf(document, undefined, sentAt)).toMatchObject({
    kind: 'unknown',
    afterMs: 300_000,
  });
  harness.advance(300_000);
  expect(await statusOf(document, undefined, sentAt)).toMatchObject({ kind: 'retry' });
});

test('an earlier refused document with the same number is not taken for this one', async () => {
  const bad = harness.document('corrected', { change: ['Lot 66', ''] });
  const [refused] = await settle(myinvois, [bad], harness.context, harness);
  expect(refused?.kind).toBe('refused');
  const good = harness.document('corrected');
  const sentAt = harness.clock();
  harness.advance(300_000);
  expect(await statusOf(good, undefined, sentAt)).toMatchObject({ kind: 'retry' });
});

test('a search with too many pages stops at the limit and leaves documents unknown', async () => {
  await submitted(harness.document('warm-up'));
  const document = harness.document('needle');
  const rows = Array.from({ length: 100 }, (_, n) => ({ uuid: `${n}`, status: 'Valid' }));
  const body = JSON.stringify({ result: rows, metadata: { totalPages: 1_000 } });
  let searches = 0;
  const exchange = async () => {
    searches += 1;
    return { status: 200, headers: {}, body };
  };
  const sentAt = new Date(harness.clock().getTime() - 3_600_000);
  const [outcome] = await myinvois.lookUp([{ document, sentAt }], { ...harness.context, exchange });
  expect(outcome?.kind).toBe('unknown');
  expect(searches).toBe(5);
});

test('a search that fails leaves documents unknown', async () => {
  const sentAt = harness.clock();
  harness.advance(3_600_000);
  for (const kind of [429, 500, 'cut-after'] as const) {
    harness.control.fault({ call: 'search', kind, retryAfterSeconds: 9 });
    const outcome = await statusOf(harness.document('unsearched'), undefined, sentAt);
    expect(outcome.kind).toBe('unknown');
  }
});

test('a call that fails leaves a known document pending', async () => {
  const document = harness.document('patience');
  const reference = await submitted(document);
  harness.control.fault({ call: 'submission', kind: 429, retryAfterSeconds: 9 });
  expect(await statusOf(document, reference)).toEqual({
    kind: 'pending',
    reference,
    pollAfterMs: 9_000,
  });
  harness.control.fault({ call: 'submission', kind: 'cut-before' });
  expect(await statusOf(document, reference)).toMatchObject({ kind: 'pending' });
});

test('a document that no longer exists is unknown', async () => {
  await submitted(harness.document('warm-up'));
  const outcome = await statusOf(harness.document('gone'), `S/${'X'.repeat(26)}`);
  expect(outcome.kind).toBe('unknown');
});
