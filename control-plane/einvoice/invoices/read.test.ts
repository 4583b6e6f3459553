import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/kit/eventually.ts';
import { goodRef } from '../erp.kit.ts';
import { type Answer, type Caller, type Harness, startHarness } from '../harness.kit.ts';

let harness: Harness;
const ids = {} as Record<'delivered' | 'cleared' | 'rejected' | 'live', string>;
const live: Caller = { environment: 'live' };
beforeAll(async () => {
  harness = await startHarness();
  const [AE, MY, none, other] = await Promise.all([
    harness.submit(goodRef('AE')),
    harness.submit(goodRef('MY'), { profile: 'PINT-MY' }),
    harness.submit('NO-SUCH'),
    harness.submit(goodRef('AE'), {}, live),
  ]);
  Object.assign(ids, {
    delivered: AE.body.id,
    cleared: MY.body.id,
    rejected: none.body.id,
    live: other.body.id,
  });
  await Promise.all([
    harness.until(ids.delivered, ['delivered']),
    harness.until(ids.cleared, ['cleared']),
    harness.until(ids.live, ['validated'], live),
  ]);
});
afterAll(() => harness?.stop());

const get = (path: string, caller?: Caller) =>
  harness.call(`GET /v1/invoices${path}`, undefined, caller);
const stranger = (): Caller => ({ key: harness.other.keys.sandbox });
const never = `inv_${'0'.repeat(26)}`;

function expectMissing(answer: Answer, id: string, missing: Answer): void {
  const shape = ({ status, text, body }: Answer, of: string) => [
    status,
    text.replaceAll(body.request_id, 'R').replaceAll(of, 'ID'),
  ];
  expect(answer.body.code).toBe('invoice_not_found');
  expect(shape(answer, id)).toEqual(shape(missing, never));
}

describe('one invoice', () => {
  test('delivered over the network', async () => {
    const { status, body } = await get(`/${ids.delivered}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: ids.delivered,
      status: 'delivered',
      environment: 'sandbox',
      profile: 'PINT-AE',
      source_ref: goodRef('AE'),
      number: goodRef('AE'),
      errors: [],
      warnings: [],
      checks: { schema: 'passed', business_rules: 'passed' },
    });
    for (const absent of ['uin', 'duplicate_of', 'submission_key', 'tenant_id', 'cim']) {
      expect(body).not.toHaveProperty(absent);
    }
  });

  test('cleared by the authority, with its identifier', async () => {
    const { body } = await get(`/${ids.cleared}`);
    expect(body).toMatchObject({
      status: 'cleared',
      uin: expect.stringMatching(/^\w{20,}$/),
      checks: { schema: 'passed', business_rules: 'passed', authority_clearance: 'passed' },
      validation_url: expect.stringMatching(/^https?:/),
      cancellable_until: expect.stringMatching(/Z$/),
    });
  });

  test('rejected, with its checks', async () => {
    const { body } = await get(`/${ids.rejected}`);
    expect(body.status).toBe('rejected');
    // There is no such document, so that nothing was checked.
    expect(body.checks).toEqual({ schema: 'skipped', business_rules: 'skipped' });
    expect(body).not.toHaveProperty('number');
  });

  test.each(['', '/events', '/document'])(
    '%s of nobody else: another tenant, another environment',
    async (part) => {
      const missing = await get(`/${never}${part}`);
      expect(missing.status).toBe(404);
      expectMissing(await get(`/${ids.delivered}${part}`, stranger()), ids.delivered, missing);
      expectMissing(await get(`/${ids.delivered}${part}`, live), ids.delivered, missing);
      expectMissing(await get(`/${ids.live}${part}`), ids.live, missing);
    },
  );

  test.each(['inv_1', 'cnx_01k9zq3v7m2n4p6r8t0w2y4a6c', "inv_'", '..%2f'])(
    'the id %s is none',
    async (id) => {
      const { status, body } = await get(`/${id}`);
      expect([status, body.code]).toEqual([404, 'not_found']);
    },
  );

  test.each(['%00', '%ff'])('the id %s is not text', async (id) => {
    const { status, body } = await get(`/${id}`);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
  });
});

describe('the list', () => {
  const listed = async (query: string, caller?: Caller): Promise<string[]> => {
    const { status, body } = await get(query, caller);
    expect([status, body.detail]).toEqual([200, undefined]);
    return body.results.map(({ id }: { id: string }) => id);
  };

  test('newest first, of the tenant and the environment', async () => {
    const all = await listed('?limit=200');
    expect(all).toEqual(all.toSorted((a, b) => (a < b ? 1 : -1)));
    expect(all).toEqual(expect.arrayContaining([ids.delivered, ids.cleared, ids.rejected]));
    expect(all).not.toContain(ids.live);
    expect(await listed('', live)).toEqual([ids.live]);
    expect(await listed('', stranger())).toEqual([]);
  });

  test.each([
    ['status=cleared', ['cleared']],
    ['status=rejected', ['rejected']],
    ['profile=PINT-MY', ['cleared']],
    [`source_ref=${goodRef('AE')}`, ['delivered']],
    [`number=${goodRef('MY')}`, ['cleared']],
    ['status=cleared&profile=PINT-AE', []],
    ['number=%27%20or%201%3D1', []],
    ['connector_id=cnx_none', []],
  ] as const)('filtered by %s', async (query, expected) => {
    const found = await listed(`?${query}`);
    expect(found).toEqual(expected.map((name) => ids[name]));
  });

  test('by the beginning of the name of their buyer, and by their amount', async () => {
    const { body } = await harness.call(`GET /v1/invoices/${ids.cleared}`);
    expect(body).toMatchObject({ buyer: expect.any(String), currency: 'MYR' });
    const buyer = encodeURIComponent(body.buyer.slice(0, 6).toUpperCase());
    const amounts = (min: number, max: number) => `amount_min=${min}&amount_max=${max}`;
    const gross = Number(body.gross);
    const own = `?profile=PINT-MY&buyer=${buyer}`;
    expect(await listed(`${own}&${amounts(gross, gross)}`)).toEqual([ids.cleared]);
    expect(await listed(`${own}&${amounts(gross + 1, gross + 2)}`)).toEqual([]);
    expect(await listed(`?buyer=${buyer}%25&profile=PINT-MY`)).toEqual([]);
    expect(await listed('?buyer=nobody')).toEqual([]);
  });

  test('by when they were submitted', async () => {
    const { body } = await harness.call(`GET /v1/invoices/${ids.cleared}`);
    const at = new Date(body.created_at).getTime();
    const instant = (offsetMs: number) => new Date(at + offsetMs).toISOString();
    const within = await listed(`?since=${instant(-2_000)}&until=${instant(2_000)}`);
    expect(within).toContain(ids.cleared);
    expect(await listed(`?until=${instant(-2_000)}`)).not.toContain(ids.cleared);
    expect(await listed(`?since=${instant(2_000)}`)).not.toContain(ids.cleared);
  });

  test.each([
    'since=yesterday',
    'buyer=%20',
    'amount_min=1e3',
    'amount_max=many',
    'limit=0',
    'limit=201',
    'limit=-1',
    'limit=x',
    'limit=1.5',
    'status=lost',
    'profile=PINT-SG',
    'cursor=%20',
    'cursor=abc',
    'cursor=AA',
    'sort=asc',
    'status=cleared&status=rejected',
  ])('?%s is refused', async (query) => {
    const { status, body } = await get(`?${query}`);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.detail).toMatch(/\w+ \w+/);
  });

  test('page by page holds each once, also when one is submitted in between', async () => {
    const before = await listed('?limit=200');
    const seen: string[] = [];
    let query = '?limit=1';
    for (let page = 0; page <= before.length; page += 1) {
      const { body } = await get(query);
      seen.push(...body.results.map(({ id }: { id: string }) => id));
      if (page === 0) await harness.submit('NO-SUCH', {}, { headers: { prefer: 'respond-async' } });
      if (body.next === null) break;
      query = `?limit=1&cursor=${body.next}`;
    }
    expect(seen).toEqual(before);
  });
});

describe('the timeline', () => {
  test.each([
    ['delivered', ['received', 'validating', 'validated', 'submitted', 'delivered']],
    ['cleared', ['received', 'validating', 'validated', 'submitted', 'cleared']],
    ['rejected', ['received', 'validating', 'rejected']],
  ] as const)('of an invoice that was %s', async (name, states) => {
    const { body } = await get(`/${ids[name]}/events`);
    expect(body.results.map(({ status }: { status: string }) => status)).toEqual(states);
    const [first, ...rest] = body.results;
    expect(first).toMatchObject({ event: 'invoice.received', elapsed_ms: 0 });
    let last = 0;
    for (const { event, status, elapsed_ms } of rest) {
      expect(event).toBe(`invoice.${status}`);
      expect(elapsed_ms).toBeGreaterThanOrEqual(last);
      last = elapsed_ms;
    }
    expect(body).toMatchObject({ next: null, previous: null });
  });
});

describe('the document', () => {
  test.each([
    ['delivered', '', /^<\?xml.*<Invoice/s],
    ['delivered', '?stage=document', /^<\?xml.*<Invoice/s],
    ['cleared', '?stage=document', /^<\?xml.*<Invoice/s],
    ['cleared', '?stage=clearance', /^<\?xml.*<Invoice/s],
    ['cleared', '?stage=final', /^<\?xml.*<Invoice/s],
    ['cleared', '', /^<\?xml.*<Invoice/s],
  ] as const)('of what was %s%s is XML', async (name, query, form) => {
    const { status, text, headers } = await get(`/${ids[name]}/document${query}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/xml; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(text).toMatch(form);
  });

  test('carries the identifier in its last stage, and not before', async () => {
    const { body } = await get(`/${ids.cleared}`);
    const text = async (stage_: string) =>
      (await get(`/${ids.cleared}/document?stage=${stage_}`)).text;
    expect(await text('final')).toContain(body.uin);
    expect(await text('document')).not.toContain(body.uin);
    expect(await text('clearance')).not.toContain(body.uin);
  });

  test('as the model is JSON', async () => {
    const { status, body, headers } = await get(`/${ids.delivered}/document?stage=cim`);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body).toMatchObject({
      number: goodRef('AE'),
      currency: 'AED',
      seller: { name: expect.any(String) },
    });
  });

  test.each([
    ['delivered', 'final'],
    ['delivered', 'clearance'],
    ['rejected', 'document'],
    ['rejected', 'cim'],
  ] as const)('of what was %s has no stage %s', async (name, of) => {
    const { status, body } = await get(`/${ids[name]}/document?stage=${of}`);
    expect([status, body.code]).toEqual([404, 'document_not_found']);
    expect(body.detail).toContain(of);
  });

  test('has no unknown stage', async () => {
    expect((await get(`/${ids.delivered}/document?stage=xml`)).status).toBe(400);
  });
});

describe('an acknowledgement', () => {
  const acknowledge = (id: string, caller?: Caller) =>
    harness.call(`POST /v1/invoices/${id}/acknowledge`, undefined, caller);

  test.each(['delivered', 'cleared'] as const)(
    'of what was %s is one event, however often it is sent',
    async (name) => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => acknowledge(ids[name])));
      expect(answers.map(({ status, body }) => [status, body.status])).toEqual(
        Array(5).fill([200, 'acknowledged']),
      );
      const { body } = await get(`/${ids[name]}/events`);
      const events = body.results.filter(
        ({ event }: { event: string }) => event === 'invoice.acknowledged',
      );
      expect(events).toHaveLength(1);
      expect((await get(`/${ids[name]}`)).body.status).toBe('acknowledged');
    },
  );

  test('of what was rejected, or waits, conflicts with its state', async () => {
    for (const [id, state, caller] of [
      [ids.rejected, 'rejected', {}],
      [ids.live, 'validated', live],
    ] as const) {
      const { status, body } = await acknowledge(id, caller);
      expect([status, body.code]).toEqual([409, 'state_conflict']);
      expect(body.detail).toContain(state);
      expect((await get(`/${id}`, caller)).body.status).toBe(state);
    }
  });

  test('is refused for another tenant and from another environment', async () => {
    const missing = await acknowledge(never);
    expectMissing(await acknowledge(ids.rejected, stranger()), ids.rejected, missing);
    expectMissing(await acknowledge(ids.live), ids.live, missing);
  });
});

describe('production without an endpoint of the authority', () => {
  test('keeps the invoice in validated and says why, and nothing reaches the sandbox', async () => {
    const { body } = await get(`/${ids.live}`, live);
    expect(body).toMatchObject({ status: 'validated', environment: 'live' });
    expect(body.authority_status).toMatch(/^waiting: no endpoint is configured/);
    expect(body.errors).toEqual([]);
    expect((await get(`/${ids.live}/document`, live)).status).toBe(200);
    const { body: events } = await get(`/${ids.live}/events`, live);
    const statuses = events.results.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(['received', 'validating', 'validated']);
  });
});

test('confirmations of the sandbox go to the side table, never into the ERP’s own tables', async () => {
  const { body } = await eventually(async () => {
    const answer = await get(`/${ids.cleared}`);
    expect(answer.body.write_back).toMatchObject({ outcome: 'written' });
    return answer;
  });
  const [row] = harness.erp.rows(
    `select status, uin from einv_status_sandbox where invoice_id = '${ids.cleared}'`,
  );
  expect(row).toMatchObject({ status: 'cleared', uin: body.uin });
  expect(harness.erp.content()).not.toContain(ids.cleared);
});

test('the forwarding of a cleared document to the buyer is shown', async () => {
  await eventually(async () => {
    const { body } = await get(`/${ids.cleared}`);
    const status = expect.stringMatching(/^(sent|delivered)$/);
    expect(body.forwarding).toMatchObject({ status });
  });
});
