import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Bot, GrammyError, InlineKeyboard, webhookCallback } from 'grammy';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { standingClock } from '../../../test/kit/clock.ts';
import type { App, WebhookRequest } from '../contract.ts';
import { telegram } from './adapter.ts';
import type { Settings } from './settings.ts';
import { sandboxSettings, startTelegramSimulator } from './simulator.ts';

const { bot_token, webhook_secret } = sandboxSettings;

describe('grammY', () => {
  const time = standingClock('2026-11-21T08:00:00Z');
  let simulator: Awaited<ReturnType<typeof startTelegramSimulator>>;
  let bot: Bot;
  let server: Server;
  let address: string;
  const heard: string[] = [];
  /** The requests that arrived, with the SDK's answers. */
  const received: { headers: WebhookRequest['headers']; body: Buffer; status: number }[] = [];

  beforeAll(async () => {
    const options = { clock: time.clock, webhookUrl: 'https://unused.test/', isSending: true };
    simulator = await startTelegramSimulator(options);
    bot = new Bot(bot_token, { client: { apiRoot: simulator.url } });
    await bot.init();
    bot.on('message:text', (context) => heard.push(context.message.text));
    bot.on('callback_query:data', (context) => heard.push(`tap ${context.callbackQuery.data}`));
    bot.on('my_chat_member', (context) => heard.push(context.myChatMember.new_chat_member.status));
    const handle = webhookCallback(bot, 'callback', { secretToken: webhook_secret });
    server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const body = Buffer.concat(parts);
      const headers = request.headers as WebhookRequest['headers'];
      const answer = (status: number) => {
        received.push({ headers, body, status });
        response.writeHead(status).end();
      };
      const update = JSON.parse(body.toString());
      const secret = headers['x-telegram-bot-api-secret-token'];
      await handle(
        update,
        async () => answer(200),
        secret,
        () => answer(401),
      );
      if (!response.writableEnded) answer(200);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await simulator.stop();
  });
  beforeEach(async () => {
    time.advance(60_000);
    heard.length = 0;
    received.length = 0;
    await bot.api.setWebhook(address, { secret_token: webhook_secret });
  });
  const sent = () => simulator.control.sent();

  test('finds itself, and where its updates go', async () => {
    expect(await bot.api.getMe()).toMatchObject({ id: 110_201_543, is_bot: true });
    expect(await bot.api.getWebhookInfo()).toMatchObject({ url: address });
    await expect(bot.api.setWebhook('http://api.example.test/')).rejects.toThrow('HTTPS');
  });

  test('gets the updates of people who start, write, tap and block', async () => {
    simulator.control.start(7);
    const message = await bot.api.sendMessage(7, 'Yes?', {
      reply_markup: new InlineKeyboard().text('Yes', 'y'),
    });
    expect(message).toMatchObject({ text: 'Yes?', chat: { id: 7, type: 'private' } });
    simulator.control.tap(simulator.control.messages().at(-1)!, 'y');
    simulator.control.block(7);
    await sent();
    expect(new Set(heard)).toEqual(new Set(['/start', 'kicked', 'tap y']));
  });

  test.each([
    [19_403, 403, 'bot was blocked by the user'],
    [19_410, 403, 'user is deactivated'],
    [424_242, 400, 'chat not found'],
    [19_429, 429, 'Too Many Requests'],
  ])('chat %d is an error of code %d: %s', async (chat, code, words) => {
    if (code === 429) simulator.control.start(chat);
    await sent();
    const failure = await bot.api.sendMessage(chat, 'hi').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(GrammyError);
    expect(failure).toMatchObject({ error_code: code });
    expect((failure as GrammyError).description).toContain(words);
    const wait = (failure as GrammyError).parameters.retry_after;
    expect(wait).toBe(code === 429 ? 7 : undefined);
  });

  test('takes and refuses the same updates as the adapter, by their secret', async () => {
    await bot.api.setWebhook(address, { secret_token: 'another-secret-token' });
    simulator.control.write(7, { text: 'forged' });
    await sent();
    await bot.api.setWebhook(address, { secret_token: webhook_secret });
    simulator.control.write(7, { text: 'true' });
    await sent();
    expect(heard).toEqual(['true']);
    const app: App<Settings> = {
      id: 'app_1',
      endpoint: simulator.url,
      callbackUrl: address,
      settings: telegram.settings.parse(sandboxSettings),
    };
    expect(received.map(({ status }) => status)).toEqual([401, 200]);
    for (const { headers, body, status } of received) {
      const request = { method: 'POST', url: address, headers, body } as const;
      const verdict = telegram.verify(request, app, time.clock()).kind;
      expect(verdict).toBe(status === 200 ? 'ok' : 'refused');
    }
  });

  test('an update that failed comes again, with the same id', async () => {
    await bot.api.setWebhook(address, { secret_token: 'another-secret-token' });
    simulator.control.write(7, { text: 'again' });
    await sent();
    simulator.control.advance(1_000);
    await sent();
    const updates = received.map(({ body }) => JSON.parse(body.toString()));
    const mine = updates.filter(({ message }) => message.text === 'again');
    const ids = mine.map(({ update_id }) => update_id as number);
    expect(ids.length).toBe(2);
    expect(new Set(ids).size).toBe(1);
  });
});

test('410 removes the webhook; later updates wait for the next address', async () => {
  const time = standingClock('2026-11-21T08:00:00Z');
  const statuses = [410];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    bodies.push(body);
    response.writeHead(statuses.shift() ?? 200).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const options = { clock: time.clock, webhookUrl: url, isSending: true };
  const simulator = await startTelegramSimulator(options);
  try {
    const bot = new Bot(bot_token, { client: { apiRoot: simulator.url } });
    for (const text of ['lost', 'kept']) {
      simulator.control.write(7, { text });
      await simulator.control.sent();
    }
    expect(bodies.length).toBe(1);
    expect(await bot.api.getWebhookInfo()).toMatchObject({ url: '', pending_update_count: 1 });
    await bot.api.setWebhook(url);
    await simulator.control.sent();
    expect(bodies[1]).toContain('kept');
  } finally {
    await simulator.stop();
    server.closeAllConnections();
    server.close();
  }
});
