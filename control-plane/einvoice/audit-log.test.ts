import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appRoleOf } from '../platform/db/app-role.ts';
import { type Harness, startHarness } from './harness.kit.ts';

interface Event {
  readonly id: string;
  readonly timestamp: string;
  readonly actor: { readonly kind: string; readonly id: string | null };
  readonly action: string;
  readonly subject: string | null;
  readonly outcome: string;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => harness?.stop());

const events = async (query = ''): Promise<Event[]> =>
  (await harness.call(`GET /v1/audit-log?limit=200${query}`)).body.results;

const password = 'hunter2-of-the-erp';
const database = {
  pattern: 'database',
  kind: 'postgres',
  name: 'ERP',
  settings: {
    host: 'erp.example.com',
    database: 'erp',
    user: 'reader',
    password,
    sections: { header: { table: 'invoice', key: 'id', match: 'number' } },
  },
};

test('a change is recorded with who made it, from where, and what differs', async () => {
  const from = { 'x-forwarded-for': '::ffff:203.0.113.9', 'x-request-id': 'req-of-mine' };
  const made = await harness.call('POST /v1/connectors', database, { headers: from });
  expect(made.status, made.text).toBe(201);
  const { id } = made.body;
  await harness.call(`PATCH /v1/connectors/${id}`, { name: 'ERP of Acme' });
  await harness.call(`DELETE /v1/connectors/${id}`);
  const [removed, changed, created] = await events(`&subject=${id}`);
  expect(created).toMatchObject({
    actor: { kind: 'key', id: expect.stringMatching(/^key_/) },
    service: 'einvoice',
    environment: 'sandbox',
    ip: '203.0.113.9',
    request_id: 'req-of-mine',
    action: 'createConnector',
    outcome: 'done',
    before: null,
    after: { name: 'ERP', kind: 'postgres' },
  });
  expect(changed).toMatchObject({ action: 'updateConnector', before: { name: 'ERP' } });
  expect(new Set(Object.keys(changed!.after!))).toEqual(new Set(['name', 'updated_at']));
  expect(removed).toMatchObject({ action: 'deleteConnector', after: null });
});

test('an approval is recorded with the fields that it changed', async () => {
  const path = `/v1/connectors/${harness.acme.connector}/mapping`;
  const { body } = await harness.call(`GET ${path}`);
  const [first, ...rest] = body.fields.map(
    ({ target, from, value, transforms, status }: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries({ target, from, value, transforms, status }).filter(([, it]) => it != null),
      ),
  );
  const changed = { target: first.target, value: 'changed', status: 'proposed' };
  await harness.call(`PUT ${path}`, { mapping: { fields: [changed, ...rest] } });
  await harness.call(`POST ${path}/approve`, {});
  const [approval, change] = await events(`&subject=${harness.acme.connector}%20PINT-AE`);
  expect(change).toMatchObject({
    action: 'replaceMapping',
    after: { [first.target]: { value: 'changed', status: 'proposed' } },
  });
  expect(approval).toMatchObject({
    action: 'approveMapping',
    before: { [first.target]: { status: 'proposed' } },
    after: { [first.target]: { status: 'approved', approved_by: approval!.actor.id } },
  });
  expect(Object.keys(approval!.after!)).toHaveLength(2);
});

test('what a handler does not record itself is recorded all the same', async () => {
  await harness.call('POST /v1/agents/enrolment-tokens', { hostname: 'erp-1' });
  expect(await events('&action=createEnrolmentToken')).toHaveLength(1);
});

test('a key that is refused is recorded once an hour', async () => {
  const { body } = await harness.call('POST /v1/api-keys', { name: 'gone', scopes: ['*'] });
  await harness.call(`DELETE /v1/api-keys/${body.id}`);
  harness.advance(1_001);
  const use = () => harness.call('GET /v1/invoices', undefined, { key: body.key });
  for (let n = 0; n < 3; n += 1) expect((await use()).status).toBe(401);
  const refused = await events(`&subject=${body.id}&outcome=refused`);
  expect(refused).toMatchObject([{ action: 'useKey', after: { code: 'revoked_credentials' } }]);
  harness.advance(3_600_000);
  await use();
  expect(await events(`&subject=${body.id}&outcome=refused`)).toHaveLength(2);
  expect(harness.logged.join('')).toContain(`"by":"${body.id}","ip":"127.0.0.1"`);
});

test('reads, refused requests and submissions leave nothing', async () => {
  const before = await events();
  await harness.call('GET /v1/connectors');
  await harness.call('POST /v1/connectors', { nonsense: true });
  await harness.call('DELETE /v1/connectors/cnx_00000000000000000000000000');
  await harness.submit('nothing');
  expect(await events()).toEqual(before);
});

test('nobody sees the events of another tenant, nor secrets in its own', async () => {
  const other = await harness.call('GET /v1/audit-log', undefined, {
    key: harness.other.keys.sandbox,
  });
  const own = (await events()).map(({ id }) => id);
  expect(other.body.results.filter(({ id }: Event) => own.includes(id))).toEqual([]);
  const { body: key } = await harness.call('POST /v1/api-keys', { name: 'k', scopes: ['*'] });
  const url = { url: 'https://example.com/' };
  const { body: hook } = await harness.call('POST /v1/webhook-endpoints', url);
  const rotate = `POST /v1/webhook-endpoints/${hook.id}/rotate-secret`;
  const { body: rotated } = await harness.call(rotate, {});
  const all = JSON.stringify(await events());
  expect(all).toContain(hook.id);
  for (const secret of [password, key.key, hook.secret, rotated.secret]) {
    expect(all).not.toContain(secret);
  }
});

test('pages follow one another, and times narrow them', async () => {
  const all = await events();
  expect(all.length).toBeGreaterThan(10);
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path = `/v1/audit-log?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { body } = await harness.call(`GET ${path}`);
    seen.push(...body.results.map(({ id }: Event) => id));
    cursor = body.next;
  }
  expect(seen).toEqual(all.map(({ id }) => id));
  const [last] = all;
  const since = await events(`&since=${encodeURIComponent(last!.timestamp)}`);
  expect(since.map(({ id }) => id)).toContain(last!.id);
  expect(since.length).toBeLessThan(all.length);
  const until = await events(`&until=${encodeURIComponent(last!.timestamp)}`);
  expect(until.map(({ id }) => id)).not.toContain(last!.id);
  expect((await harness.call('GET /v1/audit-log?since=1960-01-01T00:00:00Z')).status).toBe(400);
});

test('the export is the same as the list, as lines of JSON or as CSV', async () => {
  const formula = { ...database, name: '=cmd|calc' };
  const { body } = await harness.call('POST /v1/connectors', formula);
  const all = await events();
  const lines = await harness.call('GET /v1/audit-log/export');
  expect(lines.headers.get('content-type')).toContain('application/x-ndjson');
  expect(
    lines.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(all);
  const csv = await harness.call(`GET /v1/audit-log/export?format=csv&subject=${body.id}`);
  expect(csv.headers.get('content-type')).toContain('text/csv');
  const [head, row] = csv.text.split('\r\n');
  expect(head).toBe(
    'id,timestamp,actor_kind,actor_id,service,environment,ip,request_id,action,subject,outcome,before,after',
  );
  expect(row).toContain('""name"":""=cmd|calc""');
});

test('the role of the application cannot change what is recorded, nor remove it', async () => {
  const client = new pg.Client({ connectionString: appRoleOf(harness.databaseUrl).url });
  await client.connect();
  try {
    for (const table of ['audit_event', 'host_audit_event']) {
      for (const statement of [
        `update ${table} set action = 'x'`,
        `delete from ${table}`,
        `truncate ${table}`,
      ]) {
        await expect(client.query(statement), statement).rejects.toThrow('permission denied');
      }
    }
  } finally {
    await client.end();
  }
});
