import { afterEach, beforeEach, expect, test } from 'vitest';
import { settle } from '../contract.suite.ts';
import { myinvois } from './adapter.ts';
import { startTestStage, type TestStage } from './test-stage.ts';

let stage: TestStage;
beforeEach(async () => {
  stage = await startTestStage();
});
afterEach(() => stage.stop());

const submissions = () => stage.sent.filter((line) => line.includes('documentsubmissions')).length;

test('the document goes out byte for byte, in base64, with its hash', async () => {
  const document = stage.document('bytes', { change: ['Laptop stand', 'Café ☕ 咖啡'] });
  await myinvois.submit([document], stage.context);
  const body = JSON.parse(String(stage.requests.at(-1)?.body));
  expect(Buffer.from(body.documents[0].document, 'base64').toString('utf8')).toBe(document.xml);
  expect(body.documents[0]).toMatchObject({ format: 'XML', codeNumber: 'bytes' });
  expect(stage.control.documents('bytes')[0]?.hash).toBe(body.documents[0].documentHash);
});

test('a hundred documents are one submission; one more is two', async () => {
  const documents = Array.from({ length: 101 }, (_, index) => stage.document(`n-${index}`));
  const outcomes = await myinvois.submit(documents, stage.context);
  expect(outcomes.every((outcome) => outcome.kind === 'pending')).toBe(true);
  expect(submissions()).toBe(2);
});

test('what is too large together is cut by size', async () => {
  const filler = `<!--${'x'.repeat(250_000)}-->`;
  const documents = Array.from({ length: 20 }, (_, index) =>
    stage.document(`large-${index}`, { change: ['</Invoice>', `</Invoice>${filler}`] }),
  );
  const outcomes = await myinvois.submit(documents, stage.context);
  expect(outcomes.every((outcome) => outcome.kind === 'pending')).toBe(true);
  expect(submissions()).toBe(2);
});

test('a document above the limit is refused without being sent', async () => {
  const filler = `<!--${'x'.repeat(300_000)}-->`;
  const large = stage.document('huge', { change: ['</Invoice>', `</Invoice>${filler}`] });
  const outcomes = await myinvois.submit([large, stage.document('small')], stage.context);
  expect(outcomes[0]).toMatchObject({
    kind: 'refused',
    errors: [{ code: 'MaximumSizeExceeded' }],
  });
  expect(outcomes[1]?.kind).toBe('pending');
});

test('documents with the same number go in separate submissions', async () => {
  const changed = stage.document('twin', { change: ['Lot 66', 'Lot 67'] });
  const outcomes = await myinvois.submit([stage.document('twin'), changed], stage.context);
  const references = outcomes.map((outcome) => outcome.kind === 'pending' && outcome.reference);
  expect(new Set(references).size).toBe(2);
  expect(submissions()).toBe(2);
});

test('both spellings of submissionUid are read, and lead to a verdict', async () => {
  for (const spelling of ['submissionUid', 'submissionUID'] as const) {
    stage.control.set({ submissionUidSpelling: spelling });
    const document = stage.document(spelling);
    const [pending] = await myinvois.submit([stage.document(`${spelling}-2`)], stage.context);
    const [row] = stage.control.documents(`${spelling}-2`);
    expect(pending).toMatchObject({ reference: `${row?.submissionUid}/${row?.uuid}` });
    const [outcome] = await settle(myinvois, [document], stage.context, stage);
    expect(outcome?.kind).toBe('cleared');
  }
});

test('rejected documents only, with a null uid: each is refused', async () => {
  const bad = stage.document('bad', { change: ['<cbc:ID>bad</cbc:ID>', ''] });
  const [outcome] = await myinvois.submit([bad], stage.context);
  expect(outcome).toEqual({
    kind: 'refused',
    errors: [{ code: '3', message: 'ElementMissing: /Invoice/ID', location: '/Invoice' }],
  });
});

test('one document of a supplier we may not submit for does not sink the others', async () => {
  stage.control.addClient({
    id: 'own-client',
    secret: 'own-secret',
    kind: 'taxpayer',
    tin: 'C2584563222',
  });
  const context = stage.withCredentials({ client_id: 'own-client', client_secret: 'own-secret' });
  const foreign = stage.document('foreign', { change: ['C2584563222', 'C9999999990'] });
  const documents = [stage.document('a'), foreign, stage.document('b'), stage.document('c')];
  const outcomes = await myinvois.submit(documents, context);
  expect(outcomes.map((outcome) => outcome.kind)).toEqual([
    'pending',
    'misconfigured',
    'pending',
    'pending',
  ]);
  expect(outcomes[1]).toMatchObject({ reason: expect.stringContaining('IncorrectSubmitter') });
});

test('after a refused limit the rest is not knocked for', async () => {
  stage.control.limits({ submit: 1 });
  const documents = Array.from({ length: 301 }, (_, index) => stage.document(`rest-${index}`));
  const outcomes = await myinvois.submit(documents, stage.context);
  expect(submissions()).toBe(2);
  expect(outcomes.filter((outcome) => outcome.kind === 'pending')).toHaveLength(100);
  expect(outcomes.filter((outcome) => outcome.kind === 'retry')).toHaveLength(201);
});

test('the same payload again is found, not taken for a new one', async () => {
  const document = stage.document('again');
  await myinvois.submit([document], stage.context);
  stage.advance(5_000);
  const [outcome] = await myinvois.submit([document], stage.context);
  expect(outcome).toMatchObject({ kind: 'cleared' });
  expect(stage.control.documents('again')).toHaveLength(1);
});

test('the same payload again, not listed yet, is unknown for as long as asked', async () => {
  stage.control.set({ listingLagMs: 3_600_000 });
  const document = stage.document('unlisted');
  await myinvois.submit([document], stage.context);
  const [outcome] = await myinvois.submit([document], stage.context);
  expect(outcome).toMatchObject({ kind: 'unknown', afterMs: 600_000 });
});

test('a duplicate found by the validator is the earlier document, cleared', async () => {
  const document = stage.document('duplicate');
  const [earlier] = await settle(myinvois, [document], stage.context, stage);
  stage.advance(11 * 60_000); // past the payload window, within the duplicate guard
  const [again] = await settle(myinvois, [document], stage.context, stage);
  expect(again).toEqual(earlier);
  const held = stage.control.documents('duplicate').map((row) => row.status);
  expect(held).toEqual(['Valid', 'Invalid']);
});

test('an answer that cannot be read leaves the documents unknown', async () => {
  const document = stage.document('garbled');
  await myinvois.submit([stage.document('warm-up')], stage.context);
  for (const body of ['<html>', '[]', '{"acceptedDocuments":7}', '{}']) {
    const exchange = async () => ({ status: 202, headers: {}, body });
    const [outcome] = await myinvois.submit([document], { ...stage.context, exchange });
    expect(outcome?.kind).toBe('unknown');
  }
});

test('400 for a single document is a refusal with the reason', async () => {
  await myinvois.submit([stage.document('warm-up')], stage.context);
  stage.control.fault({ call: 'submit', kind: 400 });
  const [outcome] = await myinvois.submit([stage.document('a')], stage.context);
  expect(outcome).toMatchObject({ kind: 'refused', errors: [{ code: '400' }] });
});
