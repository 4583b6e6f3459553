import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqlAt } from '../../test/kit/postgres.ts';
import { permissions, type Role, roles, roleTable } from '../people/roles/messaging-roles.ts';
import type { AnyRoute } from '../platform/http/route.ts';
import { messagingModule } from './module.ts';
import { type ServiceKit, startService } from './service.kit.ts';
import { prepare, recordedCall } from './voice/voice.kit.ts';

const routes = messagingModule.describe();
const lineOf = ({ method, path }: AnyRoute) => `${method.toUpperCase()} ${path}`;
const guarded = routes.filter(({ auth }) => 'scope' in auth);

let kit: ServiceKit;
const keys = {} as Record<Role, string>;
/** The first tenant's rows for `{id}`, by the path in front of it. */
const ids: Record<string, string> = {};
let stranger: string;

beforeAll(async () => {
  kit = await startService();
  for (const role of roles) keys[role] = await kit.keyOf(role);
  stranger = await kit.keyOf('owner', kit.strangerId);
  const phone = '+971501234567';
  const made = async (path: string, body: unknown) => {
    const answer = await kit.ask(`POST ${path}`, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.id as string;
  };
  ids['/contacts/'] = await made('/contacts/', { phone });
  ids['/contacts/segments/'] = await made('/contacts/segments/', { name: 'VIP' });
  ids['/contacts/opt-outs/'] = await made('/contacts/opt-outs/', {
    channel: 'sms',
    address: phone,
  });
  ids['/tenants/tenant-tags/'] = await made('/tenants/tenant-tags/', { name: 'North' });
  ids['/tenants/api-keys/'] = await made('/tenants/api-keys/', { name: 'k', role: 'agent' });
  ids['/tenants/members/invite/'] = await made('/tenants/members/invite/', {
    email: 'somebody@example.com',
    role: 'agent',
  });
  const file = 'phone\n+971501234567\n';
  const imported = await kit.send('/contacts/bulk-import/', file, { 'content-type': 'text/csv' });
  ids['/contacts/bulk-import/'] = imported.body.id;
  for (const [apps, templates, messages, to] of [
    ['/wa/v1/apps/', '/wa/v1/templates/', '/wa/v1/messages/', undefined],
    ['/sms/v1/apps/', '/sms/v1/templates/', '/sms/v1/messages/', '+60123456789'],
    ['/botchat/v1/bots/', '/botchat/v1/templates/', '/botchat/v1/messages/', undefined],
    ['/rcs/v1/apps/', '/rcs/v1/templates/', '/rcs/v1/messages/', '+60123456789'],
  ] as const) {
    ids[apps] = await made(apps, { name: 'first' });
    const more = apps.startsWith('/wa') ? { language: 'en', category: 'UTILITY' } : {};
    ids[templates] = await made(templates, { name: 'greeting', body: 'Good morning.', ...more });
    const { body } = await kit.ask(`POST ${messages}`, { body: { to, text: 'hello' } });
    // Where no message can be sent yet, an id of the right form.
    ids[messages] = to === undefined ? `msg_${'0'.repeat(26)}` : body.message_id;
  }
  ids['/broadcast/'] = await made('/broadcast/', {
    template: 'greeting',
    segment: 'VIP',
    channel: 'sms',
    schedule_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  ids['/team-inbox/api/canned-replies/'] = await made('/team-inbox/api/canned-replies/', {
    shortcut: 'hi',
    title: 'Hello',
    text: 'Hello',
  });
  ids['/webhook-endpoints/'] = await made('/webhook-endpoints/', {
    url: 'https://receiver.example.com/',
  });
  // Messages are not sent here, so the conversation is written as the intake would write it.
  ids['/team-inbox/api/conversations/'] = ids['/contacts/']!.replace('con_', 'cnv_');
  await sqlAt(
    kit.ownerUrl,
    `insert into conversation (id, tenant_id, environment, contact_id, state, last_item_id,
       last_item, last_channel, created_at, updated_at)
     values ($1, $2, 'sandbox', $3, 'open', 'msg_1', '1', 'wa', now(), now())`,
    [ids['/team-inbox/api/conversations/'], kit.tenantId, ids['/contacts/']],
  );
  for (const [path, prefix] of [
    ['/team-inbox/api/attachments/', 'att'],
    ['/team-inbox/api/exports/', 'exp'],
  ] as const) {
    ids[path] = `${prefix}_${'0'.repeat(26)}`;
  }
  const voice = await prepare(kit);
  ids['/voice/api/provider-configs/'] = voice.configs['twilio-voice']!;
  ids['/voice/api/templates/'] = voice.template;
  const recorded = await recordedCall(kit, voice, 'twilio-voice', '+60312345678');
  ids['/voice/api/calls/'] = recorded.callId;
  ids['/voice/api/recordings/'] = recorded.recordingId;
  const { body } = await kit.ask('GET /tenants/users/');
  ids['/tenants/users/'] = body.results[0].id;
});
afterAll(() => kit.stop());

/** The line with the first tenant's id filled in. */
function filled(row: AnyRoute): string {
  return lineOf(row)
    .replace('{delivery_id}', `dlv_${'0'.repeat(26)}`)
    .replace(/ (.*)\{\w+\}/, (_, before: string) => ` ${before}${ids[before]}`);
}

const greeting = { name: 'a', body: 'Good morning.', language: 'en', category: 'UTILITY' };

/** Bodies that the routes' schemas accept, so that only the id can be at fault. */
const bodies: Record<string, unknown> = {
  'POST /team-inbox/api/conversations/{id}/presence/': { state: 'looking' },
  'PATCH /tenants/users/{id}/': { role: 'agent' },
  'PATCH /contacts/segments/{id}/': { name: 'Other' },
  'POST /team-inbox/api/conversations/{id}/notes/': { text: 'seen' },
  'POST /team-inbox/api/conversations/{id}/reply/': { text: 'hello' },
  'PATCH /broadcast/{id}/': { schedule_at: new Date(Date.now() + 7_200_000).toISOString() },
  'POST /contacts/{id}/merge/': { contact_id: `con_${'0'.repeat(26)}` },
  'POST /contacts/{id}/consents/': { channel: 'sms', state: 'granted' },
  'PATCH /voice/api/templates/{id}/': { name: 'Other' },
  'POST /webhook-endpoints/{id}/replay/': { since: '2026-01-01T00:00:00Z' },
};

test('every route except the public ones names a permission that exists', () => {
  for (const row of guarded) {
    expect(Object.keys(permissions), lineOf(row)).toContain((row.auth as { scope: string }).scope);
  }
  expect(routes.filter((row) => 'public' in row.auth).map(lineOf)).toEqual([
    'POST /token/',
    'POST /refresh/',
    'POST /password/forgot/',
    'POST /password/reset/',
    'POST /tenants/members/accept/',
    'GET /tenants/branding/domain/',
    'GET /tenants/branding/domain/logo/',
    'POST /sms/v1/webhooks/{app_id}/inbound/',
    'GET /sms/v1/webhooks/{app_id}/inbound/',
    'POST /sms/v1/webhooks/{app_id}/dlr/',
    'GET /sms/v1/webhooks/{app_id}/dlr/',
    'POST /botchat/v1/webhooks/{app_id}/',
    'POST /rcs/v1/webhooks/{app_id}/',
    'GET /wa/v1/webhooks/{tenant_id}/',
    'POST /wa/v1/webhooks/{tenant_id}/',
    'GET /l/{code}/',
    'POST /voice/api/callbacks/{config_id}/calls/{call_id}/{what}/',
    'POST /voice/api/callbacks/{config_id}/flow/{call_id}/{count}/{node}/{event}',
  ]);
});

describe.each(guarded.map((row) => [lineOf(row), row] as const))('%s', (line, row) => {
  test('401 without a token, or with an invalid one', async () => {
    for (const as of ['', 'jc_test_nonsense', 'eyJhbGciOiJub25lIn0.e30.']) {
      const { status, body, headers } = await kit.ask(filled(row), { as });
      expect([status, typeof body.detail, typeof body.code]).toEqual([401, 'string', 'string']);
      expect(headers.get('www-authenticate')).toContain('Bearer');
    }
  });

  test('403 for each role that lacks the permission', async () => {
    const { scope } = row.auth as { scope: never };
    for (const role of roles.filter((name) => !roleTable[name].permissions.includes(scope))) {
      const answer = await kit.ask(filled(row), { as: keys[role], body: bodies[line] });
      expect([role, answer.status, answer.body.code]).toEqual([role, 403, 'not_permitted']);
    }
  });
});

const withId = guarded.filter(({ path }) => path.includes('{'));

test.each(withId.map((row) => [lineOf(row), row] as const))(
  "%s: 404 for another tenant's id",
  async (line, row) => {
    const isBare = row.method === 'get' || row.method === 'delete';
    const body = isBare ? undefined : (bodies[line] ?? {});
    const answer = await kit.ask(filled(row), { as: stranger, body });
    expect([answer.status, answer.body.code]).toEqual([404, expect.stringContaining('not_found')]);
  },
);

test.each([
  [
    'POST /sms/v1/messages/',
    () => ({ to: '+60123456789', text: 'x', app_id: ids['/sms/v1/apps/'] }),
  ],
  ['POST /sms/v1/messages/', () => ({ contact_id: ids['/contacts/'], text: 'x' })],
  [
    'POST /rcs/v1/capabilities/',
    () => ({ phones: ['+60123456789'], app_id: ids['/rcs/v1/apps/'] }),
  ],
  ['POST /wa/v1/templates/', () => ({ ...greeting, app_id: ids['/wa/v1/apps/'] })],
  ['POST /broadcast/', () => ({ template: 'greeting', segment: 'VIP', channel: 'sms' })],
])("%s: another tenant's things in the body are not found", async (line, body) => {
  const answer = await kit.ask(line, { as: stranger, body: body() });
  expect([answer.status, answer.body.code]).toEqual([404, expect.stringContaining('not_found')]);
});

test("another tenant's segment is not found in a query or a filter", async () => {
  const query = { all: [{ segment_id: ids['/contacts/segments/'] }] };
  const asked = { as: stranger, body: { name: 'Peek', query } };
  expect((await kit.ask('POST /contacts/segments/', asked)).status).toBe(400);
  expect((await kit.ask('GET /contacts/?segment=VIP', { as: stranger })).body.results).toEqual([]);
});

test('after all these requests, nothing of the tenant is gone', async () => {
  for (const [path, id] of Object.entries(ids)) {
    if (id.endsWith('0'.repeat(26))) continue;
    const isList = path !== '/contacts/bulk-import/';
    const { body } = await kit.ask(`GET ${path}${isList ? '' : `${id}/`}`);
    expect(JSON.stringify(body), path).toContain(id);
  }
});
