import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type ServiceKit, startService } from '../service.kit.ts';

let service: ServiceKit;
let simulators: Readonly<Record<string, string>>;

beforeAll(async () => {
  service = await startService();
  const credentials = await readFile(join(service.home, 'credentials.json'), 'utf8');
  ({ simulators } = JSON.parse(credentials));
});
afterAll(() => service.stop());

const paths = { wa: '/wa/v1/', sms: '/sms/v1/', botchat: '/botchat/v1/', rcs: '/rcs/v1/' } as const;
type Word = keyof typeof paths;

async function connect(
  channel: Word,
  provider: string,
  more: object = {},
): Promise<Answer['body']> {
  const path = channel === 'botchat' ? `${paths[channel]}bots/` : `${paths[channel]}apps/`;
  const body = { provider, name: `${provider} ${Math.random()}`, ...more };
  const { status, body: app } = await service.ask(`POST ${path}`, { body });
  expect(status, JSON.stringify(app)).toBe(201);
  return app;
}

const send = (channel: Word, body: object, headers: Record<string, string> = {}) =>
  service.send(`${paths[channel]}messages/`, JSON.stringify(body), {
    'content-type': 'application/json',
    ...headers,
  });

const read = async (channel: Word, id: string) =>
  (await service.ask(`GET ${paths[channel]}messages/${id}/`)).body;

/** Waits until the message has this status. */
async function stands(channel: Word, id: string, status: string): Promise<Answer['body']> {
  await expect
    .poll(async () => (await read(channel, id)).status, { timeout: 30_000, interval: 100 })
    .toBe(status);
  return read(channel, id);
}

const control = async (provider: string, name: string, body: object) => {
  const response = await fetch(`${simulators[provider]}/_control/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status, await response.text()).toBeLessThan(300);
};

const received = async (channel: Word, address: string) =>
  (
    await service.ask(
      `GET ${paths[channel]}messages/?direction=in&address=${encodeURIComponent(address)}`,
    )
  ).body.results;

/** Changes a message that waits, and makes it due. */
const makeDue = (id: string, change = 'attempts = attempts') =>
  service.app.platform.db.tenant(service.tenantId, async (tx) => {
    await tx.run(`update message set due_at = created_at, ${change} where id = $1`, [id]);
    await tx.run(`update job set run_at = now() where key = $1`, [id]);
  });

const fails = (provider: string, kind: number | string, times: number) =>
  control(provider, 'faults', { call: 'send', kind, times });

const mend = (provider: string) =>
  fetch(`${simulators[provider]}/_control/faults`, { method: 'DELETE' });

/** What a simulator has counted of messages. */
async function countsOf(provider: string): Promise<{ readonly reports: unknown }> {
  const answer = await fetch(`${simulators[provider]}/_control/counts`);
  return ((await answer.json()) as { messages: { reports: unknown } }).messages;
}

/** The ids of what the provider took for this person, in their order. */
const takenBy = async (provider: string, to: string) => {
  const log = await (await fetch(`${simulators[provider]}/_control/log?limit=1000`)).text();
  const rows = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return rows.filter((row) => `+${row.to}` === to || row.to === to).map(({ id }) => id);
};

let serial = 10_000;
const phone = () => `+60123${(serial += 1)}1`;

describe.each(['twilio-sms', 'plivo-sms', 'vonage-sms', 'generic-http-sms'])(
  'SMS by %s',
  (provider) => {
    test('a text is sent, and its report comes back', async () => {
      const app = await connect('sms', provider);
      const { status, body } = await send('sms', { to: phone(), text: 'hello', app_id: app.id });
      expect(status).toBe(202);
      expect(body).toEqual({ message_id: expect.stringMatching(/^msg_/), status: 'queued' });
      expect(await stands('sms', body.message_id, 'delivered')).toMatchObject({
        direction: 'out',
        provider_id: expect.any(String),
        preview: 'hello',
        error: null,
      });
    });

    test('a person who writes STOP gets no more messages until START', async () => {
      const app = await connect('sms', provider);
      const from = phone();
      const write = (text: string) => {
        const to = app.settings.from;
        return control(provider, 'inbound', { from: from.slice(1), text, to });
      };
      await write('STOP');
      await expect.poll(async () => (await received('sms', from)).length).toBe(1);
      const refused = await send('sms', { to: from, text: 'sale', app_id: app.id });
      expect(refused).toMatchObject({ status: 400, body: { code: 'opted_out' } });
      await write('START');
      await expect.poll(async () => (await received('sms', from)).length).toBe(2);
      const taken = await send('sms', { to: from, text: 'welcome back', app_id: app.id });
      expect(taken.status).toBe(202);
      await stands('sms', taken.body.message_id, 'delivered');
      const contact = (await received('sms', from))[0].contact_id;
      expect((await service.ask(`GET /contacts/${contact}/`)).body.phone).toBe(from);
    });
  },
);

describe('the chat app', () => {
  test('outside the service window only an approved template is sent', async () => {
    const app = await connect('wa', 'whatsapp');
    const to = phone();
    const text = { to, type: 'text', text: { body: 'hi' }, app_id: app.id };
    expect(await send('wa', text)).toMatchObject({ status: 400, body: { code: 'window_closed' } });
    const template = { name: 'parcel_sent', language: 'en_US', components: [] as object[] };
    const use = { to, type: 'template', template, app_id: app.id };
    expect(await send('wa', use)).toMatchObject({
      status: 404,
      body: { code: 'template_not_found' },
    });
    const definition = {
      name: 'parcel_sent',
      language: 'en_US',
      category: 'UTILITY',
      app_id: app.id,
      body: 'Hello {{1}}, your order has been sent today.',
      body_examples: ['Asha'],
    };
    const submitted = await service.ask('POST /wa/v1/templates/', { body: definition });
    expect(submitted).toMatchObject({ status: 201, body: { status: 'pending' } });
    await expect
      .poll(
        async () => {
          const { body } = await service.ask(`GET /wa/v1/templates/${submitted.body.id}/`);
          return body.status;
        },
        { timeout: 30_000 },
      )
      .toBe('approved');
    expect(await send('wa', use)).toMatchObject({
      status: 400,
      body: { errors: { 'template.components': [expect.stringContaining('1')] } },
    });
    template.components.push({ type: 'body', parameters: [{ type: 'text', text: 'Asha' }] });
    const taken = await send('wa', use);
    expect(taken.status).toBe(202);
    await stands('wa', taken.body.message_id, 'read');
  });

  test('within the window anything may be sent, and a reply names what it answers', async () => {
    const app = await connect('wa', 'whatsapp');
    const from = phone();
    const phone_number_id = app.settings.phone_number_id;
    await control('whatsapp', 'inbound', {
      from: from.slice(1),
      name: 'Asha',
      text: 'are you there?',
      phone_number_id,
    });
    await expect.poll(async () => (await received('wa', from)).length).toBe(1);
    const [question] = await received('wa', from);
    const taken = await send('wa', {
      to: from,
      type: 'text',
      text: { body: 'yes' },
      app_id: app.id,
      reply_to: question.id,
    });
    expect(taken.status).toBe(202);
    expect(await stands('wa', taken.body.message_id, 'read')).toMatchObject({
      reply_to: question.provider_id,
      contact_id: question.contact_id,
    });
    const answer = { to: from, type: 'text', text: { body: 'yes' }, app_id: app.id };
    expect(await send('wa', { ...answer, reply_to: `msg_${'0'.repeat(26)}` })).toMatchObject({
      status: 400,
      body: { errors: { reply_to: [expect.stringContaining('not a message')] } },
    });
  });

  test('a Mexican who writes with the former 1 is one person, and is answered', async () => {
    const app = await connect('wa', 'whatsapp');
    const { phone_number_id } = app.settings;
    const inbound = { from: '5215512349876', text: 'hola', phone_number_id };
    await control('whatsapp', 'inbound', inbound);
    const phone = '+525512349876';
    await expect.poll(async () => (await received('wa', phone)).length).toBe(1);
    const [{ contact_id }] = await received('wa', phone);
    for (const written of [phone, '+52 1 55 1234 9876']) {
      expect(await service.ask('POST /contacts/', { body: { phone: written } })).toMatchObject({
        status: 409,
        body: { contact_id },
      });
    }
    const answer = { to: phone, type: 'text', text: { body: 'qué tal' }, app_id: app.id };
    const taken = await send('wa', answer);
    expect(taken.status, JSON.stringify(taken.body)).toBe(202);
    expect(await stands('wa', taken.body.message_id, 'read')).toMatchObject({ contact_id });
  });

  const reply = (id: string, title: string) => ({
    type: 'interactive',
    interactive: { type: 'button_reply', button_reply: { id, title } },
  });
  test.each([
    ['a text with an emoji', { type: 'text', text: { body: 'STOP ❤️' } }, ['wa']],
    ['a quick reply', { type: 'button', button: { payload: 'STOP', text: 'STOP' } }, ['wa']],
    ['a button', reply('b1', '⛔️ Stop'), ['wa']],
    ['a button that sends STOP', reply('STOP', 'No more offers'), ['wa']],
    ['a button that cancels an order', reply('cancel', 'Cancel'), []],
  ])('%s stops what it says', async (_name, part, channels) => {
    const { settings } = await connect('wa', 'whatsapp');
    const { phone_number_id } = settings;
    const from = phone();
    await control('whatsapp', 'inbound', { from: from.slice(1), part, phone_number_id });
    await expect.poll(async () => (await received('wa', from)).length).toBe(1);
    const { body } = await service.ask(
      `GET /contacts/opt-outs/?address=${encodeURIComponent(from)}`,
    );
    expect(body.results.map(({ channel }: { channel: string }) => channel)).toEqual(channels);
  });

  test('what a person refused holds at their new number, and what they allow there too', async () => {
    const { id, settings } = await connect('wa', 'whatsapp');
    const { phone_number_id } = settings;
    const [from, to] = [phone(), phone()];
    const write = (who: string, text: string) =>
      control('whatsapp', 'inbound', { from: who.slice(1), text, phone_number_id });
    const move = async () => {
      const system = { type: 'user_changed_number', wa_id: to.slice(1) };
      const part = { type: 'system', system };
      await control('whatsapp', 'inbound', { from: from.slice(1), part, phone_number_id });
    };
    await write(from, 'STOP');
    await expect.poll(async () => (await received('wa', from)).length).toBe(1);
    const [{ contact_id }] = await received('wa', from);
    const sms = { channel: 'sms', address: from };
    expect((await service.ask('POST /contacts/opt-outs/', { body: sms })).status).toBe(201);
    await move();
    const contact = async () => (await service.ask(`GET /contacts/${contact_id}/`)).body.phone;
    await expect.poll(contact).toBe(to);
    const stopped = async () => {
      const query = `address=${encodeURIComponent(to)}`;
      const { body } = await service.ask(`GET /contacts/opt-outs/?${query}`);
      return body.results.map(({ channel }: { channel: string }) => channel).sort();
    };
    expect(await stopped()).toEqual(['sms', 'wa']);
    const text = { to, type: 'text', text: { body: 'sale' }, app_id: id };
    expect(await send('wa', text)).toMatchObject({ status: 400, body: { code: 'opted_out' } });
    await write(to, 'START');
    await expect.poll(stopped).toEqual(['sms']);
    await move();
    await write(to, 'hello');
    const left = await service.ask(`GET /contacts/?phone=${encodeURIComponent(from)}`);
    expect(left.body.results).toEqual([]);
    await expect.poll(async () => (await received('wa', to)).length).toBe(2);
    expect(await stopped()).toEqual(['sms']);
  });

  test('what was refused for a number holds for the network’s id of the person, once it is known', async () => {
    const { settings } = await connect('wa', 'whatsapp');
    const { phone_number_id } = settings;
    const from = phone();
    const user_id = `MY.1${from.slice(1)}`;
    const refusal = { channel: 'wa', address: from };
    await service.ask('POST /contacts/', { body: { phone: from } });
    expect((await service.ask('POST /contacts/opt-outs/', { body: refusal })).status).toBe(201);
    const told = { from: from.slice(1), user_id, text: 'hello', phone_number_id };
    await control('whatsapp', 'inbound', told);
    await expect.poll(async () => (await received('wa', from)).length).toBe(1);
    const { body } = await service.ask(`GET /contacts/opt-outs/?channel=wa&address=${user_id}`);
    expect(body.results).toMatchObject([{ source: 'network', note: `said at ${from}` }]);
  });

  test('what a person refused by the network’s id alone holds at the number by which they write later', async () => {
    const { id, settings } = await connect('wa', 'whatsapp');
    const { phone_number_id } = settings;
    const to = phone();
    const user_id = `MY.1${to.slice(1)}`;
    const write = (told: object) =>
      control('whatsapp', 'inbound', { user_id, phone_number_id, ...told });
    await write({ text: 'STOP' });
    await expect.poll(async () => (await received('wa', user_id)).length).toBe(1);
    await write({ from: to.slice(1), text: 'hello' });
    await expect.poll(async () => (await received('wa', to)).length).toBe(1);
    const text = { type: 'text', text: { body: 'sale' }, app_id: id };
    expect(await send('wa', { ...text, to })).toMatchObject({ body: { code: 'opted_out' } });
    const [{ contact_id }] = await received('wa', to);
    const contact = (await service.ask(`GET /contacts/${contact_id}/`)).body;
    const channel_identifiers = [{ channel: 'wa', external_id: user_id }];
    expect(contact).toMatchObject({ phone: to, channel_identifiers });
    // By another number, the first one stays.
    const second = phone();
    await write({ from: second.slice(1), text: 'hello' });
    await expect.poll(async () => (await received('wa', second)).length).toBe(1);
    expect(await send('wa', { ...text, to: second })).toMatchObject({
      body: { code: 'opted_out' },
    });
    expect((await service.ask(`GET /contacts/${contact_id}/`)).body).toMatchObject({
      phone: to,
      channel_identifiers: [{ channel: 'wa', external_id: second }, ...channel_identifiers],
    });
  });

  test('what a person refused for a former number holds for the id that comes with the new one', async () => {
    const { settings } = await connect('wa', 'whatsapp');
    const { phone_number_id } = settings;
    const [from, to] = [phone(), phone()];
    const user_id = `MY.1${to.slice(1)}`;
    const write = (told: object) =>
      control('whatsapp', 'inbound', { from: from.slice(1), phone_number_id, ...told });
    await write({ text: 'STOP' });
    await expect.poll(async () => (await received('wa', from)).length).toBe(1);
    const system = { type: 'user_changed_number', wa_id: to.slice(1) };
    await write({ user_id, part: { type: 'system', system } });
    const [{ contact_id }] = await received('wa', from);
    const contact = async () => (await service.ask(`GET /contacts/${contact_id}/`)).body.phone;
    await expect.poll(contact).toBe(to);
    const { body } = await service.ask(`GET /contacts/opt-outs/?channel=wa&address=${user_id}`);
    expect(body.results).toMatchObject([{ source: 'network' }]);
  });

  test('a new second number of a person takes the place of that one, and not of the first', async () => {
    const { settings } = await connect('wa', 'whatsapp');
    const { phone_number_id } = settings;
    const [first, from, to] = [phone(), phone(), phone()];
    const known = (external_id: string) => ({ channel: 'wa', external_id });
    const { body } = await service.ask('POST /contacts/', {
      body: { phone: first, channel_identifiers: [known(from)] },
    });
    const part = { type: 'system', system: { type: 'user_changed_number', wa_id: to.slice(1) } };
    await control('whatsapp', 'inbound', { from: from.slice(1), part, phone_number_id });
    const contact = async () => (await service.ask(`GET /contacts/${body.id}/`)).body;
    await expect.poll(contact).toMatchObject({ phone: first, channel_identifiers: [known(to)] });
  });

  test('a START that the network delivers after a STOP that was written later changes nothing', async () => {
    const { id, settings } = await connect('wa', 'whatsapp');
    const { phone_number_id } = settings;
    const to = phone();
    const write = (body: string, timestamp: number) => {
      const part = { type: 'text', text: { body }, timestamp: `${timestamp}` };
      return control('whatsapp', 'inbound', { from: to.slice(1), part, phone_number_id });
    };
    const now = Math.floor(Date.now() / 1_000);
    const count = async (expected: number) =>
      expect.poll(async () => (await received('wa', to)).length).toBe(expected);
    const text = { to, type: 'text', text: { body: 'sale' }, app_id: id };
    await write('STOP', now - 60);
    await count(1);
    await write('START', now - 600);
    await count(2);
    expect(await send('wa', text)).toMatchObject({ status: 400, body: { code: 'opted_out' } });
    await write('START', now - 30);
    await count(3);
    expect(await send('wa', text)).toMatchObject({ status: 202 });
  });

  test('a refusal that the network delivers after an agreement of later changes nothing', async () => {
    const { id, settings } = await connect('wa', 'whatsapp');
    const { phone_number_id } = settings;
    const to = phone();
    const now = Math.floor(Date.now() / 1_000);
    const write = (body: string, timestamp: number) => {
      const part = { type: 'text', text: { body }, timestamp: `${timestamp}` };
      return control('whatsapp', 'inbound', { from: to.slice(1), part, phone_number_id });
    };
    const prefer = (value: string, timestamp: number) => {
      const preference = { wa_id: to.slice(1), category: 'marketing_messages', value, timestamp };
      const metadata = { phone_number_id };
      const told = { metadata, user_preferences: [preference] };
      const { waba_id } = settings;
      return control('whatsapp', 'notify', { field: 'user_preferences', value: told, waba_id });
    };
    const count = async (expected: number) =>
      expect.poll(async () => (await received('wa', to)).length).toBe(expected);
    const consents = async () => {
      const [{ contact_id }] = await received('wa', to);
      const { body } = await service.ask(`GET /contacts/${contact_id}/consents/`);
      return body.results.find(({ channel }: { channel: string }) => channel === 'wa')?.state;
    };
    const text = { to, type: 'text', text: { body: 'sale' }, app_id: id };
    await write('START', now - 30);
    await count(1);
    await write('STOP', now - 60);
    await count(2);
    expect(await send('wa', text)).toMatchObject({ status: 202 });
    await prefer('stop', now - 20);
    await expect.poll(consents).toBe('revoked');
    await prefer('resume', now - 10);
    await expect.poll(consents).toBe('granted');
    // What was delivered before comes once more.
    await prefer('stop', now - 20);
    await write('hello', now - 5);
    await count(3);
    expect(await consents()).toBe('granted');
    expect(await send('wa', text)).toMatchObject({ status: 202 });
    await write('STOP', now - 2);
    await count(4);
    expect(await send('wa', text)).toMatchObject({ status: 400, body: { code: 'opted_out' } });
  });

  test('who has opted out gets nothing in another writing of their number either', async () => {
    const { id } = await connect('wa', 'whatsapp');
    const to = phone();
    const written = `${to.slice(0, 3)} ${to.slice(3, 5)}-${to.slice(5)}`;
    const optOut = { channel: 'wa', address: to };
    expect((await service.ask('POST /contacts/opt-outs/', { body: optOut })).status).toBe(201);
    const channel_identifiers = [{ channel: 'wa', external_id: written }];
    const { body } = await service.ask('POST /contacts/', { body: { channel_identifiers } });
    const text = { type: 'text', text: { body: 'sale' }, app_id: id };
    for (const target of [{ recipient: written }, { contact_id: body.id }]) {
      const refused = await send('wa', { ...text, ...target });
      expect(refused, JSON.stringify(target)).toMatchObject({ body: { code: 'opted_out' } });
    }
    const digits = await send('wa', { ...text, recipient: to.slice(1) });
    expect(Object.keys(digits.body.errors)).toEqual(['recipient']);
  });

  test('a template in the network’s own form is refused with the fields to use instead', async () => {
    const components = [{ type: 'BODY', text: 'Your order has been sent today.' }];
    const body = { name: 'sent', language: 'en_US', category: 'UTILITY', components };
    expect(await service.ask('POST /wa/v1/templates/', { body })).toMatchObject({
      status: 400,
      body: {
        detail: expect.stringMatching(/`header`, `body` with `body_examples`, `footer` and/),
        errors: { body: ['is required'], components: [expect.stringContaining('stands in')] },
      },
    });
  });

  test('a template that the network would refuse is refused with the network’s code', async () => {
    const app = await connect('wa', 'whatsapp');
    const body = {
      name: 'Bad Name',
      language: 'en_US',
      category: 'UTILITY',
      app_id: app.id,
      body: '{{1}} begins with a variable',
    };
    expect(await service.ask('POST /wa/v1/templates/', { body })).toMatchObject({
      status: 400,
      body: {
        code: 'template_refused',
        errors: { name: expect.anything(), body: [expect.stringContaining('2388299')] },
      },
    });
    const found = expect.arrayContaining([
      { field: 'name', message: expect.any(String), code: 'name' },
      { field: 'body', message: expect.any(String), code: '2388299' },
    ]);
    expect(await service.ask('POST /wa/v1/templates/check/', { body })).toMatchObject({
      status: 200,
      body: { findings: found, variables: ['1'] },
    });
  });

  test('the network’s handshake gets its challenge, with the right token only', async () => {
    const app = await connect('wa', 'whatsapp');
    const { verify_token } = await service.settingsOf(app.id);
    const ask = (token: string) =>
      fetch(
        `${service.url}/wa/v1/webhooks/${service.tenantId}/?hub.mode=subscribe` +
          `&hub.verify_token=${token}&hub.challenge=1158201444`,
      );
    const right = await ask(verify_token!);
    expect([right.status, await right.text()]).toEqual([200, '1158201444']);
    expect((await ask('wrong')).status).toBe(403);
  });
});

describe('bot chat', () => {
  test('a bot only writes to people who have started it', async () => {
    const bot = await connect('botchat', 'telegram');
    const chat = 5_000_000 + (serial += 1);
    const message = { to: String(chat), text: 'hello', app_id: bot.id };
    expect(await send('botchat', message)).toMatchObject({
      status: 400,
      body: { code: 'not_started' },
    });
    const { bot_token: token } = await service.settingsOf(bot.id);
    await control('telegram', 'start', { chat_id: chat, token });
    await expect.poll(async () => (await send('botchat', message)).status).toBe(202);
    const { body } = await send('botchat', { ...message, text: 'once more' });
    await stands('botchat', body.message_id, 'sent');
    await control('telegram', 'block', { chat_id: chat, token });
    await expect
      .poll(async () => (await send('botchat', message)).body.code)
      .toMatch(/opted_out|not_started/);
  });
});

describe('RCS', () => {
  test('a card is sent, delivered and read', async () => {
    const app = await connect('rcs', 'google-rcs');
    const card = {
      title: 'Your parcel',
      description: 'It comes today.',
      suggestions: [{ type: 'reply', text: 'Fine', payload: 'ok' }],
    };
    const { status, body } = await send('rcs', { to: phone(), card, app_id: app.id });
    expect(status, JSON.stringify(body)).toBe(202);
    expect(await stands('rcs', body.message_id, 'read')).toMatchObject({
      provider_id: body.message_id,
    });
  });

  test('one whose answer was lost is taken back at the network too, and never called unsent', async () => {
    const app = await connect('rcs', 'google-rcs');
    const lose = async (to: string) => {
      await control('google-rcs', 'faults', { call: 'send', kind: 'cut-after' });
      const { body } = await send('rcs', { to, text: 'hello', app_id: app.id });
      await expect
        .poll(() => read('rcs', body.message_id))
        .toMatchObject({ status: 'queued', error: { code: 'answer_lost' } });
      return body.message_id as string;
    };
    const id = await lose('+60125559410');
    await control('google-rcs', 'clock', { advance_ms: 1_000 });
    const revoked = await service.ask(`POST /rcs/v1/messages/${id}/revoke/`);
    expect(revoked).toMatchObject({ status: 200, body: { status: 'canceled' } });
    // Its time is over at the network: had it not been withdrawn, this would be reported.
    const before = (await countsOf('google-rcs')).reports;
    await control('google-rcs', 'clock', { advance_ms: 90_000_000 });
    expect((await countsOf('google-rcs')).reports).toEqual(before);
    const late = await lose('+60125559410');
    await makeDue(late, `created_at = created_at - interval '2 days'`);
    await stands('rcs', late, 'unknown');
  });

  test('a message to a person without RCS fails', async () => {
    const app = await connect('rcs', 'google-rcs');
    const { body } = await send('rcs', { to: '+60123009404', text: 'hi', app_id: app.id });
    const { error } = await stands('rcs', body.message_id, 'failed');
    expect(error.code).toMatch(/404|NOT_FOUND/);
  });
});

test('what is wrong with a message is told by the member of its request', async () => {
  const rcs = await connect('rcs', 'google-rcs');
  const wa = await connect('wa', 'whatsapp');
  const to = phone();
  const { phone_number_id } = wa.settings;
  await control('whatsapp', 'inbound', { from: to.slice(1), text: 'hello', phone_number_id });
  await expect.poll(async () => (await received('wa', to)).length).toBe(1);
  const long = 'A'.repeat(30);
  const reply = { type: 'reply', text: long, payload: 'a' };
  const list = { button: 'Choose', sections: [{ rows: [{ id: '1', title: long }] }] };
  const cases: readonly (readonly [Word, object, string])[] = [
    ['wa', { to: '0123', type: 'text', text: { body: 'hi' } }, 'to'],
    ['wa', { type: 'text', text: { body: ' ' } }, 'text.body'],
    ['wa', { type: 'image', image: { id: '1', caption: 'A'.repeat(1_025) } }, 'image.caption'],
    [
      'wa',
      { type: 'interactive', interactive: { body: 'Which?', list } },
      'interactive.list.sections.0.rows.0.title',
    ],
    ['rcs', { to: '0123', text: 'hi' }, 'to'],
    ['rcs', { carousel: [{ title: 'A' }] }, 'carousel'],
    [
      'rcs',
      { carousel: [{ title: 'A' }, { title: 'B', suggestions: [reply] }] },
      'carousel.1.suggestions.0.text',
    ],
  ];
  for (const [channel, body, field] of cases) {
    const app_id = channel === 'wa' ? wa.id : rcs.id;
    const answer = await send(channel, { to, app_id, ...body });
    expect(answer.status, field).toBe(400);
    expect(Object.keys(answer.body.errors), field).toEqual([field]);
  }
  const phones = [to, '0123'];
  const reach = await service.ask('POST /rcs/v1/capabilities/', { body: { phones } });
  expect(reach).toMatchObject({ status: 400, body: { errors: { 'phones.1': expect.anything() } } });
});

test('a repeat with the same key is the same message; another body is refused', async () => {
  const app = await connect('sms', 'twilio-sms');
  const body = { to: phone(), text: 'once', app_id: app.id };
  const first = await send('sms', body, { 'idempotency-key': 'k-1' });
  const again = await send('sms', body, { 'idempotency-key': 'k-1' });
  expect(again.body.message_id).toBe(first.body.message_id);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  const other = await send('sms', { ...body, text: 'twice' }, { 'idempotency-key': 'k-1' });
  expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_payload_mismatch' } });
  await stands('sms', first.body.message_id, 'delivered');
  const { results } = (await service.ask(`GET /sms/v1/messages/?app_id=${app.id}`)).body;
  expect(results).toHaveLength(1);
});

test('a text to India needs its registration', async () => {
  const app = await connect('sms', 'twilio-sms');
  const to = '+919812345678';
  const plain = await send('sms', { to, text: 'hello', app_id: app.id });
  expect(plain).toMatchObject({ status: 400, body: { code: 'registration_missing' } });
  const registration = {
    entity_id: '1101456324675322134',
    template_id: '1107161234567890123',
    header: 'HDRNAM',
    type: 'SI',
  };
  const template = { name: 'otp', body: 'Your code is {{1}}. - BRAND', registration };
  expect((await service.ask('POST /sms/v1/templates/', { body: template })).status).toBe(201);
  const use = { to, template: { name: 'otp', variables: { 1: '4711' } }, app_id: app.id };
  const { status, body } = await send('sms', use);
  expect(status, JSON.stringify(body)).toBe(202);
  expect((await stands('sms', body.message_id, 'delivered')).preview).toContain('4711');
});

test('an app’s secrets come back masked, and stay when only the name changes', async () => {
  const app = await connect('sms', 'twilio-sms');
  expect(app.settings.auth_token).toBe('••••••••');
  const path = `/sms/v1/apps/${app.id}/`;
  const renamed = await service.ask(`PATCH ${path}`, { body: { name: 'renamed' } });
  expect(renamed).toMatchObject({ status: 200, body: { name: 'renamed' } });
  const masked = { settings: { auth_token: '••••••••' } };
  expect((await service.ask(`PATCH ${path}`, { body: masked })).status).toBe(400);
  const { body } = await send('sms', { to: phone(), text: 'still works', app_id: app.id });
  await stands('sms', body.message_id, 'delivered');
});

test('an unsigned webhook is refused, unless the app allows it', async () => {
  const app = await connect('sms', 'twilio-sms');
  const form = new URLSearchParams({
    MessageSid: 'SM1',
    From: '+60120000001',
    To: '+1',
    Body: 'x',
  });
  const call = () =>
    fetch(`${service.url}/sms/v1/webhooks/${app.id}/inbound/`, { method: 'POST', body: form });
  expect((await call()).status).toBe(401);
  await service.ask(`PATCH /sms/v1/apps/${app.id}/`, { body: { allow_unsigned: true } });
  expect((await call()).status).toBe(200);
  expect(await received('sms', '+60120000001')).toHaveLength(1);
  // The same report twice counts once.
  expect((await call()).status).toBe(200);
  expect(await received('sms', '+60120000001')).toHaveLength(1);
  await service.ask(`PATCH /sms/v1/apps/${app.id}/`, { body: { allow_unsigned: false } });
  expect((await call()).status).toBe(401);
  await service.ask(`DELETE /sms/v1/apps/${app.id}/`);
  expect((await call()).status).toBe(404);
});

describe('a provider that is out of order', () => {
  test('loses no message within a day, however often it says that it is busy', async () => {
    const app = await connect('sms', 'twilio-sms');
    await fails('twilio-sms', 503, 1_000);
    const { body } = await send('sms', { to: phone(), text: 'later', app_id: app.id });
    const id = body.message_id;
    const waits = () => expect.poll(() => read('sms', id));
    await waits().toMatchObject({ status: 'queued', error: { code: expect.any(String) } });
    await makeDue(id, `attempts = 100, error_code = 'earlier'`);
    await waits().toMatchObject({
      status: 'queued',
      error: { code: expect.not.stringMatching('earlier') },
    });
    await mend('twilio-sms');
    await makeDue(id);
    await stands('sms', id, 'delivered');
  });

  test('gets nothing whose time is over', async () => {
    const app = await connect('sms', 'twilio-sms');
    await fails('twilio-sms', 503, 1_000);
    const to = phone();
    const [short, plain] = await Promise.all([
      send('sms', { to, text: 'code', ttl_seconds: 300, app_id: app.id }),
      send('sms', { to: phone(), text: 'news', app_id: app.id }),
    ]);
    const ids: [string, string] = [short.body.message_id, plain.body.message_id];
    for (const id of ids) {
      await expect.poll(async () => (await read('sms', id)).error).not.toBe(null);
    }
    await mend('twilio-sms');
    await makeDue(ids[0], `created_at = created_at - interval '301 s'`);
    await makeDue(ids[1], `created_at = created_at - interval '25 h'`);
    expect((await stands('sms', ids[0], 'expired')).sent_at).toBe(null);
    await stands('sms', ids[1], 'expired');
    expect(await takenBy('twilio-sms', to)).toEqual([]);
  });

  test('gets the messages to one person in their order', async () => {
    const app = await connect('sms', 'twilio-sms');
    const to = phone();
    await fails('twilio-sms', 503, 1);
    const first = await send('sms', { to, text: 'one', app_id: app.id });
    const id = first.body.message_id;
    await expect.poll(async () => (await read('sms', id)).error).not.toBe(null);
    const second = await send('sms', { to, text: 'two', app_id: app.id });
    const stranger = await send('sms', { to: phone(), text: 'three', app_id: app.id });
    await stands('sms', stranger.body.message_id, 'delivered');
    expect((await read('sms', second.body.message_id)).status).toBe('queued');
    await stands('sms', second.body.message_id, 'delivered');
    const sent = await Promise.all([first, second].map(({ body }) => read('sms', body.message_id)));
    expect(await takenBy('twilio-sms', to)).toEqual(sent.map(({ provider_id }) => provider_id));
  });
});

test('credentials that the provider refuses stop the app, and its messages wait until they are mended', async () => {
  const endpoint = { url: 'https://receiver.example/', event_types: ['app.*'] };
  expect((await service.ask('POST /webhook-endpoints/', { body: endpoint })).status).toBe(201);
  const app = await connect('sms', 'twilio-sms');
  const { auth_token } = await service.settingsOf(app.id);
  const patch = (body: object) => service.ask(`PATCH /sms/v1/apps/${app.id}/`, { body });
  const wrong = await patch({ settings: { auth_token: 'wrong' } });
  // It is told at once, as the provider does not take the address either; the app is kept.
  expect(wrong).toMatchObject({ status: 400, body: { code: 'provider_refused' } });
  const { body } = await send('sms', { to: phone(), text: 'hello', app_id: app.id });
  const id = body.message_id;
  await expect
    .poll(() => read('sms', id))
    .toMatchObject({
      status: 'queued',
      error: { code: '20003' },
    });
  const stopped = await service.ask(`GET /sms/v1/apps/${app.id}/`);
  expect(stopped.body).toMatchObject({ state: 'stopped', stopped_reason: expect.any(String) });
  const told = await service.app.platform.db.tenant(service.tenantId, (tx) =>
    tx.rows(`select payload from webhook_event where type = 'app.stopped' and subject_id = $1`, [
      app.id,
    ]),
  );
  expect(told).toHaveLength(1);
  const refused = await send('sms', { to: phone(), text: 'hello', app_id: app.id });
  expect(refused).toMatchObject({ status: 409, body: { code: 'app_stopped' } });
  // While the app is stopped no attempt is counted, and what the provider said stays.
  await makeDue(id);
  await expect
    .poll(async () => (await waitingOf(id)).due_at > new Date(Date.now() + 10_000))
    .toBe(true);
  expect(await waitingOf(id)).toMatchObject({ status: 'queued', attempts: 1, error_code: '20003' });
  expect((await patch({ settings: { auth_token }, state: 'active' })).status).toBe(200);
  await makeDue(id);
  await stands('sms', id, 'delivered');
});

const waitingOf = (id: string) =>
  service.app.platform.db.tenant(service.tenantId, async (tx) => {
    const row = await tx.row<{
      status: string;
      attempts: number;
      error_code: string;
      due_at: Date;
    }>('select status, attempts, error_code, due_at from message where id = $1', [id]);
    return row!;
  });

describe('money', () => {
  test('a message reserves its price, and is charged once the provider accepts it', async () => {
    const app = await connect('sms', 'twilio-sms');
    await service.fund('sms', '+6', '0.05', '0.12');
    const one = await send('sms', { to: phone(), text: 'a', app_id: app.id });
    await stands('sms', one.body.message_id, 'delivered');
    expect((await service.ask('GET /tenants/host-wallet/')).body).toMatchObject({
      balance: '0.07',
      available: '0.07',
    });
    const long = await send('sms', { to: phone(), text: 'x'.repeat(161), app_id: app.id });
    expect(long).toMatchObject({ status: 400, body: { code: 'insufficient_funds' } });
    expect(long.body.detail).toBe(
      'The message costs 0.1 USD, and the wallet has 0.07 USD free: ask the host to top it up.',
    );
    // A failure releases the reserved money.
    const failing = await send('sms', { to: '+60123421211', text: 'b', app_id: app.id });
    await stands('sms', failing.body.message_id, 'failed');
    expect((await service.ask('GET /tenants/host-wallet/')).body.available).toBe('0.07');
  });
});
