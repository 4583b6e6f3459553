import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../test/kit/eventually.ts';
import { enrolmentBody, newKeys } from '../agents/simulator.ts';
import { openapiFile } from '../openapi/contract-route.ts';
import { issueKey } from '../platform/auth/issue.ts';
import { startReceiver } from '../webhooks/delivery.kit.ts';
import { goodRef } from './erp.kit.ts';
import { type Answer, type Caller, type Harness, startHarness } from './harness.kit.ts';
import { einvoiceModule } from './module.ts';

const routes = einvoiceModule.describe();

/** A valid body for each operation, so that the test gets as far as the id in the path. */
const bodies: Readonly<Record<string, object | undefined>> = {
  withdrawInvoice: {},
  respondToSupplier: { status: 'accepted' },
  submitInvoice: { connector_id: 'cnx_x', source_ref: 'x' },
  validateInvoice: { connector_id: 'cnx_x', source_ref: 'x' },
  createConnector: { pattern: 'API', kind: 'http', name: 'x' },
  updateConnector: { name: 'taken over' },
  replaceMapping: { mapping: { fields: [] } },
  approveMapping: {},
  createWebhookEndpoint: { url: 'https://example.com/' },
  updateWebhookEndpoint: { description: 'taken over' },
  rotateWebhookSecret: {},
  replayWebhookEvents: { since: '2026-01-01T00:00:00Z' },
  importReceived: {},
  createEnrolmentToken: {},
  issueApiKey: { name: 'x', scopes: ['invoices:read'] },
  updateApiKey: { name: 'taken over' },
  takeBundle: {
    format: 'drawbridge-bundle/1',
    from: 'agent',
    agent_id: 'agt_x',
    number: 1,
    created_at: '2026-01-01T00:00:00Z',
    control_plane_key: `${'A'.repeat(43)}=`,
    sealed: 'AAAA',
    signature: `${'A'.repeat(86)}==`,
  },
  enrolAgent: { control_plane_key: `${'A'.repeat(43)}=`, sealed: 'AAAA' },
};

let harness: Harness;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
/** Acme's own ids by the beginning of their path. */
const own: Record<string, string> = {};
beforeAll(async () => {
  harness = await startHarness({ SUBMIT_LIMIT: '1000' });
  receiver = await startReceiver();
  own['/v1/connectors'] = harness.acme.connector;
  const hook = await harness.call('POST /v1/webhook-endpoints', { url: receiver.url });
  own['/v1/webhook-endpoints'] = hook.body.id;
  own['/v1/invoices'] = (await harness.submit(goodRef('AE'))).body.id;
  const { body } = await harness.call('POST /v1/agents/enrolment-tokens', {});
  const applicant = enrolmentBody(body.token, newKeys().publicKey);
  const enrolled = await harness.call('POST /v1/agents/enrol', applicant);
  own['/v1/agents'] = enrolled.body.agent_id;
  own['/v1/received'] = `rcv_${hook.body.id.slice(4)}`;
  await harness.sql(
    `insert into received_document (tenant_id, id, environment, source, network_id, status, checks,
       received_at, updated_at)
     values (current_tenant(), $1, 'sandbox', 'peppol', 'x', 'received',
       '{"schema": "passed", "business_rules": "passed"}', now(), now())`,
    [own['/v1/received']],
  );
  const key = await harness.call('POST /v1/api-keys', bodies.issueApiKey);
  own['/v1/api-keys'] = key.body.id;
  await receiver.until(3);
  const sent = await harness.call(`GET /v1/webhook-endpoints/${hook.body.id}/deliveries`);
  own.delivery = sent.body.results[0].id;
});
afterAll(async () => {
  await harness?.stop();
  await receiver?.close();
});

const never = (id: string) =>
  id.replace(/_(.*)$/, (_, rest: string) => `_${'0'.repeat(rest.length)}`);
const withId = (path: string, id: string) =>
  path.replace('{id}', id).replace('{delivery_id}', own.delivery ?? '');
const ownId = (path: string) => own[path.slice(0, path.indexOf('/{'))]!;
const ask = (row: (typeof routes)[number], path: string, caller: Caller): Promise<Answer> =>
  harness.call(`${row.method.toUpperCase()} ${path}`, bodies[row.operationId], caller);

const keyed = routes.filter(({ auth }) => 'scope' in auth);
/**
 * An address in a network is one tenant's, and another is told that it is taken. People, their sessions
 * and invitations are tried in people.test.ts.
 */
const triedElsewhere = /^\/v1\/(participants|members|sessions|invitations)\//;
const named = keyed.filter(({ path }) => path.includes('{id}') && !triedElsewhere.test(path));

test('only enrolment, sign-in and what a network brings is public', () => {
  const open = routes.filter(({ auth }) => 'public' in auth);
  expect(open.map(({ operationId }) => operationId).sort()).toEqual([
    'acceptInvitation',
    'beginBrowserSession',
    'beginProviderSignIn',
    'createToken',
    'enrolAgent',
    'finishProviderSignIn',
    'logOutByProvider',
    'receiveNetworkDocument',
    'refreshToken',
    'requestPasswordReset',
    'resetPassword',
  ]);
  expect(keyed.every(({ limit }) => limit !== undefined)).toBe(true);
});

test.each(keyed)(
  '$operationId: without a key, or with one of elsewhere, it tells nothing',
  async (row) => {
    const path = withId(row.path, row.path.includes('{id}') ? (ownId(row.path) ?? '0235:1') : '');
    const expected: [string, Caller][] = [
      ['missing_credentials', { key: null }],
      ['invalid_credentials', { key: 'sk_test_x' }],
      ['wrong_environment', { key: harness.acme.keys.live }],
      ['wrong_environment', { key: harness.acme.keys.sandbox, environment: 'live' }],
    ];
    for (const [code, caller] of expected) {
      const answer = await ask(row, path, caller);
      expect([answer.status, answer.body.code]).toEqual([401, code]);
      expect(Object.keys(answer.body).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
        'code',
        'detail',
        'request_id',
      ]);
    }
  },
);

test.each(named)(
  '$operationId: what is another tenant’s is as missing as what never was',
  async (row) => {
    const id = ownId(row.path);
    const caller = { key: harness.other.keys.sandbox };
    const shape = ({ status, text, body }: Answer, of: string) => [
      status,
      text.replaceAll(body.request_id, 'R').replaceAll(of, 'ID'),
    ];
    const theirs = await ask(row, withId(row.path, id), caller);
    expect(theirs.status).toBe(404);
    const missing = await ask(row, withId(row.path, never(id)), caller);
    expect(shape(theirs, id)).toEqual(shape(missing, never(id)));
  },
);

test('after these requests everything of acme is as it was', async () => {
  for (const [path, id] of Object.entries(own).filter(([name]) => name.startsWith('/'))) {
    const { status, text } = await harness.call(`GET ${path}/${id}`);
    expect(status).toBe(200);
    expect(text).not.toContain('taken over');
  }
});

describe('an id of another tenant within a body gives the same 404 as an unknown one', () => {
  const other = () => ({ key: harness.other.keys.sandbox });
  const agent = (agent_id: string) => ({
    pattern: 'agent',
    kind: 'agent',
    name: 'x',
    agent_id,
    settings: { connector: 'erp' },
  });
  test.each([
    [
      'POST /v1/invoices',
      '/v1/connectors',
      (id: string) => ({ connector_id: id, source_ref: 'x' }),
    ],
    [
      'POST /v1/validate',
      '/v1/connectors',
      (id: string) => ({ connector_id: id, source_ref: 'x' }),
    ],
    ['POST /v1/connectors', '/v1/agents', agent],
  ])('%s', async (line, of, body) => {
    const id = own[of]!;
    const answers = [id, never(id)].map(async (each) => {
      const { status, body: problem } = await harness.call(line, body(each), other());
      return [status, problem.code, problem.detail.replace(each, 'ID')];
    });
    const [theirs, missing] = await Promise.all(answers);
    expect(theirs![0]).toBe(404);
    expect(theirs).toEqual(missing);
  });
});

test('a body may be left out where nothing in it is required', () => {
  const wanting = routes.filter(({ method, request }) => {
    const { body } = request ?? {};
    return method !== 'patch' && body?.safeParse({}).success && !body.safeParse(undefined).success;
  });
  expect(wanting.map(({ path }) => path)).toEqual([]);
});

/** POSTs that make something without an Idempotency-Key, with the reason. */
const withoutKey: Readonly<Record<string, string>> = {
  '/v1/password/forgot': 'it makes a mail, of which no more than three are open',
  '/v1/invitations/accept': 'the token of the mail is valid once',
  '/v1/received/{id}/import': 'a document is imported once, however often this is requested',
  '/v1/received/{id}/undo': 'an import is undone once, however often this is requested',
  '/v1/received/{id}/respond': 'the same answer again changes nothing',
  '/v1/networks/{network}/documents': 'a message is kept once',
  '/v1/webhook-endpoints/{id}/deliveries/{delivery_id}/resend':
    'receivers drop repeats by webhook-id, and its purpose is to send again',
  '/v1/agents/enrolment-tokens': 'a token is shown once, and one that was lost ends by itself',
  '/v1/agents/enrol': 'a token enrols one agent',
  '/v1/agents/{id}/bundles': 'a bundle is taken once by its number',
};

test('every POST that makes something takes an Idempotency-Key, or says why not', () => {
  const making = routes.filter(
    ({ method, responses }) => method === 'post' && ('201' in responses || '202' in responses),
  );
  const [keyedOnes, bare] = [true, false].map((isKeyed) =>
    making.filter(
      ({ request }) => (request?.headers?.shape?.['idempotency-key'] !== undefined) === isKeyed,
    ),
  );
  expect(new Set(bare!.map(({ path }) => path))).toEqual(new Set(Object.keys(withoutKey)));
  for (const { path, errors } of keyedOnes!) {
    expect([path, errors]).toEqual([
      path,
      expect.arrayContaining(['idempotency_payload_mismatch']),
    ]);
  }
});

describe('over the limit', () => {
  test('a request gets 429 with the time to ask again, and makes nothing', async () => {
    const { db, random } = harness.app.platform;
    const request = { family: 'sk', environment: 'sandbox', name: 'fresh' } as const;
    const { text: key } = await issueKey(db, harness.acme.id, request, random);
    const limit = (limits: string) =>
      harness.sql('select set_tenant_limits($1, $2)', [harness.acme.id, limits]);
    await limit('{"submit": 2}');
    const headers = { prefer: 'respond-async' };
    const before = await harness.sql('select count(*) from invoice');
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => harness.submit(goodRef('AE'), {}, { headers, key })),
    );
    await limit('{}');
    harness.advance(1_000); // what is known of keys is forgotten
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(4);
    for (const { body, headers: shown } of refused) {
      expect(body).toMatchObject({
        code: 'rate_limited',
        detail: expect.stringMatching(/\w+ \w+/),
      });
      expect(body).not.toHaveProperty('id');
      expect(Number(shown.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(shown.get('ratelimit')).toMatch(/^"submit";r=0;t=\d+$/);
      expect(shown.get('ratelimit-policy')).toBe('"submit";q=2;w=1');
    }
    const [{ count }] = before as [{ count: number }];
    expect(await harness.sql('select count(*) from invoice')).toEqual([{ count: count + 2 }]);
    expect((await harness.call('GET /v1/invoices', undefined, { key })).status).toBe(200);
  });

  test('below it every answer states what remains', async () => {
    const { headers } = await harness.call('GET /v1/invoices');
    expect(headers.get('ratelimit-policy')).toMatch(/^"read";q=10000;w=1$/);
    expect(headers.get('ratelimit')).toMatch(/^"read";r=\d+;t=\d+$/);
    expect(headers.has('retry-after')).toBe(false);
  });
});

test('webhooks name their environment, and none of production goes to a local address', async () => {
  const live = await harness.submit(goodRef('AE'), {}, { environment: 'live' });
  const sandbox = await harness.submit('NO-SUCH');
  const eventsFor = (id: string) =>
    receiver.received
      .filter(({ body }) => JSON.parse(body).id === id)
      .map(({ headers, body }) => `${headers['x-environment']} ${JSON.parse(body).event}`);
  const path = `/v1/webhook-endpoints/${own['/v1/webhook-endpoints']}/deliveries`;
  await eventually(async () => {
    expect(eventsFor(sandbox.body.id)).toEqual([
      'sandbox invoice.received',
      'sandbox invoice.validating',
      'sandbox invoice.rejected',
    ]);
    const { body } = await harness.call(`GET ${path}`, undefined, { environment: 'live' });
    const [last] = body.results.filter(
      (each: { subject_id: string; attempts: unknown[] }) =>
        each.subject_id === live.body.id && each.attempts.length > 0,
    );
    expect(last).toMatchObject({ environment: 'live', attempts: [{ status: null }] });
  });
  expect(eventsFor(live.body.id)).toEqual([]);
  const { text } = await harness.call(`GET ${path}`);
  expect(text).not.toContain(live.body.id);
});

describe('the OpenAPI file', () => {
  interface Document {
    readonly openapi: string;
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  }
  interface Operation {
    readonly operationId: string;
    readonly parameters: readonly { readonly name: string; readonly in: string }[];
    readonly requestBody?: {
      readonly content: Readonly<Record<string, { readonly example: object }>>;
    };
    readonly responses: Readonly<Record<string, unknown>>;
    readonly summary: string;
  }
  const read = async () => JSON.parse(await readFile(openapiFile('einvoice'), 'utf8')) as Document;

  test('is 3.1 and holds every route, and no other', async () => {
    const { openapi, paths } = await read();
    expect(openapi).toBe('3.1.0');
    const there = Object.entries(paths).flatMap(([path, row]) =>
      Object.entries(row).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
    );
    const rows = routes.map(({ method, path, operationId }) => `${method} ${path} ${operationId}`);
    expect(new Set(there)).toEqual(new Set(rows));
    expect(there).toHaveLength(rows.length);
  });

  test('describes for submissions every answer that the specification lists', async () => {
    const { paths } = await read();
    const { parameters, responses } = paths['/v1/invoices']!.post!;
    expect(parameters.map(({ name }) => name)).toEqual(['Idempotency-Key', 'Prefer']);
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(['202', '400', '401', '404', '409', '422', '429', '500', '503']),
    );
  });

  test.each([
    ['POST', '/v1/connectors'],
    ['PATCH', '/v1/connectors/{id}'],
    ['PUT', '/v1/company'],
    ['POST', '/v1/webhook-endpoints/{id}/replay'],
    ['POST', '/v1/webhook-endpoints/{id}/rotate-secret'],
    ['PATCH', '/v1/webhook-endpoints/{id}'],
    ['POST', '/v1/agents/enrolment-tokens'],
    ['POST', '/v1/api-keys'],
    ['PATCH', '/v1/api-keys/{id}'],
  ])('has an example for %s %s that is taken as it stands', async (method, path) => {
    const { paths } = await read();
    const { requestBody } = paths[path]![method.toLowerCase()]!;
    const { example } = requestBody!.content['application/json']!;
    const { status, text } = await harness.call(`${method} ${withId(path, ownId(path))}`, example);
    expect(status, text).toBeLessThan(300);
  });
});
