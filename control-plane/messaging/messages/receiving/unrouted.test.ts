import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, type ServiceKit, startService } from '../../service.kit.ts';

let service: ServiceKit;
let app: Answer['body'];
let settings: Readonly<Record<string, string>>;

beforeAll(async () => {
  service = await startService();
  app = (await service.ask('POST /wa/v1/apps/', { body: { name: 'first' } })).body;
  settings = await service.settingsOf(app.id);
});
afterAll(() => service.stop());

let serial = 0;

/** What the network sends of a message to one number and a status of another. */
function envelope(numbers: { readonly inbound?: string; readonly status?: string }) {
  const change = (number: string, more: object) => ({
    field: 'messages',
    value: {
      messaging_product: 'whatsapp',
      metadata: { phone_number_id: number, display_phone_number: '60123' },
      ...more,
    },
  });
  const at = String(Math.floor(Date.now() / 1_000));
  const id = `wamid.${(serial += 1)}`;
  const { inbound, status } = numbers;
  const written = { from: '60123457777', id, timestamp: at, type: 'text', text: { body: id } };
  const changes = [
    ...(inbound === undefined ? [] : [change(inbound, { messages: [written] })]),
    ...(status === undefined
      ? []
      : [
          change(status, {
            statuses: [{ id: 'wamid.x', status: 'delivered', timestamp: at, recipient_id: '6012' }],
          }),
        ]),
  ];
  return { id, body: { object: 'whatsapp_business_account', entry: [{ id: '1', changes }] } };
}

async function receive(body: object, secret = settings.app_secret!): Promise<number> {
  const text = JSON.stringify(body);
  const digest = createHmac('sha256', secret).update(text).digest('hex');
  const headers = {
    authorization: '',
    'content-type': 'application/json',
    'x-hub-signature-256': `sha256=${digest}`,
  };
  return (await service.send(`/wa/v1/webhooks/${service.tenantId}/`, text, headers)).status;
}

const inbox = async () =>
  (await service.ask('GET /wa/v1/messages/?limit=100')).body.results as Answer['body'][];
const unrouted = async (as?: string) =>
  (await service.ask('GET /wa/v1/unrouted/', { as })).body.results;

test('what is for an unknown number is kept and not given to the first app; later it is replayed', async () => {
  const own = envelope({ inbound: settings.phone_number_id! });
  expect(await receive(own.body)).toBe(200);
  const foreign = envelope({ inbound: '188000000000001', status: '188000000000001' });
  expect(await receive(foreign.body)).toBe(200);
  const mixed = envelope({ inbound: settings.phone_number_id!, status: '188000000000002' });
  expect(await receive(mixed.body)).toBe(200);

  const previews = (await inbox()).map(({ preview }) => preview);
  expect(previews).toEqual(expect.arrayContaining([own.id, mixed.id]));
  expect(previews).not.toContain(foreign.id);
  expect(await unrouted()).toMatchObject([
    { phone_number_id: '188000000000002', counts: { report: 1 } },
    { phone_number_id: '188000000000001', counts: { inbound: 1, report: 1 } },
  ]);

  const replay = () => service.ask('POST /wa/v1/unrouted/replay/', { body: {} });
  expect((await replay()).body).toEqual({ replayed: 0, is_complete: true });
  const second = await service.ask('POST /wa/v1/apps/', {
    body: { name: 'second', settings: { phone_number_id: '188000000000001' } },
  });
  expect(second.status, JSON.stringify(second.body)).toBe(201);
  expect((await replay()).body).toEqual({ replayed: 1, is_complete: true });
  const found = (await inbox()).find(({ preview }) => preview === foreign.id);
  expect(found).toMatchObject({ app_id: second.body.id, direction: 'in' });
  expect(await unrouted()).toHaveLength(1);
  expect((await replay()).body.replayed).toBe(0);
});

test('another tenant neither sees them nor gets them by an app with the number', async () => {
  const foreign = envelope({ inbound: '188000000000003' });
  expect(await receive(foreign.body)).toBe(200);
  const stranger = await service.keyOf('owner', service.strangerId);
  expect(await unrouted(stranger)).toEqual([]);
  const body = { name: 'theirs', settings: { phone_number_id: '188000000000003' } };
  await service.ask('POST /wa/v1/apps/', { as: stranger, body });
  const replayed = await service.ask('POST /wa/v1/unrouted/replay/', { as: stranger, body: {} });
  expect(replayed.body.replayed).toBe(0);
  const theirs = await service.ask('GET /wa/v1/messages/', { as: stranger });
  expect(theirs.body.results).toEqual([]);
});

test('of a webhook that names many numbers a few are kept, and one of too many events is none', async () => {
  const before = (await service.ask('GET /wa/v1/unrouted/?limit=200')).body.results.length;
  const of = (number: string, count: number) => ({
    field: 'messages',
    value: {
      metadata: { phone_number_id: number },
      statuses: Array.from({ length: count }, (_, n) => ({ id: `wamid.${n}`, status: 'read' })),
    },
  });
  const numbers = Array.from({ length: 60 }, (_, n) => of(`17700000000${n}`, 1));
  expect(await receive({ entry: [{ id: '1', changes: numbers }] })).toBe(200);
  const after = (await service.ask('GET /wa/v1/unrouted/?limit=200')).body.results.length;
  expect(after - before).toBe(20);
  expect(await receive({ entry: [{ id: '1', changes: [of('1', 2_001)] }] })).toBe(400);
});

test('what one app takes unsigned, or its secret signs, tells nothing of the number and account of another', async () => {
  const add = async (name: string, more: object) =>
    (await service.ask('POST /wa/v1/apps/', { body: { name, ...more } })).body;
  const own = { phone_number_id: '155000000000001', waba_id: '155000000000009' };
  const guarded = await add('guarded', { settings: { ...own, app_secret: 'guarded_secret_0123' } });
  const open = await add('open', { settings: { phone_number_id: '155000000000002' } });
  const stop = {
    entry: [
      {
        id: own.waba_id,
        changes: [{ field: 'account_update', value: { event: 'DISABLED_UPDATE' } }],
      },
    ],
  };
  const forged = envelope({ inbound: own.phone_number_id });
  for (const secret of ['nobody', settings.app_secret!]) {
    await service.ask(`PATCH /wa/v1/apps/${open.id}/`, { body: { allow_unsigned: true } });
    expect(await receive(forged.body, secret)).toBe(401);
    expect(await receive(stop, secret)).toBe(401);
  }
  expect((await inbox()).map(({ preview }) => preview)).not.toContain(forged.id);
  expect((await service.ask(`GET /wa/v1/apps/${guarded.id}/`)).body.state).toBe('active');
  // Both still take what is theirs.
  expect(await receive(forged.body, 'guarded_secret_0123')).toBe(200);
  const unsigned = envelope({ inbound: '155000000000002' });
  expect(await receive(unsigned.body, 'nobody')).toBe(200);
  const previews = (await inbox()).map(({ preview }) => preview);
  expect(previews).toEqual(expect.arrayContaining([forged.id, unsigned.id]));
});

test('an app shows where its webhooks go, and when something last came in', async () => {
  const { body: sms } = await service.ask('POST /sms/v1/apps/', {
    body: { provider: 'plivo-sms', name: 'one' },
  });
  expect(sms).toMatchObject({ url_registration: 'automatic', url_help: null });
  expect(sms).toMatchObject({ last_inbound_at: null, last_status_at: null });
  for (const url of [sms.inbound_url, sms.status_url]) {
    // There is something at the address: it asks for a signature.
    expect((await fetch(url, { method: 'POST' })).status).toBe(401);
  }
  const body = { to: '+60123450001', text: 'hello', app_id: sms.id };
  await service.ask('POST /sms/v1/messages/', { body });
  const seen = async () => (await service.ask(`GET /sms/v1/apps/${sms.id}/`)).body;
  await expect.poll(async () => (await seen()).last_status_at).not.toBeNull();
  expect((await seen()).last_inbound_at).toBeNull();
  const { body: wa } = await service.ask(`GET /wa/v1/apps/${app.id}/`);
  expect(wa.inbound_url).toBe(wa.status_url);
  expect(wa.last_inbound_at).toEqual(expect.any(String));
  const { body: vonage } = await service.ask('POST /sms/v1/apps/', {
    body: { provider: 'vonage-sms', name: 'two' },
  });
  expect(vonage).toMatchObject({ url_registration: 'manual' });
  expect(vonage.url_help).toContain('Inbound webhook URL');
  const { body: bot } = await service.ask('POST /botchat/v1/bots/', { body: { name: 'bot' } });
  expect(bot).toMatchObject({ status_url: null, url_registration: 'automatic' });
});
