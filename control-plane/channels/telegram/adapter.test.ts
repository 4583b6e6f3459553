import type { Content } from '@drawbridge/messaging/message.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { standingClock } from '../../../test/kit/clock.ts';
import { channelSuite, eventsOf, exchange, samples, sendThrough } from '../contract.suite.ts';
import type { App, ConnectStep } from '../contract.ts';
import { asReceived } from '../sms.fixture.ts';
import { telegram } from './adapter.ts';
import type { Settings } from './settings.ts';
import { sandboxSettings, startTelegramSimulator } from './simulator.ts';

const callbackUrl = 'https://api.example.test/botchat/v1/webhooks/app_1/';

function appOf(url: string, more: Partial<Settings> = {}): App<Settings> {
  const settings = { ...telegram.settings.parse(sandboxSettings), ...more };
  return { id: 'app_1', endpoint: url, callbackUrl, settings };
}

channelSuite('telegram', telegram, async () => {
  const time = standingClock('2026-11-21T08:00:00Z');
  const simulator = await startTelegramSimulator({ clock: time.clock, webhookUrl: callbackUrl });
  const { control } = simulator;
  let chat = 5_000_000;
  return {
    clock: time.clock,
    app: appOf(simulator.url),
    wrongApp: appOf(simulator.url, {
      bot_token: '110201543:AAnot-the-token-not-the-token-not-th',
      webhook_secret: 'not-the-webhook-secret',
    }),
    message: (name, outcome) => {
      chat += 1;
      if (outcome === 'accepted') control.start(chat);
      control.takeWebhooks();
      const id = String(outcome === 'refused' ? 50_009_403 : chat);
      const content = { kind: 'text', text: `hello ${name}` } as const;
      return { id: `m-${name}`, to: { kind: 'user', id }, content };
    },
    mishap: (kind, retryAfterSeconds) =>
      control.fault({
        call: 'send',
        kind,
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      }),
    held: ({ id }) =>
      control.messages().filter((each) => each.fields.text === id.replace('m-', 'hello ')).length,
    write: (text) => control.write(5_000_000, { text }),
    webhooks: () => control.takeWebhooks().map(asReceived),
    stop: () => simulator.stop(),
  };
});

describe('telegram', () => {
  const time = standingClock('2026-11-21T08:00:00Z');
  let simulator: Awaited<ReturnType<typeof startTelegramSimulator>>;
  let app: App<Settings>;
  beforeAll(async () => {
    simulator = await startTelegramSimulator({ clock: time.clock, webhookUrl: callbackUrl });
    app = appOf(simulator.url);
  });
  afterAll(() => simulator.stop());
  beforeEach(() => {
    time.advance(60_000);
    simulator.control.start(7);
    simulator.control.takeWebhooks();
  });
  const send = (id: string, content: Content = samples.text, replyTo?: string) =>
    sendThrough(
      telegram,
      {
        id: 'm-1',
        to: { kind: 'user', id },
        content,
        ...(replyTo === undefined ? {} : { replyTo }),
      },
      app,
      time.clock(),
    );
  const events = () =>
    simulator.control.takeWebhooks().flatMap((each) => eventsOf(telegram, asReceived(each)));

  test.each(Object.values(samples).filter(({ kind }) => telegram.content.kinds.includes(kind)))(
    'the network accepts $kind',
    async (content) => {
      expect(await send('7', content)).toMatchObject({ kind: 'accepted' });
    },
  );

  test.each([
    ['19403', { kind: 'refused', code: '403', action: 'opt-out' }],
    ['19410', { kind: 'refused', code: '403', action: 'opt-out' }],
    ['123', { kind: 'refused', code: '400', action: 'next-channel' }],
  ])('a message to chat %s gets the outcome %o', async (id, outcome) => {
    expect(await send(id)).toMatchObject(outcome);
  });

  test('the second message to a chat within a second waits as announced', async () => {
    await send('7');
    expect(await send('7')).toMatchObject({ kind: 'throttled', afterMs: 1_000 });
    time.advance(1_000);
    expect((await send('7')).kind).toBe('accepted');
  });

  test('a person who blocks the bot opts out, and opts in by unblocking it', async () => {
    simulator.control.block(7);
    expect(events()).toMatchObject([
      { kind: 'consent', change: 'stop', scope: 'all', person: { userId: '7' } },
    ]);
    expect(await send('7')).toMatchObject({ kind: 'refused', action: 'opt-out' });
    simulator.control.start(7);
    expect(events()).toMatchObject([
      { kind: 'consent', change: 'start' },
      { kind: 'inbound', content: { kind: 'text', text: '/start' } },
    ]);
  });

  test('a tap on a button has its payload, its text and its message', async () => {
    const outcome = await send('7', samples.suggestions);
    if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
    simulator.control.tap(simulator.control.messages().at(-1)!, 'y');
    expect(events()).toMatchObject([
      { content: { kind: 'choice', payload: 'y', text: 'Yes' }, replyTo: outcome.providerId },
    ]);
  });

  test('an answer names the message in its chat', async () => {
    await send('7', samples.text, '7:41');
    expect(simulator.control.messages().at(-1)?.fields.reply_parameters).toMatchObject({
      message_id: 41,
    });
  });

  test.each([
    [
      { photo: [{ file_id: 's' }, { file_id: 'l' }], caption: 'c' },
      { type: 'image', caption: 'c' },
    ],
    [{ voice: { file_id: 'v', mime_type: 'audio/ogg' } }, { type: 'audio', mimeType: 'audio/ogg' }],
    [{ document: { file_id: 'd', file_name: 'a.pdf' } }, { type: 'document', filename: 'a.pdf' }],
    [{ location: { latitude: 3.1, longitude: 101.7 } }, { kind: 'location' }],
    [{ contact: { phone_number: '919800000001', first_name: 'A' } }, { kind: 'contacts' }],
    [{ dice: { value: 3 } }, { kind: 'unsupported' }],
  ])('%j comes in as %j', (part, content) => {
    simulator.control.write(7, part);
    expect(events()).toMatchObject([{ kind: 'inbound', content }]);
  });

  test('a group that migrated is the same chat under another id', () => {
    simulator.control.write(-7, { migrate_to_chat_id: -1_007 });
    expect(events()).toMatchObject([
      { kind: 'identity', from: { userId: '-7' }, to: { userId: '-1007' } },
    ]);
  });

  test('numbers, and payloads of more than 64 bytes, are refused before anything is sent', () => {
    const context = { now: time.clock() };
    const to = { kind: 'phone', phone: '+919800000001' } as const;
    const message = { id: 'm-1', to, content: samples.text };
    expect(telegram.encode(message, app, context)).toMatchObject({ code: 'recipient_unsupported' });
    const suggestions = [{ kind: 'reply', text: 'a', payload: 'न'.repeat(22) }] as const;
    const content = { kind: 'suggestions', text: 'a', suggestions } as const;
    expect(
      telegram.encode({ id: 'm-1', to: { kind: 'user', id: '7' }, content }, app, context),
    ).toMatchObject({ code: 'content_too_long' });
  });

  test('the webhook address is registered with its secret', async () => {
    const moved = { ...app, callbackUrl: 'https://api.example.test/moved/' };
    const step = telegram.connect!(moved, []);
    const answer = await exchange((step as Extract<ConnectStep, { kind: 'request' }>).request);
    expect(JSON.parse(answer.body)).toMatchObject({ ok: true });
    simulator.control.write(7, { text: 'hi' });
    const [webhook] = simulator.control.takeWebhooks();
    expect(webhook?.url).toBe(moved.callbackUrl);
    expect(telegram.verify(asReceived(webhook!), app, time.clock())).toEqual({ kind: 'ok' });
  });
});
