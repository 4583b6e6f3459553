import { afterEach, beforeEach, expect, test } from 'vitest';
import { myinvois } from './adapter.ts';
import { startTestHarness, type TestHarness } from './harness.kit.ts';

let harness: TestHarness;
beforeEach(async () => {
  harness = await startTestHarness();
});
afterEach(() => harness.stop());

const logins = () => harness.sent.filter((line) => line === 'POST /connect/token').length;

test('one login serves many calls, and many at once', async () => {
  const { context, document } = harness;
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      myinvois.submit([document(`together-${index}`)], context),
    ),
  );
  await myinvois.submit([document('afterwards')], context);
  expect(logins()).toBe(1);
});

test('a token is renewed before it ends', async () => {
  await myinvois.submit([harness.document('a')], harness.context);
  harness.advance(54 * 60_000);
  await myinvois.submit([harness.document('b')], harness.context);
  expect(logins()).toBe(1);
  harness.advance(2 * 60_000);
  const [outcome] = await myinvois.submit([harness.document('c')], harness.context);
  expect(outcome?.kind).toBe('pending');
  expect(logins()).toBe(2);
  expect(harness.sent.filter((line) => line.includes('documentsubmissions'))).toHaveLength(3);
});

test('a token that the authority no longer knows is dropped, and the call is made again', async () => {
  await myinvois.submit([harness.document('a')], harness.context);
  harness.control.revokeTokens();
  const [outcome] = await myinvois.submit([harness.document('b')], harness.context);
  expect(outcome?.kind).toBe('pending');
  expect(logins()).toBe(2);
});

test('an authority that refuses every token is asked twice, not forever', async () => {
  harness.control.fault({ call: 'submit', kind: 401, times: 10 });
  const [outcome] = await myinvois.submit([harness.document('a')], harness.context);
  expect(outcome?.kind).toBe('misconfigured');
  expect(logins()).toBe(2);
});

test('too many logins are a retry after the time the authority asks for', async () => {
  harness.control.limits({ login: 1 });
  await myinvois.submit([harness.document('a')], harness.context);
  const fresh = { ...harness.context, cache: new Map() };
  const [outcome] = await myinvois.submit([harness.document('b')], fresh);
  expect(outcome).toMatchObject({ kind: 'retry', afterMs: 60_000 });
});

test('a lost answer to a login sent no document: retry', async () => {
  harness.control.fault({ call: 'login', kind: 'cut-after' });
  const [outcome] = await myinvois.submit([harness.document('a')], harness.context);
  expect(outcome?.kind).toBe('retry');
});

test('an intermediary logs in for each taxpayer it represents', async () => {
  const context = harness.withCredentials({
    client_id: 'sandbox-intermediary',
    client_secret: 'sandbox-secret',
    on_behalf_of: 'sender',
  });
  const one = harness.document('one');
  const other = harness.document('other', { change: [/C2584563222/g, 'C9999999990'] });
  const documents = [one, { ...other, sender: { ...other.sender, tin: 'C9999999990' } }, one];
  const outcomes = await myinvois.submit(documents, context);
  expect(outcomes.map((outcome) => outcome.kind)).toEqual(['pending', 'pending', 'pending']);
  expect(logins()).toBe(2);
  const asked = harness.requests.map((request) => request.headers.onbehalfof).filter(Boolean);
  expect(asked).toEqual(['C2584563222', 'C9999999990']);
});

test('credentials of the other environment need a person', async () => {
  const context = harness.withCredentials({
    client_id: 'production-client',
    client_secret: 'sandbox-secret',
  });
  const [outcome] = await myinvois.submit([harness.document('a')], context);
  expect(outcome?.kind).toBe('misconfigured');
});
