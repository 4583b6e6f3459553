import { afterEach, beforeEach, expect, test } from 'vitest';
import { settle } from '../contract.suite.ts';
import type { WireRequest } from '../contract.ts';
import { peppol } from './adapter.ts';
import { sampleDocument } from './document.sample.ts';
import { startTestHarness, type TestHarness } from './harness.kit.ts';

let harness: TestHarness;
beforeEach(async () => {
  harness = await startTestHarness();
});
afterEach(() => harness.stop());

const run = async (receiver: string, more?: Record<string, string>) => {
  const document = sampleDocument('1', `9999${receiver}`);
  const context = harness.contextOf('phoss-ap', more);
  const [outcome] = await settle(peppol, [document], context, harness);
  return { outcome: outcome!, deliveries: harness.control.deliveries(document.submissionKey) };
};

test.each([
  ['accepts', '0001', 'delivered', 1],
  ['fails once: the access point tries again', '9998', 'delivered', 1],
  ['gives no signal once: the copy is thrown away', '9993', 'delivered', 1],
  ['gives a bad signal once', '9984', 'delivered', 1],
  ['acknowledges, then accepts', '9995', 'delivered', 1],
  ['sends its MLS late', '9985', 'delivered', 1],
  ['sends its MLS twice', '9986', 'delivered', 1],
  ['only acknowledges', '9987', 'pending', 1],
  ['sends no MLS', '9996', 'pending', 1],
])('a receiver that %s', async (_name, receiver, kind, copies) => {
  const { outcome, deliveries } = await run(receiver);
  expect(outcome.kind).toBe(kind);
  expect(deliveries).toHaveLength(copies);
});

test.each([
  ['is not registered', '9991', ['SMP:NOT_REGISTERED']],
  ['does not take this document type', '9990', ['SMP:NOT_REGISTERED']],
  ['is not serviced', '9992', ['PEPPOL:NOT_SERVICED']],
  ['answers another AS4 error', '9980', ['EBMS:0004']],
  ['cannot be reached at all', '9983', ['AP:PERMANENTLY_FAILED']],
  ['cannot be reached, for good', '9982', ['TRANSPORT_ERROR_NO_RETRY']],
  ['has an expired certificate', '9997', ['AP:PERMANENTLY_FAILED']],
  ['rejects by MLS', '9994', ['BV', 'SV']],
])('a receiver that %s', async (_name, receiver, codes) => {
  const { outcome } = await run(receiver);
  expect(outcome.kind).toBe('refused');
  expect(outcome.kind === 'refused' && outcome.errors.map((error) => error.code)).toEqual(codes);
});

test('a rejection by MLS has the line as its location', async () => {
  const { outcome } = await run('9994');
  expect(outcome).toMatchObject({
    errors: [{ code: 'BV', location: '/Invoice/cac:InvoiceLine[1]/cbc:ID' }, { code: 'SV' }],
  });
});

test('a rejection holds even when its MLS cannot be read', async () => {
  harness.control.fault({ call: 'inbound', kind: 500, times: 50 });
  const { outcome } = await run('9994');
  expect(outcome).toMatchObject({ kind: 'refused', errors: [{ code: 'RE' }] });
});

test('where receivers send no MLS, the receipt may count as delivered', async () => {
  const { outcome } = await run('9996', { delivered_on: 'receipt' });
  expect(outcome).toEqual({
    kind: 'delivered',
    reference: sampleDocument('1').submissionKey,
    deliveredAt: '2026-11-21T08:00:00.000Z',
  });
});

test('the instance id is the submission key, and MLS_TO is asked for when set', async () => {
  await run('0001', { mls_to: '0242:000123' });
  const query = new URL(harness.requests[0]?.path ?? '', 'http://x').searchParams;
  expect(query.get('sbdhInstanceID')).toBe(sampleDocument('1').submissionKey);
  expect(query.get('mlsTo')).toBe('0242:000123');
});

test('a failed try is repeated by the access point, not here', async () => {
  const document = sampleDocument('1', '99999998');
  const [outcome] = await peppol.submit([document], harness.contextOf('phoss-ap'));
  expect(outcome?.kind).toBe('pending');
});

test('a second submission of the same instance has the outcome of the first', async () => {
  const document = sampleDocument('1');
  const context = harness.contextOf('phoss-ap');
  await peppol.submit([document], context);
  const [again] = await peppol.submit([document], context);
  expect(again?.kind).toBe('pending');
  expect(harness.control.deliveries(document.submissionKey)).toMatchObject([{ discarded: 0 }]);
});

test('a document that is not what its type says is refused', async () => {
  const document = sampleDocument('1');
  const wrong = { ...document, xml: document.xml.replace('billing:3.0<', 'other:3.0<') };
  const [outcome] = await peppol.submit([wrong], harness.contextOf('phoss-ap'));
  expect(outcome).toMatchObject({
    kind: 'refused',
    errors: [{ code: 'AP:NOT_ACCEPTED', message: expect.stringContaining('CustomizationID') }],
  });
});

test('an invalid participant is refused with the access point’s message', async () => {
  const document = { ...sampleDocument('1'), receiver: { scheme: 'x', id: 'y' } };
  const [outcome] = await peppol.submit([document], harness.contextOf('phoss-ap'));
  expect(outcome).toMatchObject({
    kind: 'refused',
    errors: [
      { code: 'HTTP_400', message: expect.stringMatching(/^Failed to parse the receiving/) },
    ],
  });
});

test('disabled sending needs a person', async () => {
  harness.control.set({ isSendingEnabled: false });
  const [outcome] = await peppol.submit([sampleDocument('1')], harness.contextOf('phoss-ap'));
  expect(outcome?.kind).toBe('misconfigured');
});

test('a document without a record is retried only when it can no longer be under way', async () => {
  const document = sampleDocument('1');
  const sentAt = harness.clock();
  const context = harness.contextOf('phoss-ap');
  const [early] = await peppol.lookUp([{ document, sentAt }], context);
  expect(early).toMatchObject({ kind: 'unknown', afterMs: 60_000 });
  harness.advance(60_000);
  const [late] = await peppol.lookUp([{ document, sentAt }], context);
  expect(late?.kind).toBe('retry');
});

test.each([
  [200, '<html>'],
  [200, '{}'],
  [502, ''],
  [503, ''],
])('a record that answers %i %j leaves it pending', async (status, body) => {
  const question = { document: sampleDocument('1'), reference: 'r' };
  const exchange = async () => ({ status, headers: {}, body });
  const [outcome] = await peppol.lookUp([question], {
    ...harness.contextOf('phoss-ap'),
    exchange,
  });
  expect(outcome?.kind).toBe('pending');
});

test('buyers’ invoice responses are listed, oldest first, without MLS', async () => {
  const document = sampleDocument('1');
  const context = harness.contextOf('phoss-ap');
  await settle(peppol, [document], context, harness);
  for (const code of ['AB', 'UQ', 'AP']) harness.control.respond(document.submissionKey, code);
  const answers = await peppol.responses!(context, nothing);
  const codes = answers.map((each) => (each.kind === 'response' ? each.response.code : each.kind));
  expect(codes).toEqual(['AB', 'UQ', 'AP']);
  expect(answers[0]).toMatchObject({
    response: {
      number: '1',
      from: document.receiver,
      to: document.sender,
      issuedAt: harness.clock(),
    },
  });
  expect(await peppol.responses!(harness.contextOf('phase4'), nothing)).toEqual([]);
});

test('a known answer is not fetched again, and an unreadable one is named', async () => {
  const document = sampleDocument('1');
  const context = harness.contextOf('phoss-ap');
  await settle(peppol, [document], context, harness);
  for (const code of ['AB', 'UQ']) harness.control.respond(document.submissionKey, code);
  const [first] = await peppol.responses!(context, nothing);
  harness.requests.length = 0;
  const broken = {
    ...context,
    exchange: async (request: WireRequest) => {
      const response = await context.exchange(request);
      return request.path.endsWith('/payload') ? { ...response, body: '<html>' } : response;
    },
  };
  const rest = await peppol.responses!(broken, async () => new Set([first!.id]));
  expect(rest).toEqual([{ kind: 'unreadable', id: expect.not.stringMatching(first!.id) }]);
  expect(harness.requests.filter(({ path }) => path.endsWith('/payload'))).toHaveLength(1);
});

const nothing = async () => new Set<string>();
