import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../test/kit/eventually.ts';
import { makeMember } from '../../people/members/new-member.ts';
import type { EinvoicingRole } from '../../people/roles/einvoicing-roles.ts';
import { type Harness, startHarness } from '../harness.kit.ts';

let harness: Harness;
let people = 0;
let named: string;
let all: string;

beforeAll(async () => {
  harness = await startHarness();
  const endpoint = async (event_types: string[]): Promise<string> => {
    const asked = { url: 'http://127.0.0.1:65001/', event_types };
    const { status, body, text } = await harness.call('POST /v1/webhook-endpoints', asked);
    expect(status, text).toBe(201);
    return body.id;
  };
  [named, all] = [await endpoint(['invoice.held']), await endpoint(['invoice.*'])];
});
afterAll(() => harness?.stop());
beforeEach(() => policy({ hold: 'approval' }));

const path = () => `/v1/connectors/${harness.acme.connector}`;
/** Ended as only a person may. */
async function policy(submission: object | null): Promise<void> {
  const admin = await person('finance_admin');
  const { status, text } = await harness.call(`PATCH ${path()}`, { submission }, admin);
  expect(status, text).toBe(200);
}

/** A new member of acme with that role, signed in. */
async function person(einvoicing_role: EinvoicingRole) {
  const { platform } = harness.app;
  const email = `person${(people += 1)}@acme.example`;
  const made = { email, name: 'Someone', role: null, einvoicing_role };
  const { userId } = await makeMember(platform, harness.acme.id, made);
  const session = await platform.sessions.begin(userId, harness.acme.id, 'sandbox');
  return { key: session.access, id: userId };
}

async function held(): Promise<string> {
  const { body } = await harness.submit(await harness.erp.add('AE'));
  await eventually(async () => {
    const invoice = await harness.call(`GET /v1/invoices/${body.id}`);
    expect(invoice.body.hold?.waits_for).toBe('release');
  });
  return body.id;
}

test('an invoice says what it waits for and why, and is sent after two persons let it go', async () => {
  const id = await held();
  const { body } = await harness.call(`GET /v1/invoices/${id}`);
  expect(body).toMatchObject({ status: 'validated', checks: { business_rules: 'passed' } });
  expect(body.hold.reason).toMatch(/^When it was checked .*\/release/);
  expect((await harness.call(`POST /v1/invoices/${id}/release`)).body.code).toBe('person_required');
  const [first, second] = [await person('operator'), await person('approver')];
  const released = await harness.call(`POST /v1/invoices/${id}/release`, undefined, first);
  expect(released.body.hold).toMatchObject({ waits_for: 'approval', released_by: first.id });
  const admin = await person('finance_admin');
  expect((await harness.call(`POST /v1/invoices/${id}/approve`, undefined, first)).body.code).toBe(
    'not_permitted',
  );
  expect((await harness.call(`POST /v1/invoices/${id}/release`, undefined, admin)).body.code).toBe(
    'state_conflict',
  );
  const approved = await harness.call(`POST /v1/invoices/${id}/approve`, undefined, second);
  expect(approved.status, approved.text).toBe(200);
  expect(await harness.until(id, ['delivered'])).toMatchObject({
    hold: { released_by: first.id, approved_by: second.id },
  });
  const log = await harness.call(`GET /v1/audit-log?subject=${id}`);
  expect(log.body.results).toMatchObject([
    { action: 'approveInvoice', actor: { id: second.id } },
    { action: 'releaseInvoice', actor: { id: first.id } },
  ]);
});

test('whoever released or submitted it may not approve it', async () => {
  const admin = await person('finance_admin');
  const { body } = await harness.submit(await harness.erp.add('AE'), {}, admin);
  await eventually(async () => {
    const invoice = await harness.call(`GET /v1/invoices/${body.id}`);
    expect(invoice.body.hold?.waits_for).toBe('release');
  });
  await harness.call(`POST /v1/invoices/${body.id}/release`, undefined, await person('operator'));
  const own = await harness.call(`POST /v1/invoices/${body.id}/approve`, undefined, admin);
  expect([own.status, own.body.code]).toEqual([403, 'second_person_required']);
});

test('many are released and approved at once, each by itself', async () => {
  const ids = [await held(), await held()];
  const foreign = 'inv_01k9zq3v7m2n4p6r8t0w2y4a6c';
  const [first, second] = [await person('operator'), await person('approver')];
  const waiting = await harness.call('GET /v1/invoices?waits_for=release');
  expect(waiting.body.results.map(({ id }: { id: string }) => id)).toEqual(
    expect.arrayContaining(ids),
  );
  const released = await harness.call(
    'POST /v1/invoices/release',
    { invoices: [...ids, foreign] },
    first,
  );
  expect(released.body.results).toMatchObject([
    { id: ids[0], outcome: 'waits_for_approval' },
    { id: ids[1], outcome: 'waits_for_approval' },
    { id: foreign, outcome: 'refused', code: 'invoice_not_found' },
  ]);
  const approved = await harness.call('POST /v1/invoices/approve', { invoices: ids }, second);
  expect(approved.body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'sent',
    'sent',
  ]);
  for (const id of ids) await harness.until(id, ['delivered']);
});

test('a held invoice that is withdrawn is rejected with the reason, and its document may come again', async () => {
  const id = await held();
  const operator = await person('operator');
  const reason = 'wrong customer';
  const { body } = await harness.call(`POST /v1/invoices/${id}/withdraw`, { reason }, operator);
  expect(body).toMatchObject({
    status: 'rejected',
    errors: [{ rule: 'PINT-AE-WITHDRAWN', message: expect.stringContaining(reason) }],
  });
  const again = await harness.call(`POST /v1/invoices/${id}/withdraw`, {}, operator);
  expect(again.body.code).toBe('state_conflict');
});

test('of an approval and a withdrawal at the same moment one holds, and nothing withdrawn is sent', async () => {
  const [first, second] = [await person('operator'), await person('approver')];
  for (let round = 0; round < 6; round += 1) {
    const id = await held();
    await harness.call(`POST /v1/invoices/${id}/release`, undefined, first);
    const steps = [
      () => harness.call(`POST /v1/invoices/${id}/approve`, undefined, second),
      () => harness.call(`POST /v1/invoices/${id}/withdraw`, {}, first),
    ];
    const begun = round % 2 === 0 ? steps : steps.toReversed();
    const answers = await Promise.all(begun.map((step) => step()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const isWithdrawn = answers.some(({ body }) => body.status === 'rejected');
    await harness.until(id, [isWithdrawn ? 'rejected' : 'delivered']);
    const { body } = await harness.call(`GET /v1/invoices/${id}/events`);
    const events = body.results.map(({ event }: { event: string }) => event);
    expect(events.includes('invoice.submitted')).toBe(!isWithdrawn);
  }
});

test('a key ends no approval by a second person, and neither does one who may not approve', async () => {
  for (const caller of [{}, await person('developer')]) {
    for (const submission of [null, { hold: 'release' }]) {
      const { body } = await harness.call(`PATCH ${path()}`, { submission }, caller);
      expect(body.code).toBe('person_required');
    }
  }
  expect((await harness.call(`GET ${path()}`)).body.submission).toEqual({ hold: 'approval' });
});

test('what waits is told to endpoints that name the event, and to no other', async () => {
  const id = await held();
  const told = async (endpoint: string) => {
    const path = `GET /v1/webhook-endpoints/${endpoint}/deliveries?limit=200`;
    const { body } = await harness.call(path);
    return body.results
      .filter(({ payload }: { payload: { id: string } }) => payload.id === id)
      .map(({ event }: { event: string }) => event);
  };
  expect(await told(named)).toEqual(['invoice.held']);
  expect(await told(all)).not.toContain('invoice.held');
  const { body } = await harness.call(`GET /v1/invoices/${id}/events`);
  expect(body.results.map(({ status }: { status: string }) => status)).toEqual([
    'received',
    'validating',
    'validated',
    'held',
  ]);
});
