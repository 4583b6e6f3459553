import { afterEach, beforeEach, expect, test } from 'vitest';
import { settle } from '../contract.suite.ts';
import { peppol } from './adapter.ts';
import { sampleDocument } from './document.sample.ts';
import { startTestHarness, type TestHarness } from './harness.kit.ts';

let harness: TestHarness;
beforeEach(async () => {
  harness = await startTestHarness();
});
afterEach(() => harness.stop());

test.each([
  ['accepts', '0001', 'delivered', [0]],
  ['fails once', '9998', 'delivered', [0]],
  ['gives no signal once: the second copy is thrown away', '9993', 'delivered', [1]],
  ['gives a bad signal once', '9984', 'delivered', [1]],
  ['is not registered', '9991', 'refused', []],
  ['is not serviced', '9992', 'refused', []],
  ['answers another AS4 error', '9980', 'refused', []],
  ['is not reachable for good', '9982', 'refused', []],
])('a receiver that %s', async (_name, receiver, kind, discarded) => {
  const document = sampleDocument('1', `9999${receiver}`);
  const [outcome] = await settle(peppol, [document], harness.contextOf('phase4'), harness);
  expect(outcome?.kind).toBe(kind);
  const deliveries = harness.control.deliveries(document.submissionKey);
  expect(deliveries.map((row) => row.discarded)).toEqual(discarded);
});

test('HTTP 200 is not success: the report is read', async () => {
  const [outcome] = await peppol.submit(
    [sampleDocument('1', '99999983')],
    harness.contextOf('phase4'),
  );
  expect(outcome).toMatchObject({ kind: 'retry', reason: 'sending: TRANSPORT_ERROR' });
});

test('every try carries the same instance id', async () => {
  const document = sampleDocument('1', '99999993');
  await settle(peppol, [document], harness.contextOf('phase4'), harness);
  expect(harness.requests.map((request) => request.path)).toEqual(['/sendsbdh', '/sendsbdh']);
  for (const { body } of harness.requests) {
    expect(body).toContain(`<InstanceIdentifier>${document.submissionKey}</InstanceIdentifier>`);
  }
});

test('after the receiver’s duplicate guard nothing is sent again: a person must ask', async () => {
  const document = sampleDocument('1');
  const sentAt = harness.clock();
  const context = harness.contextOf('phase4');
  const [early] = await peppol.lookUp([{ document, sentAt }], context);
  expect(early?.kind).toBe('retry');
  harness.advance(10 * 60_000);
  const [late] = await peppol.lookUp([{ document, sentAt }], context);
  expect(late?.kind).toBe('unknown');
  const [undated] = await peppol.lookUp([{ document }], context);
  expect(undated?.kind).toBe('unknown');
});

test('disabled sending needs a person', async () => {
  harness.control.set({ isSendingEnabled: false });
  const [outcome] = await peppol.submit([sampleDocument('1')], harness.contextOf('phase4'));
  expect(outcome?.kind).toBe('misconfigured');
});
