import type { Content, ContentKind, OutboundMessage } from '@drawbridge/messaging/message.ts';
import { rankOf, type Status, statusAfter } from '@drawbridge/messaging/status.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type {
  App,
  Channel,
  ChannelEvent,
  SendOutcome,
  WebhookRequest,
  WireRequest,
  WireResponse,
} from './contract.ts';
import { objectOf } from './untrusted-input.ts';

/** A fault of the sending call: a status, or a cut before or after the provider's work. */
type Mishap = number | 'cut-before' | 'cut-after';

/** A provider's simulator, already started, with what the suite needs to know. */
export interface ChannelHarness {
  readonly app: App;
  /** The same app with credentials that the provider refuses. */
  readonly wrongApp: App;
  readonly clock: () => Date;
  /**
   * A message of the provider's channel; `refused` goes to a recipient whom the provider refuses.
   */
  message(name: string, outcome: 'accepted' | 'refused'): OutboundMessage;
  mishap(kind: Mishap, retryAfterSeconds?: number): void;
  /** How many messages the provider has for this recipient. */
  held(message: OutboundMessage): number;
  /** A person writes a text to the app. */
  write(text: string): void;
  /** Webhooks that the provider would send now, signed; the provider does not send them again. */
  webhooks(): readonly WebhookRequest[];
  stop(): Promise<void>;
}

interface Play {
  readonly channel: Channel;
  harness(): ChannelHarness;
  send(message: OutboundMessage, app?: App): Promise<SendOutcome>;
}

/** Tests of the behaviour that the dispatcher needs from a channel. */
export function channelSuite(name: string, channel: Channel, start: () => Promise<ChannelHarness>) {
  describe(`channel contract: ${name}`, () => {
    let started: ChannelHarness | undefined;
    beforeAll(async () => {
      started = await start();
    });
    afterAll(() => started?.stop());
    const harness = () => started!;
    const send: Play['send'] = (message, app = harness().app) =>
      sendThrough(channel, message, app, harness().clock());
    const play: Play = { channel, harness, send };
    declarations(play);
    answers(play);
    mishaps(play);
    webhooks(play);
    hostility(play);
  });
}

function declarations({ channel, harness }: Play) {
  test('settings mark their secrets, and none has a default', () => {
    const { properties } = z.toJSONSchema(channel.settings, { io: 'input' });
    const secrets = Object.values(properties ?? {}).filter(isSecret);
    expect(secrets.length).toBeGreaterThan(0);
    for (const secret of secrets) expect(secret).not.toHaveProperty('default');
    expect(channel.settings.safeParse({}).success).toBe(false);
  });

  test('limits are rates', () => {
    const { app, pair } = channel.limits(harness().app);
    for (const rate of pair === undefined ? [app] : [app, pair]) {
      expect(rate.count).toBeGreaterThan(0);
      expect(rate.perMs).toBeGreaterThan(0);
    }
  });

  test.each(Object.entries(samples))('%s is encoded or refused as declared', (kind, content) => {
    const message = { ...harness().message('kinds', 'accepted'), content };
    const encoding = channel.encode(message, harness().app, { now: harness().clock(), token: 't' });
    const isDeclared = channel.content.kinds.includes(kind as ContentKind);
    expect(encoding.kind).toBe(isDeclared ? 'request' : 'refused');
    if (encoding.kind === 'refused') expect(encoding.code).toBe('content_unsupported');
  });
}

function answers({ channel, harness, send }: Play) {
  test('an accepted message has the provider’s id, and the provider has it once', async () => {
    const message = harness().message('accepted', 'accepted');
    const outcome = await send(message);
    expect(outcome.kind).toBe('accepted');
    if (outcome.kind === 'accepted') expect(outcome.providerId).not.toBe('');
    expect(harness().held(message)).toBe(1);
  });

  test('a refused message says why, with the provider’s code', async () => {
    const message = harness().message('refused', 'refused');
    const outcome = await send(message);
    expect(outcome).toMatchObject({ kind: 'refused' });
    if (outcome.kind !== 'refused') return;
    expect(outcome.code).not.toBe('');
    expect(outcome.detail).not.toBe('');
    expect(['fail', 'opt-out', 'next-channel']).toContain(outcome.action);
    expect(harness().held(message)).toBe(0);
  });

  test('wrong credentials stop the channel, and are not in the outcome', async () => {
    const message = harness().message('credentials', 'accepted');
    const outcome = await send(message, harness().wrongApp);
    expect(outcome).toMatchObject({ kind: 'refused', action: 'stop-channel' });
    for (const secret of secretsOf(channel, harness().wrongApp)) {
      expect(JSON.stringify(outcome)).not.toContain(secret);
    }
    expect(harness().held(message)).toBe(0);
  });
}

function mishaps({ channel, harness, send }: Play) {
  test('429 stops the channel for the time that the provider asks for', async () => {
    const message = harness().message('busy', 'accepted');
    harness().mishap(429, 17);
    const outcome = await send(message);
    expect(outcome).toMatchObject({ kind: 'throttled', afterMs: 17_000 });
    expect((await send(message)).kind).toBe('accepted');
    expect(harness().held(message)).toBe(1);
  });

  test('a fault of the server is not taken for a refusal', async () => {
    for (const status of [500, 502, 503, 504]) {
      harness().mishap(status);
      const outcome = await send(harness().message(`fault-${status}`, 'accepted'));
      expect(['unknown', 'retry'], String(status)).toContain(outcome.kind);
    }
  });

  test('after a lost answer nothing is sent twice, or sending again is safe', async () => {
    const message = harness().message('lost-after', 'accepted');
    harness().mishap('cut-after');
    await expect(send(message)).rejects.toThrow('fetch failed');
    expect(harness().held(message)).toBe(1);
    if (channel.guarantee.kind === 'exactly-once') {
      expect((await send(message)).kind).toBe('accepted');
      expect(harness().held(message)).toBe(1);
      return;
    }
    if (!channel.guarantee.reportsCarryOurId) return;
    const reported = reports(channel, harness().webhooks()).map((each) => each.messageId);
    expect(reported).toContain(message.id);
  });
}

function webhooks({ channel, harness, send }: Play) {
  test('reports are verified, belong to the message and go as far as declared', async () => {
    const outcome = await send(harness().message('reported', 'accepted'));
    if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
    const requests = harness().webhooks();
    for (const request of requests) {
      expect(channel.verify(request, harness().app, harness().clock()).kind).toBe('ok');
    }
    const mine = reports(channel, requests).filter(
      (each) => each.providerId === outcome.providerId,
    );
    const status = mine.map((each) => each.status).reduce(statusAfter, 'sending');
    if (channel.farthest === 'sent') expect(mine).toEqual([]);
    else expect(rankOf(status)).toBeGreaterThanOrEqual(rankOf('delivered'));
  });

  test('reports in any order, also repeated, leave a message at the furthest status', async () => {
    if (channel.farthest === 'sent') return;
    const outcome = await send(harness().message('disordered', 'accepted'));
    if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
    const found = reports(channel, harness().webhooks()).filter(
      (each) => each.providerId === outcome.providerId,
    );
    const twice = [...found, ...found].map(({ status }) => status);
    const last = (words: readonly Status[]) => words.reduce(statusAfter, 'sending');
    fc.assert(
      fc.property(fc.shuffledSubarray(twice, { minLength: twice.length }), (words) => {
        expect(last(words)).toBe(last(found.map(({ status }) => status)));
      }),
    );
  });

  test('every report belongs to its own message, by our id where the guarantee says so', async () => {
    harness().webhooks();
    const messages = ['one', 'two', 'three'].map((name) => harness().message(name, 'accepted'));
    const ids = new Map<string, string>();
    for (const message of messages) {
      const outcome = await send(message);
      if (outcome.kind === 'accepted') ids.set(outcome.providerId, message.id);
    }
    expect(ids.size).toBe(messages.length);
    const found = reports(channel, harness().webhooks());
    const { reportsCarryOurId } = channel.guarantee;
    for (const { providerId, messageId } of found) {
      expect(ids.has(providerId)).toBe(true);
      expect(messageId).toBe(reportsCarryOurId ? ids.get(providerId) : undefined);
    }
    const reported = new Set(found.map(({ providerId }) => providerId));
    expect(reported.size).toBe(channel.farthest === 'sent' ? 0 : messages.length);
  });

  test('a webhook that comes twice is verified twice, with the same events and ids', () => {
    harness().write('twice');
    const [request] = harness().webhooks();
    const read = () => {
      const verdict = channel.verify(request!, harness().app, harness().clock());
      return { verdict, events: eventsOf(channel, request!) };
    };
    const first = read();
    expect(first.verdict.kind).toBe('ok');
    expect(first.events.length).toBeGreaterThan(0);
    expect(read()).toEqual(first);
  });

  test('two messages from people have two ids, even when they say the same', () => {
    harness().write('again');
    harness().write('again');
    const found = harness()
      .webhooks()
      .flatMap((request) => eventsOf(channel, request));
    const ids = found.flatMap((each) => (each.kind === 'inbound' ? [each.providerId] : []));
    expect(ids.length).toBe(2);
    expect(new Set(ids).size).toBe(2);
  });

  test('a person’s message arrives once for each repeat, with sender and recipient', async () => {
    harness().write('hello, and नमस्ते');
    const requests = harness().webhooks();
    const found = requests.flatMap((request) => eventsOf(channel, request));
    const [event] = found.filter((each) => each.kind === 'inbound');
    expect(event).toMatchObject({ content: { kind: 'text', text: 'hello, and नमस्ते' } });
    if (event?.kind !== 'inbound') return;
    expect(event.providerId).not.toBe('');
    expect(event.to).not.toBe('');
    expect(event.from.phone ?? event.from.userId).toBeDefined();
  });

  test('a webhook without proof, or by another secret, is refused', () => {
    harness().write('forged');
    const [request] = harness().webhooks();
    // The proof is in a header, in the query or among the fields.
    const body = Buffer.from(request!.body).toString();
    const bare = {
      ...request!,
      headers: { 'content-type': request!.headers['content-type'] },
      body: Buffer.from(body.replace(/(^|&)sig=[^&]*/, '')),
    };
    const url = request!.url.replace(/\?.*$/, '');
    for (const forged of [bare, { ...bare, url }]) {
      expect(channel.verify(forged, harness().app, harness().clock()).kind).toBe('refused');
    }
    expect(channel.verify(request!, harness().wrongApp, harness().clock()).kind).toBe('refused');
  });

  test('a changed body is refused where bodies are signed', () => {
    if (channel.webhookProof !== 'signature') return;
    harness().write('changed');
    const [request] = harness().webhooks();
    const text = Buffer.from(request!.body).toString();
    const middle = Math.floor(text.length / 2);
    const flipped =
      text.slice(0, middle) + (text[middle] === 'A' ? 'B' : 'A') + text.slice(middle + 1);
    for (const body of [text.slice(0, -1), `${text}&a=1`, flipped]) {
      const changed = { ...request!, body: Buffer.from(body) };
      expect(channel.verify(changed, harness().app, harness().clock()).kind).toBe('refused');
    }
  });
}

/** Names that every object inherits: a table must say that it has no such row. */
const inherited = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
const fieldNames = ['MessageSid', 'MessageUUID', 'messageId', 'id', 'From', 'msisdn', 'To', 'to']
  .concat(['MessageStatus', 'Status', 'status', 'ErrorCode', 'err-code', 'OptOutType'])
  .concat(['919800000001', 'delivered', 'failed', 'undelivered']);

function hostility({ channel, harness }: Play) {
  test('no webhook body makes it throw', () => {
    harness().write('shape');
    const [request] = harness().webhooks();
    const word = fc.oneof(fc.string(), fc.constantFrom(...inherited, ...fieldNames));
    const form = fc
      .dictionary(word, word, { maxKeys: 5 })
      .map((fields) => new URLSearchParams(fields).toString());
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), form), (body) => {
        const hostile = { ...request!, body: Buffer.from(body) };
        channel.verify(hostile, harness().app, harness().clock());
        expect(['events', 'malformed']).toContain(channel.events(hostile).kind);
      }),
    );
  });

  test('no part of a genuine webhook, removed or replaced, makes it throw', () => {
    harness().write('parts');
    const [request] = harness().webhooks();
    const text = Buffer.from(request!.body).toString();
    if (!text.startsWith('{')) return;
    fc.assert(
      fc.property(fc.nat(), fc.jsonValue({ maxDepth: 2 }), (pick, value) => {
        const body = JSON.stringify(replaceOne(JSON.parse(text), pick, value));
        const events = channel.events({ ...request!, body: Buffer.from(body) });
        expect(['events', 'malformed']).toContain(events.kind);
      }),
    );
  });

  test('no answer of the provider makes it throw', () => {
    const status = fc.constantFrom(200, 201, 202, 204, 301, 400, 401, 403, 404, 409, 429, 500, 503);
    fc.assert(
      fc.property(status, fc.oneof(fc.json(), fc.string()), (code, body) => {
        const outcome = channel.decode(
          { status: code, headers: {}, body },
          harness().clock(),
          harness().message('answered', 'accepted'),
        );
        expect(outcome.kind).toMatch(/^(accepted|refused|throttled|retry|unknown)$/);
        // 409 is how a provider says that it already has this message.
        if (code >= 300 && code !== 409) expect(outcome.kind).not.toBe('accepted');
      }),
      { includeErrorInReport: true },
    );
  });
}

/** Encodes, sends over a real socket and decodes, as the dispatcher does. */
export async function sendThrough(
  channel: Channel,
  message: OutboundMessage,
  app: App,
  now: Date,
): Promise<SendOutcome> {
  const { authorization } = channel;
  let token: string | undefined;
  if (authorization !== undefined) {
    const read = authorization.read(await exchange(authorization.request(app, now)), now);
    if (read.kind !== 'token') return read;
    token = read.token;
  }
  const encoding = channel.encode(message, app, { now, ...(token === undefined ? {} : { token }) });
  if (encoding.kind === 'refused') throw new Error(`${encoding.code}: ${encoding.detail}`);
  return channel.decode(await exchange(encoding.request), now, message);
}

/** One request over a real socket. */
export async function exchange(request: WireRequest): Promise<WireResponse> {
  const response = await fetch(request.url, {
    method: request.method,
    headers: { ...request.headers },
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  const headers = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: await response.text() };
}

/** The events of one webhook; throws when it is malformed. */
export function eventsOf(channel: Channel, request: WebhookRequest): readonly ChannelEvent[] {
  const reading = channel.events(request);
  if (reading.kind === 'malformed') throw new Error(reading.reason);
  return reading.events;
}

function reports(channel: Channel, requests: readonly WebhookRequest[]) {
  return requests
    .flatMap((request) => eventsOf(channel, request))
    .filter((event) => event.kind === 'report');
}

function secretsOf(channel: Channel, app: App): readonly string[] {
  const { properties } = z.toJSONSchema(channel.settings, { io: 'input' });
  return Object.entries(properties ?? {})
    .filter(([, property]) => isSecret(property))
    .flatMap(([name]) => (app.settings as Record<string, string>)[name] ?? []);
}

function isSecret(property: unknown): boolean {
  return objectOf(property)?.secret === true;
}

/** The value with one of its parts replaced; parts are counted depth first. */
function replaceOne(value: unknown, pick: number, by: unknown): unknown {
  const places: [Record<string, unknown>, string][] = [];
  const walk = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    for (const name of Object.keys(node)) {
      places.push([node as Record<string, unknown>, name]);
      walk((node as Record<string, unknown>)[name]);
    }
  };
  walk(value);
  const [parent, name] = places[pick % places.length]!;
  parent[name] = by;
  return value;
}

const reply = { kind: 'reply', text: 'Yes', payload: 'y' } as const;
const card = { title: 'Title', description: 'Text', mediaUrl: 'https://files.example.test/a.jpg' };

/** A small content of each kind. */
export const samples: { readonly [K in ContentKind]: Extract<Content, { kind: K }> } = {
  text: { kind: 'text', text: 'hello' },
  template: {
    kind: 'template',
    template: {
      name: 'order_update',
      language: 'en_US',
      components: [{ type: 'body', parameters: [{ type: 'text', text: 'Asha' }] }],
    },
  },
  media: {
    kind: 'media',
    media: { type: 'image', source: { url: 'https://files.example.test/a.jpg' }, caption: 'a' },
  },
  location: { kind: 'location', location: { latitude: 3.1, longitude: 101.7, name: 'KL' } },
  contacts: { kind: 'contacts', contacts: [{ name: 'Asha', phones: ['+919800000001'] }] },
  interactive: {
    kind: 'interactive',
    interactive: {
      body: 'Which?',
      choice: { kind: 'buttons', buttons: [{ id: 'a', title: 'A' }] },
    },
  },
  reaction: { kind: 'reaction', to: '17', emoji: '👍' },
  card: { kind: 'card', card: { ...card, suggestions: [reply] } },
  carousel: { kind: 'carousel', cards: [card, card] },
  suggestions: { kind: 'suggestions', text: 'Yes?', suggestions: [reply] },
};
