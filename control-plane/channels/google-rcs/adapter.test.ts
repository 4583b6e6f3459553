import { generateKeyPairSync } from 'node:crypto';
import type { Content } from '@drawbridge/messaging/message.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { standingClock } from '../../../test/kit/clock.ts';
import { channelSuite, eventsOf, exchange, samples, sendThrough } from '../contract.suite.ts';
import type { App } from '../contract.ts';
import { asReceived } from '../sms.fixture.ts';
import { googleRcs } from './adapter.ts';
import type { Settings } from './settings.ts';
import { type RcsSimulator, startRcsSimulator } from './simulator.ts';

const callbackUrl = 'https://api.example.test/rcs/v1/webhooks/app_1/';
const { privateKey: anotherKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

function appOf(simulator: RcsSimulator, more: Partial<Settings> = {}): App<Settings> {
  const settings = { ...googleRcs.settings.parse(simulator.settings), ...more };
  return { id: 'app_1', endpoint: simulator.url, callbackUrl, settings };
}

channelSuite('google-rcs', googleRcs, async () => {
  const time = standingClock('2026-11-21T08:00:00Z');
  const simulator = await startRcsSimulator({ clock: time.clock, webhookUrl: callbackUrl });
  const { control } = simulator;
  let serial = 0;
  return {
    clock: time.clock,
    app: appOf(simulator),
    wrongApp: appOf(simulator, { private_key: anotherKey, client_token: 'not-the-token' }),
    message: (name, outcome) => {
      const phone = outcome === 'refused' ? '+919800009404' : `+9198000${10_000 + serial++}`;
      return { id: `m-${name}`, to: { kind: 'phone', phone }, content: samples.text };
    },
    mishap: (kind, retryAfterSeconds) =>
      control.fault({
        call: 'send',
        kind,
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      }),
    held: ({ id }) => control.messages().filter((each) => each.id === id).length,
    write: (text) => control.write('+919800000001', { text }),
    webhooks: () => control.takeWebhooks().map(asReceived),
    stop: () => simulator.stop(),
  };
});

describe('google-rcs', () => {
  const time = standingClock('2026-11-21T08:00:00Z');
  let simulator: RcsSimulator;
  let app: App<Settings>;
  let serial = 0;
  beforeAll(async () => {
    simulator = await startRcsSimulator({ clock: time.clock, webhookUrl: callbackUrl });
    app = appOf(simulator);
  });
  afterAll(() => simulator.stop());
  beforeEach(() => {
    simulator.control.takeWebhooks();
  });
  const send = (digits: string, content: Content = samples.text) => {
    const to = { kind: 'phone', phone: `+${digits}` } as const;
    return sendThrough(googleRcs, { id: `m-${serial++}`, to, content }, app, time.clock());
  };
  const events = () =>
    simulator.control.takeWebhooks().flatMap((each) => eventsOf(googleRcs, asReceived(each)));

  test('the golden vector is verified, and refused after a change', () => {
    const data =
      '{"senderPhoneNumber":"+919800000001","eventType":"DELIVERED","eventId":"e1",' +
      '"messageId":"m1","agentId":"a1"}';
    const signature =
      'lpKNZmqUo1+rMGt2UJk32xD3L6j6X85vdfl5C/5OqiB3CcTcBCaw7x+qHDNNtDSq7rNay7ir9OuswNXh2BDRpw==';
    const mine = appOf(simulator, { client_token: 'client_token_0123' });
    const request = (text: string) => ({
      method: 'POST' as const,
      url: callbackUrl,
      headers: { 'x-goog-signature': signature },
      body: Buffer.from(
        JSON.stringify({ message: { data: Buffer.from(text).toString('base64') } }),
      ),
    });
    expect(googleRcs.verify(request(data), mine, time.clock())).toEqual({ kind: 'ok' });
    expect(googleRcs.verify(request(`${data} `), mine, time.clock()).kind).toBe('refused');
    expect(googleRcs.verify(request(data), app, time.clock()).kind).toBe('refused');
    expect(eventsOf(googleRcs, request(data))).toEqual([
      { kind: 'report', providerId: 'm1', messageId: 'm1', status: 'delivered' },
    ]);
  });

  test.each(Object.values(samples).filter(({ kind }) => googleRcs.content.kinds.includes(kind)))(
    'the network accepts $kind',
    async (content) => {
      expect(await send('919800000001', content)).toMatchObject({ kind: 'accepted' });
    },
  );

  test('every kind of suggestion is sent under the network’s name', async () => {
    const suggestions = [
      { kind: 'reply', text: 'Yes', payload: 'y' },
      { kind: 'url', text: 'Open', url: 'https://a.example.test/' },
      { kind: 'dial', text: 'Call', phone: '+60123456789' },
      { kind: 'view-location', text: 'Where', latitude: 3.1, longitude: 101.7 },
      { kind: 'share-location', text: 'Me' },
    ] as const;
    await send('919800000001', { kind: 'suggestions', text: 'x', suggestions });
    const { contentMessage } = simulator.control.messages().at(-1)!.body as {
      contentMessage: { suggestions: Record<string, Record<string, unknown>>[] };
    };
    const kinds = contentMessage.suggestions.map(
      ({ reply, action }) => reply ?? Object.keys(action ?? {}).at(-1),
    );
    expect(kinds).toEqual([
      { text: 'Yes', postbackData: 'y' },
      'openUrlAction',
      'dialAction',
      'viewLocationAction',
      'shareLocationAction',
    ]);
  });

  test.each([
    ['919800009404', 'NOT_FOUND', 'next-channel'],
    ['919800009403', 'PERMISSION_DENIED', 'next-channel'],
  ])('%s is refused by %s: %s', async (digits, code, action) => {
    expect(await send(digits)).toMatchObject({ kind: 'refused', code, action });
  });

  test('a person who stays offline past the time to live is left to another channel', async () => {
    await send('919800009410');
    expect(events()).toEqual([]);
    simulator.control.advance(24 * 60 * 60 * 1_000);
    expect(events()).toMatchObject([
      {
        kind: 'report',
        status: 'expired',
        failure: { code: 'TTL_EXPIRATION_REVOKED', action: 'next-channel' },
      },
    ]);
    expect(simulator.control.messages().at(-1)?.body).toMatchObject({ ttl: '86400s' });
  });

  test.each([
    [
      { suggestionResponse: { postbackData: 'y', text: 'Yes', type: 'REPLY' } },
      { kind: 'choice', payload: 'y', text: 'Yes' },
    ],
    [
      {
        userFile: {
          payload: { mimeType: 'image/png', fileUri: 'https://f.test/a', fileName: 'a' },
        },
      },
      { kind: 'media', type: 'image', source: { url: 'https://f.test/a' }, filename: 'a' },
    ],
    [
      { location: { latitude: 3.1, longitude: 101.7 } },
      { kind: 'location', location: { latitude: 3.1, longitude: 101.7 } },
    ],
  ])('%j comes in as %j', (part, content) => {
    simulator.control.write('+919800000001', part);
    expect(events()).toMatchObject([
      { kind: 'inbound', from: { phone: '+919800000001' }, to: 'sandbox-agent', content },
    ]);
  });

  test.each([
    ['UNSUBSCRIBE', 'stop'],
    ['SUBSCRIBE', 'start'],
  ])('the event %s of a person is their %s', (eventType, change) => {
    simulator.control.write('+919800000001', { eventType });
    const person = { phone: '+919800000001' };
    expect(events()).toEqual([
      { kind: 'consent', person, change, scope: 'marketing', at: expect.any(Date) },
    ]);
  });

  test('a test of the address has our token, and gets the secret back', () => {
    simulator.control.handshake('sandbox-client-token', '8a1f');
    simulator.control.handshake('another', '8a1f');
    const verdicts = simulator.control
      .takeWebhooks()
      .map((each) => googleRcs.verify(asReceived(each), app, time.clock()));
    expect(verdicts).toMatchObject([
      { kind: 'answer', body: '8a1f' },
      { kind: 'refused', status: 403 },
    ]);
  });

  test('a token service that is down is asked again; tokens expire early', async () => {
    const { request, read } = googleRcs.authorization!;
    simulator.control.fault({ call: 'token', kind: 500 });
    const ask = async () => read(await exchange(request(app, time.clock())), time.clock());
    expect(await ask()).toMatchObject({ kind: 'retry' });
    expect(await ask()).toMatchObject({
      kind: 'token',
      expiresAt: new Date('2026-11-21T08:59:00Z'),
    });
  });
});
