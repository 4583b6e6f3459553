import { afterEach, beforeEach, expect, test } from 'vitest';
import { settle } from '../contract.suite.ts';
import { myinvois } from './adapter.ts';
import { startTestHarness, type TestHarness } from './harness.kit.ts';

let harness: TestHarness;
beforeEach(async () => {
  harness = await startTestHarness();
});
afterEach(() => harness.stop());

const submissions = () =>
  harness.sent.filter((line) => line.includes('documentsubmissions')).length;

test('the document is sent byte for byte, in base64, with its hash', async () => {
  const document = harness.document('bytes', { change: ['Laptop stand', 'Café ☕ 咖啡'] });
  await myinvois.submit([document], harness.context);
  const body = JSON.parse(String(harness.requests.at(-1)?.body));
  expect(Buffer.from(body.documents[0].document, 'base64').toString('utf8')).toBe(document.xml);
  expect(body.documents[0]).toMatchObject({ format: 'XML', codeNumber: 'bytes' });
  expect(harness.control.documents('bytes')[0]?.hash).toBe(body.documents[0].documentHash);
});

test('a hundred documents are one submission; one more is two', async () => {
  const documents = Array.from({ length: 101 }, (_, index) => harness.document(`n-${index}`));
  const outcomes = await myinvois.submit(documents, harness.context);
  expect(outcomes.every((outcome) => outcome.kind === 'pending')).toBe(true);
  expect(submissions()).toBe(2);
});

test('documents that are too large together are sent in several submissions', async () => {
  const filler = `<!--${'x'.repeat(250_000)}-->`;
  const documents = Array.from({ length: 20 }, (_, index) =>
    harness.document(`large-${index}`, { change: ['</Invoice>', `</Invoice>${filler}`] }),
  );
  const outcomes = await myinvois.submit(documents, harness.context);
  expect(outcomes.every((outcome) => outcome.kind === 'pending')).toBe(true);
  expect(submissions()).toBe(2);
});

test('a document above the limit is refused without being sent', async () => {
  const filler = `<!--${'x'.repeat(300_000)}-->`;
  const large = harness.document('huge', { change: ['</Invoice>', `</Invoice>${filler}`] });
  const outcomes = await myinvois.submit([large, harness.document('small')], harness.context);
  expect(outcomes[0]).toMatchObject({
    kind: 'refused',
    errors: [{ code: 'MaximumSizeExceeded' }],
  });
  expect(outcomes[1]?.kind).toBe('pending');
});

test('documents with the same number go in separate submissions', async () => {
  const changed = harness.document('twin', { change: ['Lot 66', 'Lot 67'] });
  const outcomes = await myinvois.submit([harness.document('twin'), changed], harness.context);
  const references = outcomes.map((outcome) => outcome.kind === 'pending' && outcome.reference);
  expect(new Set(references).size).toBe(2);
  expect(submissions()).toBe(2);
});

test('both spellings of submissionUid are read, and lead to a verdict', async () => {
  for (const spelling of ['submissionUid', 'submissionUID'] as const) {
    harness.control.set({ submissionUidSpelling: spelling });
    const document = harness.document(spelling);
    const [pending] = await myinvois.submit([harness.document(`${spelling}-2`)], harness.context);
    const [row] = harness.control.documents(`${spelling}-2`);
    expect(pending).toMatchObject({ reference: `${row?.submissionUid}/${row?.uuid}` });
    const [outcome] = await settle(myinvois, [document], harness.context, harness);
    expect(outcome?.kind).toBe('cleared');
  }
});

test('rejected documents only, with a null uid: each is refused', async () => {
  const bad = harness.document('bad', { change: ['<cbc:ID>bad</cbc:ID>', ''] });
  const [outcome] = await myinvois.submit([bad], harness.context);
  expect(outcome).toEqual({
    kind: 'refused',
    errors: [{ code: '3', message: 'ElementMissing: /Invoice/ID', location: '/Invoice' }],
  });
});

test('a document of a supplier that the client may not submit for does not affect the others', async () => {
  harness.control.addClient({
    id: 'own-client',
    secret: 'own-secret',
    kind: 'taxpayer',
    tin: 'C2584563222',
  });
  const context = harness.withCredentials({ client_id: 'own-client', client_secret: 'own-secret' });
  const foreign = harness.document('foreign', { change: ['C2584563222', 'C9999999990'] });
  const documents = [harness.document('a'), foreign, harness.document('b'), harness.document('c')];
  const outcomes = await myinvois.submit(documents, context);
  expect(outcomes.map((outcome) => outcome.kind)).toEqual([
    'pending',
    'misconfigured',
    'pending',
    'pending',
  ]);
  expect(outcomes[1]).toMatchObject({ reason: expect.stringContaining('IncorrectSubmitter') });
});

test('after a reached limit the remaining documents are not sent', async () => {
  harness.control.limits({ submit: 1 });
  const documents = Array.from({ length: 301 }, (_, index) => harness.document(`rest-${index}`));
  const outcomes = await myinvois.submit(documents, harness.context);
  expect(submissions()).toBe(2);
  expect(outcomes.filter((outcome) => outcome.kind === 'pending')).toHaveLength(100);
  expect(outcomes.filter((outcome) => outcome.kind === 'retry')).toHaveLength(201);
});

test('the same payload again is found, not taken for a new one', async () => {
  const document = harness.document('again');
  await myinvois.submit([document], harness.context);
  harness.advance(5_000);
  const [outcome] = await myinvois.submit([document], harness.context);
  expect(outcome).toMatchObject({ kind: 'cleared' });
  expect(harness.control.documents('again')).toHaveLength(1);
});

test('the same payload again, not listed yet, is unknown for the time that the answer asks for', async () => {
  harness.control.set({ listingLagMs: 3_600_000 });
  const document = harness.document('unlisted');
  await myinvois.submit([document], harness.context);
  const [outcome] = await myinvois.submit([document], harness.context);
  expect(outcome).toMatchObject({ kind: 'unknown', afterMs: 600_000 });
});

test('a duplicate found by the validator is the earlier document, cleared', async () => {
  const document = harness.document('duplicate');
  const [earlier] = await settle(myinvois, [document], harness.context, harness);
  harness.advance(11 * 60_000); // past the payload window, within the duplicate guard
  const [again] = await settle(myinvois, [document], harness.context, harness);
  expect(again).toEqual(earlier);
  const held = harness.control.documents('duplicate').map((row) => row.status);
  expect(held).toEqual(['Valid', 'Invalid']);
});

test('an answer that cannot be read leaves the documents unknown', async () => {
  const document = harness.document('garbled');
  await myinvois.submit([harness.document('warm-up')], harness.context);
  for (const body of ['<html>', '[]', '{"acceptedDocuments":7}', '{}']) {
    const exchange = async () => ({ status: 202, headers: {}, body });
    const [outcome] = await myinvois.submit([document], { ...harness.context, exchange });
    expect(outcome?.kind).toBe('unknown');
  }
});

test('400 for a single document is a refusal with the reason', async () => {
  await myinvois.submit([harness.document('warm-up')], harness.context);
  harness.control.fault({ call: 'submit', kind: 400 });
  const [outcome] = await myinvois.submit([harness.document('a')], harness.context);
  expect(outcome).toMatchObject({ kind: 'refused', errors: [{ code: '400' }] });
});
