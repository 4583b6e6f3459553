import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqlAt } from '../../../test/kit/postgres.ts';
import { type Answer, type ServiceKit, startService } from '../service.kit.ts';
import { lockBroadcast } from './store.ts';

let service: ServiceKit;
let simulators: Readonly<Record<string, string>>;
let sms: Answer['body'];

beforeAll(async () => {
  service = await startService();
  const credentials = await readFile(join(service.home, 'credentials.json'), 'utf8');
  ({ simulators } = JSON.parse(credentials));
  sms = await made('/sms/v1/apps/', {
    provider: 'generic-http-sms',
    name: 'bulk',
    settings: { messages_per_second: '90' },
  });
  await made('/sms/v1/templates/', {
    name: 'sale',
    body: 'Hello {{name}}, see {{shop}} today.',
    category: 'MARKETING',
  });
});
afterAll(() => service.stop());

async function made(path: string, body: object): Promise<Answer['body']> {
  const answer = await service.ask(`POST ${path}`, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

let serial = 0;
/** A number whose last four digits decide what its owner does. */
const phone = (end = '7001') => `+6012${String((serial += 1)).padStart(3, '0')}${end}`;

interface Given {
  readonly phone?: string;
  /** The bot chat of a person without a phone. */
  readonly chat?: number;
  readonly name?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Makes a segment of new contacts; returns its name. */
async function segmentOf(people: readonly Given[]): Promise<string> {
  const name = `segment ${(serial += 1)}`;
  if (people.length === 0) await made('/contacts/segments/', { name });
  for (const { chat, ...person } of people) {
    const known = chat === undefined ? [] : [{ channel: 'botchat', external_id: String(chat) }];
    const attributes = { shop: 'https://shop.test/sale', ...person.attributes };
    await made('/contacts/', {
      name: 'Asha',
      ...person,
      attributes,
      segments: [name],
      channel_identifiers: known,
    });
  }
  return name;
}

/** Uses the first app, unless another is named. */
const broadcast = (body: object) =>
  made('/broadcast/', { template: 'sale', app_id: sms.id, ...body });
const read = async (id: string) => (await service.ask(`GET /broadcast/${id}/`)).body;

async function stands(id: string, status: string): Promise<Answer['body']> {
  await expect.poll(async () => (await read(id)).status).toBe(status);
  return read(id);
}

const messagesOf = async (id: string, more = '') =>
  (await service.ask(`GET /broadcast/messages/?broadcast=${id}${more}`)).body.results;

const held = async (to: string): Promise<{ text: string }[]> => {
  const response = await fetch(`${simulators['generic-http-sms']}/_control/messages?limit=1000`);
  const all = (await response.json()) as { to: string; text: string }[];
  return all.filter((each) => each.to === to.slice(1));
};

test('it reaches each contact of the segment once, and its reports are counted', async () => {
  const people = [phone(), phone(), phone('8001')];
  const segment = await segmentOf(people.map((each) => ({ phone: each })));
  const created = await broadcast({ segment });
  expect(created).toMatchObject({ status: 'queued', channel: 'sms', segment, recipients: 0 });
  const done = await stands(created.id, 'completed');
  expect(done).toMatchObject({ recipients: 3, skipped: {}, cost: null });
  await expect
    .poll(async () => (await read(created.id)).counts)
    .toMatchObject({ queued: 0, sent: 2, delivered: 2, failed: 1, unknown: 0 });
  expect((await read(created.id)).rates).toMatchObject({ delivered: 0.6667, failed: 0.3333 });
  for (const each of people) expect(await held(each)).toHaveLength(1);
  const messages = await messagesOf(created.id);
  expect(messages).toHaveLength(3);
  expect(await messagesOf(created.id, '&status=failed')).toMatchObject([
    { address: people[2], status: 'failed', error: { code: expect.any(String) } },
  ]);
});

test('one whose app is stopped waits with all its messages, and goes on once it is mended', async () => {
  const people = [phone(), phone(), phone()];
  const segment = await segmentOf(people.map((each) => ({ phone: each })));
  const name = `stopped ${serial}`;
  const app = await made('/sms/v1/apps/', { provider: 'generic-http-sms', name });
  const change = (state: string) =>
    service.ask(`PATCH /sms/v1/apps/${app.id}/`, { body: { state } });
  const goOn = async (id: string) => {
    expect((await change('active')).status).toBe(200);
    expect((await service.ask(`POST /broadcast/${id}/resume/`)).status).toBe(200);
  };
  const schedule_at = new Date(Date.now() + 1_500).toISOString();
  const { id } = await broadcast({ segment, app_id: app.id, schedule_at });
  await change('stopped');
  expect(await stands(id, 'paused')).toMatchObject({ reason: 'app_stopped', recipients: 0 });
  const faults = `${simulators['generic-http-sms']}/_control/faults`;
  const body = JSON.stringify({ call: 'send', kind: 401, times: 1_000 });
  const headers = { 'content-type': 'application/json' };
  await fetch(faults, { method: 'POST', headers, body });
  await goOn(id);
  await expect.poll(async () => (await read(id)).recipients).toBe(3);
  expect(await stands(id, 'paused')).toMatchObject({
    reason: 'app_stopped',
    counts: { failed: 0 },
  });
  expect((await service.ask(`GET /sms/v1/apps/${app.id}/`)).body.state).toBe('stopped');
  await fetch(faults, { method: 'DELETE' });
  await goOn(id);
  await stands(id, 'completed');
  await expect.poll(async () => (await read(id)).counts).toMatchObject({ sent: 3, delivered: 3 });
  for (const each of people) expect(await held(each)).toHaveLength(1);
});

test('a page of messages begins where the previous one ended', async () => {
  const segment = await segmentOf([{ phone: phone() }, { phone: phone() }, { phone: phone() }]);
  const { id } = await broadcast({ segment });
  await stands(id, 'completed');
  const seen: string[] = [];
  for (let cursor = '', pages = 0; pages < 3; pages += 1) {
    const path = `/broadcast/messages/?broadcast=${id}&limit=1${cursor}`;
    const { body } = await service.ask(`GET ${path}`);
    seen.push(...body.results.map((row: { id: string }) => row.id));
    cursor = `&cursor=${body.next}`;
    if (pages === 2) expect(body.next).toBeNull();
  }
  expect(seen).toEqual(seen.toSorted((a, b) => (a < b ? 1 : -1)));
  expect(new Set(seen).size).toBe(3);
  const { body: all } = await service.ask('GET /broadcast/messages/?limit=1');
  expect(all.results[0].broadcast_id).toBe(id);
});

test.each([1, 2, 7])('pages of %i over all broadcasts miss none', async (limit) => {
  const { body: all } = await service.ask('GET /broadcast/messages/?limit=100');
  expect(
    new Set(all.results.map((row: { broadcast_id: string }) => row.broadcast_id)).size,
  ).toBeGreaterThan(1);
  const read = async (cursor: string) => {
    const { body } = await service.ask(`GET /broadcast/messages/?limit=${limit}${cursor}`);
    return { ...body, ids: body.results.map((row: { id: string }) => row.id) };
  };
  const pages = [await read('')];
  while (pages.at(-1).next !== null) pages.push(await read(`&cursor=${pages.at(-1).next}`));
  expect(pages.flatMap(({ ids }) => ids)).toEqual(all.results.map((row: { id: string }) => row.id));
  const back = [pages.at(-1)];
  while (back.at(-1).previous !== null) back.push(await read(`&cursor=${back.at(-1).previous}`));
  expect(back.toReversed()).toEqual(pages);
});

test('skipped contacts are counted by reason; a dry run writes nothing', async () => {
  const [silent, stopped] = [phone(), phone()];
  await made('/contacts/opt-outs/', { channel: 'sms', address: stopped });
  const segment = await segmentOf([
    { phone: silent },
    { phone: stopped },
    { phone: '+919812345678' },
    { chat: 7_000_001 },
    { phone: phone(), attributes: { shop: ' ' } },
  ]);
  const dry = await service.ask('POST /broadcast/', {
    body: { template: 'sale', segment, app_id: sms.id, dry_run: true },
  });
  expect(dry.status).toBe(200);
  expect(dry.body).toMatchObject({
    contacts: 5,
    recipients: 1,
    is_complete: true,
    cost: null,
    messages_per_second: 90,
    skipped: { opted_out: 1, not_registered: 1, no_address: 1, missing_variable: 1 },
    preview: expect.stringContaining('/l/'),
  });
  expect(dry.body.skipped_sample).toHaveLength(4);
  expect(dry.body.skipped_sample).toContainEqual({
    contact_id: expect.any(String),
    reason: 'missing_variable',
    variable: 'shop',
  });
  const { id } = await broadcast({ segment });
  const done = await stands(id, 'completed');
  expect(done).toMatchObject({ recipients: 1, skipped: dry.body.skipped });
  expect(await held(stopped)).toEqual([]);
});

test('consent is required when the broadcast says so', async () => {
  const [yes, nothing] = [phone(), phone()];
  const segment = await segmentOf([{ phone: yes }, { phone: nothing }]);
  const { body: found } = await service.ask(`GET /contacts/?phone=${encodeURIComponent(yes)}`);
  await made(`/contacts/${found.results[0].id}/consents/`, { channel: 'sms', state: 'granted' });
  const { id } = await broadcast({ segment, require_consent: true });
  expect(await stands(id, 'completed')).toMatchObject({
    recipients: 1,
    skipped: { no_consent: 1 },
  });
  expect(await held(nothing)).toEqual([]);
});

test('links redirect, and clicks of people and of programs are counted separately', async () => {
  const to = phone('7006');
  const { id } = await broadcast({ segment: await segmentOf([{ phone: to }]) });
  await stands(id, 'completed');
  const [{ text }] = (await held(to)) as [{ text: string }];
  const link = /http\S+/.exec(text)![0];
  expect(link.startsWith(`${service.url}/l/`)).toBe(true);
  const visit = (init: RequestInit) => fetch(link, { redirect: 'manual', ...init });
  const person = { headers: { 'user-agent': browser } };
  for (const init of [person, person, { method: 'HEAD', ...person }, {}]) {
    const answer = await visit({ ...init, ...('headers' in init ? {} : { headers: bot }) });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      'https://shop.test/sale',
    ]);
  }
  const { body: urls } = await service.ask(`GET /broadcast/url-tracking/?broadcast=${id}&by=url`);
  expect(urls.results).toMatchObject([
    { url: 'https://shop.test/sale', links: 1, clicks: 2, unique_clicks: 1, bot_clicks: 2 },
  ]);
  const { body: clicks } = await service.ask(`GET /broadcast/url-tracking/?broadcast=${id}`);
  expect(clicks.results.map((row: { is_bot: boolean }) => row.is_bot)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  await expect
    .poll(async () => (await read(id)).counts)
    .toMatchObject({ clicks: 2, clicked: 1, bot_clicks: 2 });
  expect((await fetch(`${service.url}/l/zzzzzzzzzz/`)).status).toBe(404);
});
test('an address of letters of any script leads there, and the sentence after it stays', async () => {
  const to = phone();
  const attributes = { shop: '请看https://shop.test/café/منتج谢谢' };
  const { id } = await broadcast({ segment: await segmentOf([{ phone: to, attributes }]) });
  await stands(id, 'completed');
  const [{ text }] = (await held(to)) as [{ text: string }];
  const [, link, rest] = /(http\S+?)(谢谢.*)/.exec(text)!;
  expect(rest).toBe('谢谢 today.');
  const { status, headers } = await fetch(link!, {
    redirect: 'manual',
    headers: { 'user-agent': browser },
  });
  expect([status, headers.get('location')]).toEqual([
    302,
    'https://shop.test/caf%C3%A9/%D9%85%D9%86%D8%AA%D8%AC',
  ]);
});

const bot = { 'user-agent': 'WhatsApp/2.24.20.89 A' };

test('an answer is counted with the broadcast that it answers, once', async () => {
  const to = phone('7002');
  const { id } = await broadcast({ segment: await segmentOf([{ phone: to }]) });
  await expect.poll(async () => (await read(id)).counts.replied).toBe(1);
  const body = JSON.stringify({ from: to.slice(1), text: 'again', to: sms.settings.from });
  await fetch(`${simulators['generic-http-sms']}/_control/inbound`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  const inbox = `GET /sms/v1/messages/?direction=in&address=${encodeURIComponent(to)}`;
  await expect.poll(async () => (await service.ask(inbox)).body.results.length).toBe(2);
  expect((await read(id)).counts.replied).toBe(1);
  const { body: board } = await service.ask(`GET /broadcast/dashboard/?broadcast=${id}`);
  expect(board).toMatchObject({
    counts: { sent: 1, delivered: 1, replied: 1 },
    rates: { delivered: 1, replied: 1, failed: 0 },
    series: [{ at: expect.any(String), sent: 1 }],
  });
  const { body: whole } = await service.ask('GET /broadcast/dashboard/?channel=sms&interval=hour');
  expect(whole.counts.sent).toBeGreaterThan(1);
});

describe('at its time', () => {
  const later = () => new Date(Date.now() + 3_600_000).toISOString();

  test('the audience is fixed, and not before', async () => {
    const segment = await segmentOf([{ phone: phone() }]);
    const { id } = await broadcast({ segment, schedule_at: later() });
    expect(await read(id)).toMatchObject({ status: 'queued', recipients: 0 });
    await made('/contacts/', {
      phone: phone(),
      name: 'Late',
      segments: [segment],
      attributes: { shop: 'none' },
    });
    const now = new Date().toISOString();
    const moved = await service.ask(`PATCH /broadcast/${id}/`, { body: { schedule_at: now } });
    expect(moved.status).toBe(200);
    expect(await stands(id, 'completed')).toMatchObject({ recipients: 2 });
    const again = await service.ask(`PATCH /broadcast/${id}/`, { body: { schedule_at: now } });
    expect(again).toMatchObject({ status: 409, body: { code: 'broadcast_state' } });
  });

  test('it has the words that its template has then, and fails when they need what nobody gives', async () => {
    const template = { name: 'changing', body: 'Sale at {{shop}}' };
    const { id: templateId } = await made('/sms/v1/templates/', template);
    const change = (body: string) =>
      service.ask(`PATCH /sms/v1/templates/${templateId}/`, { body: { body } });
    const now = { schedule_at: new Date().toISOString() };
    const sendNow = (id: string) => service.ask(`PATCH /broadcast/${id}/`, { body: now });
    const segment = await segmentOf([{ phone: phone(), attributes: { shop: 'North' } }]);
    const queued = { segment, template: 'changing', schedule_at: later() };
    const [first, second] = [await broadcast(queued), await broadcast(queued)];
    await change('Last days of the sale at {{shop}}');
    await sendNow(first.id);
    await stands(first.id, 'completed');
    expect(await messagesOf(first.id)).toMatchObject([
      { preview: 'Last days of the sale at North' },
    ]);
    await change('{{1}}: last days at {{shop}}');
    await sendNow(second.id);
    expect(await stands(second.id, 'failed')).toMatchObject({
      reason: 'template_refused',
      detail: 'The variable "1" is required by the template.',
    });
  });

  test('it fails when its segment was removed meanwhile', async () => {
    const segment = await segmentOf([{ phone: phone() }]);
    const { id } = await broadcast({ segment, schedule_at: later() });
    const { body: all } = await service.ask('GET /contacts/segments/?limit=100');
    const own = all.results.find((each: { name: string }) => each.name === segment);
    expect((await service.ask(`DELETE /contacts/segments/${own.id}/`)).status).toBe(204);
    const now = { schedule_at: new Date().toISOString() };
    expect((await service.ask(`PATCH /broadcast/${id}/`, { body: now })).status).toBe(200);
    expect(await stands(id, 'failed')).toMatchObject({
      recipients: 0,
      reason: 'segment_not_found',
      detail: 'The segment was removed.',
    });
  });

  test('it is paused, resumed and canceled; each request may be repeated', async () => {
    const segment = await segmentOf([{ phone: phone() }]);
    await listen('whe_commands', 'broadcast.*');
    const { id } = await broadcast({ segment, schedule_at: later() });
    const ask = async (what: string) => {
      const { status, body } = await service.ask(`POST /broadcast/${id}/${what}/`);
      return [status, body.status ?? body.code];
    };
    expect(await ask('pause')).toEqual([200, 'paused']);
    expect(await ask('pause')).toEqual([200, 'paused']);
    const schedule_at = later();
    await service.ask(`PATCH /broadcast/${id}/`, { body: { schedule_at } });
    expect(await ask('resume')).toEqual([200, 'queued']);
    expect(await ask('cancel')).toEqual([200, 'canceled']);
    expect(await ask('cancel')).toEqual([200, 'canceled']);
    expect(await ask('resume')).toEqual([409, 'broadcast_state']);
    const moved = await service.ask(`PATCH /broadcast/${id}/`, { body: { schedule_at: later() } });
    expect(moved).toMatchObject({ status: 409, body: { code: 'broadcast_state' } });
    expect(moved.body.detail).toContain('It is canceled');
    const told = (await eventsOf('broadcast.%')).filter((each) => each.subject_id === id);
    expect(told.map(({ type, payload }) => [type, payload.data])).toMatchObject([
      ['broadcast.queued', { state: 'queued' }],
      ['broadcast.paused', { state: 'paused' }],
      ['broadcast.rescheduled', { state: 'paused', schedule_at }],
      ['broadcast.resumed', { state: 'queued', schedule_at }],
      ['broadcast.canceled', { state: 'canceled' }],
    ]);
  });
});

describe('commands at the same moment', () => {
  const asked = (id: string, whats: readonly string[]) =>
    Promise.all(
      whats.map(async (what) => {
        const { status, body } = await service.ask(`POST /broadcast/${id}/${what}/`);
        return `${status} ${body.status ?? body.code}`;
      }),
    );

  test.each<readonly [string, readonly string[], readonly string[]]>([
    ['two to cancel', ['cancel', 'cancel'], ['200 canceled']],
    [
      'six to pause and resume',
      Array(3).fill(['pause', 'resume']).flat(),
      ['200 paused', '200 running'],
    ],
    [
      'mixed with a cancel',
      ['pause', 'resume', 'cancel', 'pause', 'resume', 'cancel'],
      ['200 paused', '200 running', '200 canceled', '409 broadcast_state'],
    ],
  ])('%s wait for each other', async (_, whats, expected) => {
    const id = await waitingFor(phone());
    for (const answer of await asked(id, whats)) expect(expected).toContain(answer);
    await service.ask(`POST /broadcast/${id}/cancel/`);
    expect(await asked(id, ['cancel', 'cancel', 'cancel'])).toEqual(Array(3).fill('200 canceled'));
  });

  test('while its audience is being fixed the answer is broadcast_busy, soon', async () => {
    const segment = await segmentOf([]);
    const schedule_at = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await broadcast({ segment, schedule_at });
    const { db } = service.app.platform;
    const scope = { tenantId: service.tenantId, environment: 'sandbox' } as const;
    await db.tenant(service.tenantId, async (tx) => {
      await lockBroadcast(tx, scope, id);
      expect(await asked(id, ['cancel'])).toEqual(['409 broadcast_busy']);
    });
    expect(await asked(id, ['cancel'])).toEqual(['200 canceled']);
  });
});

test('it waits in a person’s quiet hours; a message canceled meanwhile is never sent', async () => {
  const [awake, asleep] = [phone(), phone()];
  const segment = await segmentOf([
    { phone: awake, attributes: { time_zone: zoneAt(12) } },
    { phone: asleep, attributes: { time_zone: zoneAt(0) } },
  ]);
  const { id } = await broadcast({ segment, quiet_hours: { from: '21:00', to: '08:00' } });
  await expect.poll(async () => (await read(id)).counts.sent).toBe(1);
  expect(await held(awake)).toHaveLength(1);
  expect(await read(id)).toMatchObject({ status: 'running', counts: { queued: 1 } });
  expect((await service.ask(`POST /broadcast/${id}/cancel/`)).status).toBe(200);
  await expect.poll(async () => (await read(id)).counts.canceled).toBe(1);
  expect(await messagesOf(id, '&status=canceled')).toMatchObject([{ address: asleep }]);
  expect(await held(asleep)).toEqual([]);
});

/** A zone without summer time in which it is this hour now. */
function zoneAt(hour: number): string {
  const behind = (((new Date().getUTCHours() - hour + 12) % 24) + 24) % 24;
  const offset = behind - 12; // Etc/GMT+n is n hours behind
  return `Etc/GMT${offset < 0 ? '' : '+'}${offset}`;
}

test.each([
  [false, 'unknown', 0],
  [true, 'delivered', 1],
])(
  'messages of a dead node are sent again only if the tenant allows it: %s',
  async (resend, status, sent) => {
    const app = await made('/sms/v1/apps/', {
      provider: 'generic-http-sms',
      name: `node ${serial}`,
      resend_unknown: resend,
    });
    const to = phone();
    const segment = await segmentOf([{ phone: to, attributes: { time_zone: zoneAt(0) } }]);
    const quiet_hours = { from: '21:00', to: '08:00' };
    const { id } = await broadcast({ segment, quiet_hours, app_id: app.id });
    await stands(id, 'running');
    const dueLater = 'select run_at > now() + $2::interval as waits from job where key = $1';
    await expect
      .poll(
        async () => (await sqlAt<{ waits: boolean }>(service.ownerUrl, dueLater, [id, '1m']))[0],
      )
      .toEqual({ waits: true });
    await sqlAt(
      service.ownerUrl,
      `update message set status = 'sending', claim_id = gen_random_uuid(), attempts = 1,
       time_zone = 'UTC' where broadcast_id = $1`,
      [id],
    );
    await sqlAt(service.ownerUrl, 'update job set run_at = now() where key = $1', [id]);
    await stands(id, 'completed');
    await expect.poll(async () => (await messagesOf(id))[0].status).toBe(status);
    expect(await held(to)).toHaveLength(sent);
    expect((await read(id)).counts).toMatchObject({ queued: 0, unknown: 1 - sent, sent });
  },
);

test('when the network says "too fast" it slows down, and everybody gets it', async () => {
  const app = await made('/sms/v1/apps/', {
    provider: 'generic-http-sms',
    name: 'too fast',
    settings: { messages_per_second: '900' }, // the network allows 100
  });
  const people = Array.from({ length: 160 }, () => ({ phone: phone() }));
  const segment = await segmentOf(people);
  const { id } = await broadcast({ segment, app_id: app.id });
  await stands(id, 'completed');
  await expect.poll(async () => (await read(id)).counts.delivered).toBe(160);
  for (const each of people.slice(0, 20)) expect(await held(each.phone)).toHaveLength(1);
  expect((await messagesOf(id)).some((row: { error: unknown }) => row.error !== null)).toBe(false);
}, 60_000);

test('the price is reserved by message, and it pauses when the wallet is empty', async () => {
  await listen('whe_money', 'broadcast.paused', 'wallet.low');
  const people = [phone(), phone(), phone()];
  const segment = await segmentOf(people.map((each) => ({ phone: each })));
  await service.fund('sms', '+60', '0.02', '0.05');
  const dry = await service.ask('POST /broadcast/', {
    body: { template: 'sale', segment, app_id: sms.id, dry_run: true },
  });
  expect(dry.body).toMatchObject({
    cost: { amount: '0.06', currency: 'USD' },
    is_affordable: false,
  });
  const { id } = await broadcast({ segment });
  const paused = await stands(id, 'paused');
  expect(paused).toMatchObject({ reason: 'insufficient_funds', cost: { amount: '0.06' } });
  expect(paused.detail).toMatch(
    /^The last message costs 0\.02 USD, and the wallet has 0\.01 USD free: .* resume the broadcast\.$/,
  );
  const event = (await eventsOf('broadcast.paused')).find((each) => each.subject_id === id);
  // That a wallet runs low is also told without a broadcast, at intervals.
  const low = (await eventsOf('wallet.low')).find(({ payload }) => 'broadcast_id' in payload.data);
  expect(event!.payload).toMatchObject({ id, data: { state: 'paused', detail: paused.detail } });
  expect(low!.payload.data).toMatchObject({
    broadcast_id: id,
    environment: 'sandbox',
    currency: 'USD',
    available: '0.01',
  });
  const wallet = async () => (await service.ask('GET /tenants/host-wallet/')).body;
  await expect.poll(async () => (await wallet()).balance).toBe('0.01');
  await service.fund('sms', '+60', '0.02', '1');
  expect((await service.ask(`POST /broadcast/${id}/resume/`)).status).toBe(200);
  await stands(id, 'completed');
  await expect.poll(async () => (await wallet()).balance).toBe('0.99');
  expect((await wallet()).reserved).toBe('0');
  for (const each of people) expect(await held(each)).toHaveLength(1);
  await sqlAt(service.ownerUrl, 'delete from price');
});

test('what is canceled costs nothing, also where its messages are listed', async () => {
  const people = [phone(), phone(), phone('9001')];
  const segment = await segmentOf(people.map((each) => ({ phone: each })));
  const wallet = async () => (await service.ask('GET /tenants/host-wallet/')).body;
  const { available } = await wallet();
  // Enough for one of them, as all else that is free is taken.
  await service.fund('sms', '+60', '0.02', '0.03');
  await service.fund('sms', '+60', '0.02', `-${available}`);
  const { id } = await broadcast({ segment });
  await stands(id, 'paused');
  expect((await service.ask(`POST /broadcast/${id}/cancel/`)).status).toBe(200);
  await expect.poll(async () => (await read(id)).counts.canceled).toBe(2);
  const rows = await messagesOf(id);
  const price = { amount: '0.02', currency: 'USD' };
  for (const row of rows) expect(row.price).toEqual(row.status === 'canceled' ? null : price);
  const file: string = (await service.ask(`GET /broadcast/${id}/recipients/`)).body;
  expect(file.split('\r\n').filter((line) => line.endsWith(',0.02'))).toHaveLength(1);
  await expect.poll(wallet).toMatchObject({ balance: '0.01', reserved: '0' });
  await sqlAt(service.ownerUrl, 'delete from price');
});

test('an error of the template stops the broadcast, and the rest is not sent', async () => {
  const app = await made('/wa/v1/apps/', { provider: 'whatsapp', name: 'number' });
  const definition = { name: 'gone_soon', language: 'en_US', category: 'UTILITY' };
  const { id: templateId } = await made('/wa/v1/templates/', {
    ...definition,
    app_id: app.id,
    body_examples: ['Asha'],
    body: 'Hello {{1}}, your order has been sent today.',
  });
  await expect
    .poll(async () => (await service.ask(`GET /wa/v1/templates/${templateId}/`)).body.status, {
      timeout: 30_000,
    })
    .toBe('approved');
  await service.app.platform.db.tenant(service.tenantId, (tx) =>
    tx.run(
      `update message_template set name = 'unknown_there',
         definition = jsonb_set(definition, '{name}', '"unknown_there"') where id = $1`,
      [templateId],
    ),
  );
  const segment = await segmentOf([{ phone: phone() }, { phone: phone() }]);
  const { id } = await broadcast({
    segment,
    template: 'unknown_there',
    variables: { 1: { attribute: 'name' } },
    app_id: app.id,
  });
  expect(await stands(id, 'paused')).toMatchObject({
    reason: 'template_refused',
    detail: expect.stringContaining('132001'),
  });
});

test('one whose template is paused at the network waits with all its messages, and goes on after', async () => {
  const app = await made('/wa/v1/apps/', { provider: 'whatsapp', name: 'pausing' });
  const name = `pausing_${(serial += 1)}`;
  const { id: templateId } = await made('/wa/v1/templates/', {
    name,
    language: 'en_US',
    category: 'UTILITY',
    app_id: app.id,
    body: 'Your order has been sent today.',
  });
  const template = async () =>
    (await service.ask(`GET /wa/v1/templates/${templateId}/`)).body.status;
  await expect.poll(template, { timeout: 30_000 }).toBe('approved');
  const tell = async (event: string) => {
    const value = {
      event,
      message_template_id: '1',
      message_template_name: name,
      message_template_language: 'en_US',
    };
    const { waba_id } = app.settings;
    const field = 'message_template_status_update';
    const body = JSON.stringify({ field, value, waba_id });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${simulators.whatsapp}/_control/notify`, { method: 'POST', headers, body });
    await expect.poll(template).toBe(event.toLowerCase());
  };
  const attributes = { time_zone: zoneAt(0) };
  const segment = await segmentOf([
    { phone: phone(), attributes },
    { phone: phone(), attributes },
  ]);
  const quiet_hours = { from: '21:00', to: '08:00' };
  const { id } = await broadcast({ segment, template: name, app_id: app.id, quiet_hours });
  await expect.poll(async () => (await read(id)).counts).toMatchObject({ queued: 2 });
  await tell('PAUSED');
  const { platform } = service.app;
  await platform.db.tenant(service.tenantId, async (tx) => {
    await tx.run('update message set due_at = now(), time_zone = $2 where broadcast_id = $1', [
      id,
      zoneAt(12),
    ]);
    await platform.jobs.runNow(tx, service.tenantId, 'broadcast', [id]);
  });
  const waiting = { reason: 'template_not_approved', counts: { queued: 2, failed: 0 } };
  expect(await stands(id, 'paused')).toMatchObject(waiting);
  await tell('APPROVED');
  expect((await service.ask(`POST /broadcast/${id}/resume/`)).status).toBe(200);
  expect(await stands(id, 'completed')).toMatchObject({ counts: { sent: 2 } });
});

test('one whose template only waits for the answer to a change goes on when the network refuses it', async () => {
  const app = await made('/wa/v1/apps/', { provider: 'whatsapp', name: 'asking' });
  const name = `asking_${(serial += 1)}`;
  const { id: templateId } = await made('/wa/v1/templates/', {
    name,
    language: 'en_US',
    category: 'UTILITY',
    app_id: app.id,
    body: 'Your order has been sent today.',
  });
  const template = async () =>
    (await service.ask(`GET /wa/v1/templates/${templateId}/`)).body.status;
  await expect.poll(template, { timeout: 30_000 }).toBe('approved');
  const segment = await segmentOf([{ phone: phone(), attributes: { time_zone: zoneAt(0) } }]);
  const quiet_hours = { from: '21:00', to: '08:00' };
  const one = { segment, template: name, app_id: app.id };
  const running = await broadcast({ ...one, quiet_hours });
  await expect.poll(async () => (await read(running.id)).counts).toMatchObject({ queued: 1 });
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const scheduled = await broadcast({ ...one, schedule_at: later });
  const { db, jobs } = service.app.platform;
  const ids = [running.id, scheduled.id];
  await db.tenant(service.tenantId, async (tx) => {
    await tx.run(
      `update message_template set status = 'pending', updated_at = now() where id = $1`,
      [templateId],
    );
    await tx.run('update message set due_at = now(), time_zone = $2 where broadcast_id = $1', [
      running.id,
      zoneAt(12),
    ]);
    await tx.run('update broadcast set schedule_at = now() where id = $1', [scheduled.id]);
    await jobs.runNow(tx, service.tenantId, 'broadcast', ids);
  });
  expect(await template()).toBe('pending');
  const attempts = () =>
    db.tenant(service.tenantId, async (tx) => {
      const rows = await tx.rows<{ state: string }>(
        `select b.state from job j join broadcast b on b.id = j.key
         where j.key = any ($1) and j.claim_id is null and j.run_at > j.claimed_at order by b.id`,
        [ids],
      );
      return rows.map(({ state }) => state);
    });
  await expect.poll(attempts, { interval: 20 }).toEqual(['running', 'queued']);
  await db.tenant(service.tenantId, (tx) =>
    tx.run(`update message_template set status = 'approved' where id = $1`, [templateId]),
  );
  for (const id of ids)
    expect(await stands(id, 'completed')).toMatchObject({ counts: { sent: 1 } });
});

test('a bot only writes to people of the segment who have started it', async () => {
  const bot = await made('/botchat/v1/bots/', { provider: 'telegram', name: 'shop bot' });
  await made('/botchat/v1/templates/', { name: 'bot_sale', body: 'Hello {{name}}!' });
  const chat = 5_100_000 + (serial += 1);
  const { bot_token: token } = await service.settingsOf(bot.id);
  await fetch(`${simulators.telegram}/_control/inbound`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chat_id: chat, name: 'Asha', text: '/start', token }),
  });
  const inbox = `GET /botchat/v1/messages/?direction=in&address=${chat}`;
  await expect.poll(async () => (await service.ask(inbox)).body.results.length).toBe(1);
  const contact = (await service.ask(inbox)).body.results[0].contact_id;
  const segment = await segmentOf([{ phone: phone() }]);
  await service.ask(`PATCH /contacts/${contact}/`, { body: { add_segments: [segment] } });
  const created = await made('/botchat/v1/broadcast/', { template: 'bot_sale', segment });
  expect(await stands(created.id, 'completed')).toMatchObject({
    channel: 'botchat',
    recipients: 1,
    skipped: { not_started: 1 },
  });
  expect(await messagesOf(created.id)).toMatchObject([
    { address: String(chat), status: 'sent', preview: 'Hello Asha!' },
  ]);
});

test.each([
  ['an unknown template', { template: 'none' }, 404, 'template_not_found'],
  ['an unknown segment', { segment: 'none' }, 404, 'segment_not_found'],
  ['an unknown variable', { variables: { age: { attribute: 'age' } } }, 400, 'invalid_request'],
  ['an unknown time zone', { time_zone: 'Mars/Base' }, 400, 'invalid_request'],
  [
    'quiet hours without length',
    { quiet_hours: { from: '08:00', to: '08:00' } },
    400,
    'invalid_request',
  ],
  ['a time two years ahead', { schedule_at: '2099-01-01T00:00:00Z' }, 400, 'invalid_request'],
  ['an unknown app', { app_id: `app_${'0'.repeat(26)}` }, 404, 'app_not_found'],
])('%s is refused', async (_, change, status, code) => {
  const segment = await segmentOf([]);
  const body = { template: 'sale', segment, app_id: sms.id, ...change };
  expect(await service.ask('POST /broadcast/', { body })).toMatchObject({ status, body: { code } });
});

test('a repeat with the same key creates nothing', async () => {
  const segment = await segmentOf([]);
  const send = (body: object) =>
    service.send(
      '/broadcast/',
      JSON.stringify({ template: 'sale', segment, app_id: sms.id, ...body }),
      {
        'content-type': 'application/json',
        'idempotency-key': `key ${segment}`,
      },
    );
  const [first, second, other] = [
    await send({}),
    await send({}),
    await send({ track_urls: false }),
  ];
  expect([first.status, second.status, other.status]).toEqual([201, 201, 409]);
  expect(second.body.id).toBe(first.body.id);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
});

/** An endpoint that subscribes to these events; no server answers at its address. */
function listen(id: string, ...types: string[]) {
  return service.app.platform.db.tenant(service.tenantId, (tx) =>
    tx.run(
      `insert into webhook_endpoint (id, tenant_id, service, url, event_types, secrets, created_at)
       values ($2, $1, 'messaging', 'https://receiver.invalid/', $3, '[]', now())`,
      [service.tenantId, id, types],
    ),
  );
}

/** The events of this type, oldest first. */
function eventsOf(type: string) {
  return service.app.platform.db.tenant(service.tenantId, (tx) =>
    tx.rows<{ type: string; subject_id: string; payload: { id: string; data: object } }>(
      'select type, subject_id, payload from webhook_event where type like $1 order by id',
      [type],
    ),
  );
}

test('customers get an event for each state', async () => {
  await listen('whe_1', 'broadcast.*');
  const to = phone('7006');
  const { id } = await broadcast({ segment: await segmentOf([{ phone: to }]) });
  await stands(id, 'completed');
  const [{ text }] = (await held(to)) as [{ text: string }];
  await fetch(/http\S+/.exec(text)![0], { redirect: 'manual', headers: { 'user-agent': browser } });
  const events = (await eventsOf('broadcast.%')).filter((each) => each.subject_id === id);
  expect(events.map(({ type }) => type)).toEqual(
    ['queued', 'started', 'completed', 'click'].map((each) => `broadcast.${each}`),
  );
  expect(events.at(-1)!.payload).toMatchObject({
    id,
    data: { url: 'https://shop.test/sale', is_first: true, contact_id: expect.any(String) },
  });
});
const browser = 'Mozilla/5.0 (Android 15) Chrome/140.0 Mobile';

test('a schedule more than a minute in the past is refused; a slow clock is not', async () => {
  const segment = await segmentOf([{ phone: phone() }]);
  const ask = (ago: number) =>
    service.ask('POST /broadcast/', {
      body: {
        template: 'sale',
        app_id: sms.id,
        segment,
        schedule_at: new Date(Date.now() - ago).toISOString(),
      },
    });
  const late = await ask(120_000);
  expect(late.status).toBe(400);
  expect(late.body.errors.schedule_at[0]).toMatch(/is in the past: it is \d{4}-/);
  expect((await ask(20_000)).status).toBe(201);
});

test('a variable is a value or an attribute; a bare text is refused with both forms', async () => {
  const segment = await segmentOf([{ phone: phone() }]);
  const { status, body } = await service.ask('POST /broadcast/', {
    body: { template: 'sale', app_id: sms.id, segment, variables: { shop: 'website' } },
  });
  expect(status).toBe(400);
  expect(body.detail).toContain('variables.shop: must be {"value": "…"}');
  expect(body.detail).toContain('{"attribute": "…"}');
});

/** A broadcast to these numbers, each of a contact, whose audience is fixed and of which nothing is sent. */
async function waitingFor(...numbers: readonly string[]): Promise<string> {
  const segment = await segmentOf(numbers.map((each) => ({ phone: each })));
  // Quiet hours from an hour ago until in an hour.
  const at = new Date(Date.now() + 3_600_000).toISOString().slice(11, 16);
  const before = new Date(Date.now() - 3_600_000).toISOString().slice(11, 16);
  const { id } = await broadcast({ segment, quiet_hours: { from: before, to: at } });
  await expect.poll(async () => (await read(id)).recipients).toBe(numbers.length);
  return id;
}

async function endQuietHours(id: string): Promise<void> {
  await sqlAt(service.ownerUrl, `update message set due_at = now() where broadcast_id = '${id}'`);
  await sqlAt(
    service.ownerUrl,
    `update broadcast set quiet_from = null, quiet_to = null where id = '${id}'`,
  );
  await sqlAt(service.ownerUrl, `update job set run_at = now() where key = '${id}'`);
  await stands(id, 'completed');
}

const contactWith = async (number: string): Promise<string> =>
  (await service.ask(`GET /contacts/?phone=${encodeURIComponent(number)}`)).body.results[0].id;

test.each<readonly [string, string, (late: string) => Promise<unknown>]>([
  [
    'who opts out',
    'opted_out',
    (late) => made('/contacts/opt-outs/', { channel: 'sms', address: late }),
  ],
  [
    'a contact that is deleted',
    'contact_deleted',
    async (late) => {
      const answer = await service.ask(`DELETE /contacts/${await contactWith(late)}/`);
      expect(answer.status).toBe(204);
    },
  ],
])('%s after the audience was fixed is skipped, and nobody failed', async (_, code, change) => {
  const [early, late] = [phone(), phone()];
  const id = await waitingFor(early, late);
  await change(late);
  await endQuietHours(id);
  await expect
    .poll(async () => (await read(id)).counts)
    .toMatchObject({ queued: 0, delivered: 1, failed: 0, skipped: 1 });
  expect(await messagesOf(id, '&status=skipped')).toMatchObject([
    { address: late, error: { code } },
  ]);
  expect((await read(id)).rates).toMatchObject({ delivered: 1, failed: 0 });
  expect(await held(late)).toEqual([]);
});

test('a contact that was merged into another after the audience was fixed is reached', async () => {
  const to = phone();
  const id = await waitingFor(to);
  const other = await made('/contacts/', { phone: phone(), name: 'Asha' });
  const merge = { contact_id: await contactWith(to) };
  const merged = await service.ask(`POST /contacts/${other.id}/merge/`, { body: merge });
  expect(merged.status, JSON.stringify(merged.body)).toBe(200);
  await endQuietHours(id);
  expect(await held(to)).toHaveLength(1);
});

test('two recipients whose contacts are merged after the audience was fixed get it once', async () => {
  const [one, other] = [phone(), phone()];
  const id = await waitingFor(one, other);
  const merge = { contact_id: await contactWith(other) };
  const into = await contactWith(one);
  expect((await service.ask(`POST /contacts/${into}/merge/`, { body: merge })).status).toBe(200);
  await endQuietHours(id);
  await expect
    .poll(async () => (await read(id)).counts)
    .toMatchObject({ delivered: 1, skipped: 1 });
  expect(await messagesOf(id, '&status=skipped')).toMatchObject([
    { error: { code: 'contact_merged' } },
  ]);
  expect([...(await held(one)), ...(await held(other))]).toHaveLength(1);
});

test('it is sent again to those whom it did not reach, once', async () => {
  const [good, bad] = [phone(), phone('8001')];
  const segment = await segmentOf([{ phone: good }, { phone: bad }]);
  const { id } = await broadcast({ segment });
  const resend = (body: object = {}, headers = {}) =>
    service.ask(`POST /broadcast/${id}/resend/`, { body, headers });
  await stands(id, 'completed');
  await expect.poll(async () => (await read(id)).counts.failed).toBe(1);
  const again = await resend({}, { 'idempotency-key': 'again' });
  expect(again.status, JSON.stringify(again.body)).toBe(201);
  expect(again.body).toMatchObject({ resend_of: id, segment, is_test: false });
  expect((await resend({}, { 'idempotency-key': 'again' })).body.id).toBe(again.body.id);
  const done = await stands(again.body.id, 'completed');
  expect(done.recipients).toBe(1);
  expect(await held(good)).toHaveLength(1);
  expect(await held(bad)).toHaveLength(2);
  expect(await resend()).toMatchObject({ status: 409, body: { code: 'broadcast_resent' } });
  // Nobody of unknown fate: a resend to nobody is over at once.
  const nobody = await resend({ to: ['unknown'] });
  expect((await stands(nobody.body.id, 'completed')).recipients).toBe(0);
});

test('a test goes to the people who are named, filled with their own attributes', async () => {
  const [first, second] = [phone(), phone()];
  await segmentOf([{ phone: first, name: 'Bala' }, { phone: second }]);
  const body = { template: 'sale', app_id: sms.id, track_urls: false };
  const ask = (to: readonly string[]) =>
    service.ask('POST /broadcast/test/', { body: { ...body, to } });
  const test = await ask([first]);
  expect(test.status, JSON.stringify(test.body)).toBe(201);
  expect(test.body).toMatchObject({ is_test: true, segment: null });
  await stands(test.body.id, 'completed');
  expect(await held(first)).toMatchObject([
    { text: 'Hello Bala, see https://shop.test/sale today.' },
  ]);
  expect(await held(second)).toEqual([]);
  expect(await ask([first, '+60120000000'])).toMatchObject({
    status: 400,
    body: { errors: { 'to.1': ['no contact has this number: create it first'] } },
  });
});

test('its recipients are a file with what became of each message', async () => {
  const [good, bad] = [phone(), phone('8001')];
  const segment = await segmentOf([{ phone: good, name: '=Asha, "A"' }, { phone: bad }]);
  const { id } = await broadcast({ segment });
  await stands(id, 'completed');
  await expect.poll(async () => (await read(id)).counts.failed).toBe(1);
  const all = await service.ask(`GET /broadcast/${id}/recipients/`);
  expect(all.headers.get('content-type')).toContain('text/csv');
  const lines = all.body.trimEnd().split('\r\n');
  expect(lines[0]).toMatch(/^message_id,contact_id,name,address,status,error_code/);
  expect(lines).toHaveLength(3);
  expect(all.body).toContain(`,"'=Asha, ""A""",${good},`);
  const failed = await service.ask(`GET /broadcast/${id}/recipients/?status=failed`);
  expect(failed.body.trimEnd().split('\r\n')).toHaveLength(2);
  expect(failed.body).toContain(`${bad},failed,`);
});
