import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlAt } from '../../test/kit/postgres.ts';
import {
  accounts,
  describeLists,
  idOf,
  rowsOf,
  rowsOfEach,
} from '../platform/http/paging.suite.ts';
import { messagingModule } from './module.ts';
import { type ServiceKit, startService } from './service.kit.ts';
import { fromNumber } from './voice/voice.kit.ts';

const routes = messagingModule.describe();

/** Rows of the sandbox, five of a list, such that no worker has anything to do with them. */
const environment = "'sandbox'";
const now = 'now()';
const madeAt = { created_at: now, updated_at: now };
const message = {
  environment,
  direction: "'out'",
  app_id: "'app_1'",
  address: "'+971501234' || 100 + n",
  content: "'{}'",
  preview: "'hello ' || n",
  status: "'delivered'",
  created_at: now,
};
const contactOfConversation = 'n * 2 % 5 + 1';
/** The newest message of a contact, or its call. */
const newestItem = `greatest(300 + ${contactOfConversation}, 90 * (${contactOfConversation}))`;
const conversation = { environment, conversation_id: idOf('cnv', '1') };
const endpoint = 'whe_00000000000000000000000001';
const statements = [
  rowsOf('member', { user_id: idOf('usr'), role: "'agent'", created_at: now }),
  `insert into webhook_endpoint (tenant_id, id, service, environment, url, state, disabled_reason, secrets)
   values ($1, '${endpoint}', 'messaging', 'sandbox', 'https://r.example.com/0', 'disabled', 'requested', '[]')`,
  rowsOf('webhook_event', {
    environment,
    id: idOf('evt'),
    service: "'messaging'",
    type: "'message.sent'",
    subject_id: idOf('msg'),
    payload: "'{}'",
    created_at: now,
  }),
  rowsOf('webhook_delivery', {
    environment,
    endpoint_id: `'${endpoint}'`,
    event_id: idOf('evt'),
    subject_id: idOf('msg'),
    state: "'delivered'",
  }),
  rowsOf('contact', {
    environment,
    id: idOf('con'),
    name: "'Person ' || n",
    attributes: `'{"city": "Dubai"}'`,
    ...madeAt,
  }),
  rowsOf('segment', { environment, id: idOf('seg'), name: "'Segment ' || n", created_at: now }),
  rowsOf('contact_segment', { environment, segment_id: idOf('seg', '1'), contact_id: idOf('con') }),
  rowsOf('opt_out', {
    environment,
    id: idOf('opt'),
    channel: "'sms'",
    address: "'+97150123' || 1000 + n",
    source: "'api'",
    created_at: now,
  }),
  rowsOf('tag', { id: idOf('tag'), name: "'Tag ' || n", created_at: now }),
  "insert into wallet (tenant_id, environment, currency) values ($1, 'sandbox', 'USD')",
  rowsOf('wallet_entry', {
    environment,
    id: idOf('wle'),
    kind: "'charge'",
    amount: '-1',
    balance_after: '100 - n',
    reference: idOf('msg'),
    created_at: now,
  }),
  rowsOf('unrouted_webhook', {
    environment,
    id: idOf('unr'),
    channel: "'wa'",
    number: "'971501234567'",
    provider: "'whatsapp'",
    counts: `'{"messages": 1}'`,
    body: "'{}'",
    received_at: now,
  }),
  ...['wa', 'sms', 'botchat', 'rcs'].flatMap((channel, at) => [
    rowsOf('message', {
      ...message,
      channel: `'${channel}'`,
      id: idOf('msg', `${at}00 + n`),
      contact_id: idOf('con'),
    }),
    rowsOf('message_template', {
      environment,
      id: idOf('tpl', `${at}0 + n`),
      channel: `'${channel}'`,
      name: "'template_' || n",
      language: "'en'",
      category: "'UTILITY'",
      definition: `'{"body": "Hello"}'`,
      status: "'approved'",
      ...madeAt,
    }),
  ]),
  rowsOf('broadcast', {
    environment,
    id: idOf('brc'),
    channel: "'sms'",
    app_id: idOf('app'),
    template_id: idOf('tpl'),
    template: "'template_1'",
    language: "'en'",
    segment_id: idOf('seg', '1'),
    segment: "'Segment 1'",
    variables: "'{}'",
    time_zone: "'UTC'",
    require_consent: 'false',
    track_urls: 'true',
    schedule_at: now,
    state: "'completed'",
    recipients: '1',
    author: "'key_1'",
    ...madeAt,
  }),
  // Of the second and the fourth broadcast; the others have none.
  ...[2, 4].map((broadcast) =>
    rowsOf('message', {
      ...message,
      channel: "'sms'",
      id: idOf('msg', `${broadcast}000 + n`),
      broadcast_id: idOf('brc', `${broadcast}`),
    }),
  ),
  rowsOf('tracked_url', {
    environment,
    id: idOf('url'),
    broadcast_id: idOf('brc'),
    url: "'https://shop.example/' || n",
    links: '1',
  }),
  rowsOf('link_click', {
    environment,
    id: idOf('clk'),
    broadcast_id: idOf('brc'),
    message_id: idOf('msg', '2000 + n'),
    url_id: idOf('url'),
    code: "'c'",
    is_bot: 'false',
    clicked_at: now,
  }),
  // The order of the newest items is not that of the conversations.
  rowsOf('conversation', {
    environment,
    id: idOf('cnv'),
    contact_id: idOf('con', contactOfConversation),
    state: "'open'",
    last_item_id: idOf('msg', newestItem),
    last_item: `lpad((${newestItem})::text, 26, '0')`,
    last_channel: "'wa'",
    // Some have waited equally long.
    waiting_since: "date_trunc('milliseconds', now()) - (n % 3) * interval '1 hour'",
    ...madeAt,
  }),
  rowsOf('conversation_event', {
    ...conversation,
    id: idOf('cev'),
    type: "'opened'",
    created_at: now,
  }),
  rowsOf('conversation_note', {
    ...conversation,
    id: idOf('not'),
    author: "'usr_1'",
    text: "'note ' || n",
    created_at: now,
  }),
  rowsOf('conversation_attachment', {
    ...conversation,
    id: idOf('att'),
    name: "'file ' || n",
    media_type: "'text/plain'",
    bytes: '1',
    sha256: "repeat('0', 64)",
    object_key: "'none'",
    author: "'usr_1'",
    created_at: now,
  }),
  // Calls stand among the messages: before, between and after them.
  rowsOf('inbox_call', {
    environment,
    id: idOf('call', 'n * 90'),
    contact_id: idOf('con'),
    direction: "'out'",
    status: "'completed'",
    item: "lpad((n * 90)::text, 26, '0')",
    created_at: now,
  }),
  rowsOf('canned_reply', {
    environment,
    id: idOf('can'),
    shortcut: "'reply-' || n",
    title: "'Reply'",
    text: "'Hello'",
    ...madeAt,
  }),
  rowsOf('voice_template', {
    environment,
    id: idOf('vtp'),
    name: "'Flow ' || n",
    flow: "'{}'",
    created_at: now,
  }),
  rowsOf('voice_rate', {
    environment,
    id: idOf('rat'),
    prefix: "'+9' || n",
    currency: "'USD'",
    per_minute: '1',
    connection_fee: '0',
    first_seconds: '1',
    step_seconds: '1',
    valid_from: now,
    created_at: now,
  }),
  rowsOf('voice_call', {
    environment,
    id: idOf('call'),
    provider_id: '(select max(id) from voice_provider where tenant_id = $1)',
    template_id: idOf('vtp'),
    to_number: "'+971501234567'",
    from_number: "'+60312345678'",
    variables: "'{}'",
    is_recorded: 'false',
    machine_detection: "'off'",
    limit_seconds: '60',
    status: "'completed'",
    intent: "'placed'",
    flow_state: "'{}'",
    rate: "'{}'",
    currency: "'USD'",
    reserved: '0',
    created_at: now,
  }),
  rowsOf('voice_call_event', {
    environment,
    id: idOf('cev'),
    call_id: idOf('call', '1'),
    kind: "'answered'",
    once: 'n',
    data: "'{}'",
    at: now,
  }),
  rowsOf('voice_recording', {
    environment,
    id: idOf('rec'),
    call_id: idOf('call', '1'),
    provider_recording_id: 'n',
    state: "'deleted'",
    created_at: now,
    delete_after: now,
  }),
  rowsOf('voice_recording_consent', {
    environment,
    id: idOf('rcn'),
    phone: "'+971501234567'",
    state: "'granted'",
    method: "'written'",
    evidence: "'form'",
    recorded_by: "'key_1'",
    given_at: now,
    created_at: now,
  }),
];

/** What is made through the API, as it holds secrets. */
const requests: readonly (readonly [line: string, body: (n: number) => object])[] = [
  ['POST /wa/v1/apps/', (n) => ({ name: `WhatsApp ${n}` })],
  ['POST /sms/v1/apps/', (n) => ({ name: `SMS ${n}` })],
  ['POST /botchat/v1/bots/', (n) => ({ name: `Bot ${n}` })],
  ['POST /rcs/v1/apps/', (n) => ({ name: `RCS ${n}` })],
  ['POST /tenants/api-keys/', (n) => ({ name: `Key ${n}`, role: 'agent' })],
  ['POST /tenants/members/invite/', (n) => ({ email: `p${n}@example.com`, role: 'agent' })],
  ['POST /webhook-endpoints/', (n) => ({ url: `https://r.example.com/${n}` })],
  [
    'POST /voice/api/provider-configs/',
    (n) => ({ name: `Provider ${n}`, provider: 'twilio-voice', from_number: fromNumber }),
  ],
];

let kit: ServiceKit;
beforeAll(async () => {
  kit = await startService();
  for (const [line, body] of requests) {
    for (let n = 0; n < rowsOfEach; n += 1) {
      const made = await kit.ask(line, { body: body(n) });
      expect([line, made.status, made.body]).toEqual([line, 201, expect.anything()]);
    }
  }
  await sqlAt(kit.ownerUrl, accounts);
  await kit.app.platform.db.tenant(kit.tenantId, async (tx) => {
    for (const sql of statements) await tx.run(sql, [kit.tenantId]);
  });
});
afterAll(() => kit.stop());

const conversationPath = `/team-inbox/api/conversations/cnv_${'1'.padStart(26, '0')}/`;

describeLists({
  routes,
  service: () => ({ get: (path) => kit.ask(`GET ${path}`) }),
  places: {
    '/webhook-endpoints/{id}/deliveries/': `/webhook-endpoints/${endpoint}/deliveries/`,
    '/team-inbox/api/conversations/{id}/history/': `${conversationPath}history/`,
    '/team-inbox/api/conversations/{id}/notes/': `${conversationPath}notes/`,
    '/team-inbox/api/conversations/{id}/attachments/': `${conversationPath}attachments/`,
  },
  more: [
    '/broadcast/messages/?broadcast=brc_00000000000000000000000002',
    '/broadcast/messages/?broadcast=brc_00000000000000000000000004&status=delivered',
    '/broadcast/url-tracking/?by=url',
    '/contacts/?text=person',
    '/contacts/?segment=Segment%201',
    '/contacts/?attribute=city:Dubai&created_after=1970-01-01T00:00:00Z',
    '/team-inbox/api/conversations/?state=open&assignee=none',
    '/team-inbox/api/conversations/?order=longest_wait',
    '/team-inbox/api/team/?former=true',
    '/team-inbox/api/messages/?channel=sms',
    '/team-inbox/api/messages/?channel=voice',
    '/team-inbox/api/messages/?state=open&since=1970-01-01T00:00:00Z',
    '/team-inbox/api/messages/?text=hello',
    '/team-inbox/api/messages/?text=hell*&state=open&until=2100-01-01T00:00:00Z',
    '/voice/api/recordings/?to=%2B971501234567',
    `/webhook-endpoints/${endpoint}/deliveries/?state=delivered`,
  ],
});

const nobodys = 'does-not-exist';
const things = routes.filter(({ auth, request }) => {
  const names = Object.keys(request?.params?.shape ?? {});
  const params = Object.fromEntries(names.map((name) => [name, nobodys]));
  return 'scope' in auth && request?.params?.safeParse(params).success === false;
});

test('there are ids', () => expect(things.length).toBeGreaterThan(50));

test.each(things.map(({ method, path }) => [method.toUpperCase(), path]))(
  '%s %s answers 404 to an unknown id',
  async (method, path) => {
    const url = path.replace(/\{\w+\}/g, nobodys);
    const takesBody = method !== 'GET' && method !== 'DELETE';
    const { status, body } = await kit.ask(`${method} ${url}`, takesBody ? { body: {} } : {});
    expect([status, body.code]).toEqual([404, expect.stringMatching(/_?not_found$/)]);
  },
);
