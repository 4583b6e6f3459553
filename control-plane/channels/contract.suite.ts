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
import { objectOf } from './reading.ts';

/** A mishap of the call that sends: a status, or a cut before or after the provider's work. */
export type Mishap = number | 'cut-before' | 'cut-after';

/** A provider's simulator, started, with what the suite needs to know of it. */
export interface ChannelStage {
  readonly app: App;
  /** The same, with credentials that the provider refuses. */
  readonly wrongApp: App;
  readonly clock: () => Date;
  /** A message of the suite's own kind; `refused` goes to somebody the provider refuses. */
  message(name: string, fate: 'accepted' | 'refused'): OutboundMessage;
  mishap(kind: Mishap, retryAfterSeconds?: number): void;
  /** How many messages the provider holds for this person. */
  held(message: OutboundMessage): number;
  /** A person writes a text to the app. */
  write(text: string): void;
  /** Webhooks that the provider would send now, signed; they are not sent again. */
  webhooks(): readonly WebhookRequest[];
  stop(): Promise<void>;
}

interface Play {
  readonly channel: Channel;
  stage(): ChannelStage;
  send(message: OutboundMessage, app?: App): Promise<SendOutcome>;
}

/** The behaviour that the dispatcher relies on, for one channel. */
export function channelSuite(name: string, channel: Channel, start: () => Promise<ChannelStage>) {
  describe(`channel contract: ${name}`, () => {
    let started: ChannelStage | undefined;
    beforeAll(async () => {
      started = await start();
    });
    afterAll(() => started?.stop());
    const stage = () => started!;
    const send: Play['send'] = (message, app = stage().app) =>
      sendThrough(channel, message, app, stage().clock());
    const play: Play = { channel, stage, send };
    declarations(play);
    answers(play);
    mishaps(play);
    webhooks(play);
    hostility(play);
  });
}

function declarations({ channel, stage }: Play) {
  test('settings mark their secrets, and none has a default', () => {
    const { properties } = z.toJSONSchema(channel.settings, { io: 'input' });
    const secrets = Object.values(properties ?? {}).filter(isSecret);
    expect(secrets.length).toBeGreaterThan(0);
    for (const secret of secrets) expect(secret).not.toHaveProperty('default');
    expect(channel.settings.safeParse({}).success).toBe(false);
  });

  test('limits are rates', () => {
    const { app, pair } = channel.limits(stage().app);
    for (const rate of pair === undefined ? [app] : [app, pair]) {
      expect(rate.count).toBeGreaterThan(0);
      expect(rate.perMs).toBeGreaterThan(0);
    }
  });

  test.each(Object.entries(samples))('%s is encoded or refused as declared', (kind, content) => {
    const message = { ...stage().message('kinds', 'accepted'), content };
    const encoding = channel.encode(message, stage().app, { now: stage().clock(), token: 't' });
    const isDeclared = channel.content.kinds.includes(kind as ContentKind);
    expect(encoding.kind).toBe(isDeclared ? 'request' : 'refused');
    if (encoding.kind === 'refused') expect(encoding.code).toBe('content_unsupported');
  });
}

function answers({ channel, stage, send }: Play) {
  test('an accepted message has the provider’s id, and is held once', async () => {
    const message = stage().message('accepted', 'accepted');
    const outcome = await send(message);
    expect(outcome.kind).toBe('accepted');
    if (outcome.kind === 'accepted') expect(outcome.providerId).not.toBe('');
    expect(stage().held(message)).toBe(1);
  });

  test('a refused message says why, with the provider’s code', async () => {
    const message = stage().message('refused', 'refused');
    const outcome = await send(message);
    expect(outcome).toMatchObject({ kind: 'refused' });
    if (outcome.kind !== 'refused') return;
    expect(outcome.code).not.toBe('');
    expect(outcome.detail).not.toBe('');
    expect(['fail', 'opt-out', 'next-channel']).toContain(outcome.action);
    expect(stage().held(message)).toBe(0);
  });

  test('wrong credentials stop the channel, and are not in the outcome', async () => {
    const message = stage().message('credentials', 'accepted');
    const outcome = await send(message, stage().wrongApp);
    expect(outcome).toMatchObject({ kind: 'refused', action: 'stop-channel' });
    for (const secret of secretsOf(channel, stage().wrongApp)) {
      expect(JSON.stringify(outcome)).not.toContain(secret);
    }
    expect(stage().held(message)).toBe(0);
  });
}

function mishaps({ channel, stage, send }: Play) {
  test('429 holds the channel for the time asked for', async () => {
    const message = stage().message('busy', 'accepted');
    stage().mishap(429, 17);
    const outcome = await send(message);
    expect(outcome).toMatchObject({ kind: 'throttled', afterMs: 17_000 });
    expect((await send(message)).kind).toBe('accepted');
    expect(stage().held(message)).toBe(1);
  });

  test('a fault of the server is not taken for a refusal', async () => {
    for (const status of [500, 502, 503, 504]) {
      stage().mishap(status);
      const outcome = await send(stage().message(`fault-${status}`, 'accepted'));
      expect(['unknown', 'retry'], String(status)).toContain(outcome.kind);
    }
  });

  test('after a lost answer nothing is sent twice, or sending again is safe', async () => {
    const message = stage().message('lost-after', 'accepted');
    stage().mishap('cut-after');
    await expect(send(message)).rejects.toThrow();
    expect(stage().held(message)).toBe(1);
    if (channel.guarantee.kind === 'exactly-once') {
      expect((await send(message)).kind).toBe('accepted');
      expect(stage().held(message)).toBe(1);
      return;
    }
    if (!channel.guarantee.reportsCarryOurId) return;
    const told = reports(channel, stage().webhooks()).map((each) => each.messageId);
    expect(told).toContain(message.id);
  });
}

function webhooks({ channel, stage, send }: Play) {
  test('reports are verified, belong to the message and go as far as declared', async () => {
    const outcome = await send(stage().message('reported', 'accepted'));
    if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
    const requests = stage().webhooks();
    for (const request of requests) {
      expect(channel.verify(request, stage().app, stage().clock()).kind).toBe('ok');
    }
    const mine = reports(channel, requests).filter(
      (each) => each.providerId === outcome.providerId,
    );
    const status = mine.map((each) => each.status).reduce(statusAfter, 'sending');
    if (channel.farthest === 'sent') expect(mine).toEqual([]);
    else expect(rankOf(status)).toBeGreaterThanOrEqual(rankOf('delivered'));
  });

  test('reports in any order, and twice, leave a message where the furthest one says', async () => {
    if (channel.farthest === 'sent') return;
    const outcome = await send(stage().message('disordered', 'accepted'));
    if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
    const found = reports(channel, stage().webhooks()).filter(
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
    stage().webhooks();
    const messages = ['one', 'two', 'three'].map((name) => stage().message(name, 'accepted'));
    const ids = new Map<string, string>();
    for (const message of messages) {
      const outcome = await send(message);
      if (outcome.kind === 'accepted') ids.set(outcome.providerId, message.id);
    }
    expect(ids.size).toBe(messages.length);
    const found = reports(channel, stage().webhooks());
    const { reportsCarryOurId } = channel.guarantee;
    for (const { providerId, messageId } of found) {
      expect(ids.has(providerId)).toBe(true);
      expect(messageId).toBe(reportsCarryOurId ? ids.get(providerId) : undefined);
    }
    const told = new Set(found.map(({ providerId }) => providerId));
    expect(told.size).toBe(channel.farthest === 'sent' ? 0 : messages.length);
  });

  test('a webhook that comes twice is verified twice, and tells the same by the same ids', () => {
    stage().write('twice');
    const [request] = stage().webhooks();
    const read = () => {
      const verdict = channel.verify(request!, stage().app, stage().clock());
      return { verdict, events: eventsOf(channel, request!) };
    };
    const first = read();
    expect(first.verdict.kind).toBe('ok');
    expect(first.events.length).toBeGreaterThan(0);
    expect(read()).toEqual(first);
  });

  test('two messages from people have two ids, even when they say the same', () => {
    stage().write('again');
    stage().write('again');
    const found = stage()
      .webhooks()
      .flatMap((request) => eventsOf(channel, request));
    const ids = found.flatMap((each) => (each.kind === 'inbound' ? [each.providerId] : []));
    expect(ids.length).toBe(2);
    expect(new Set(ids).size).toBe(2);
  });

  test('what a person writes comes in once for each repeat, with who and where', async () => {
    stage().write('hello, and नमस्ते');
    const requests = stage().webhooks();
    const found = requests.flatMap((request) => eventsOf(channel, request));
    const [event] = found.filter((each) => each.kind === 'inbound');
    expect(event).toMatchObject({ content: { kind: 'text', text: 'hello, and नमस्ते' } });
    if (event?.kind !== 'inbound') return;
    expect(event.providerId).not.toBe('');
    expect(event.to).not.toBe('');
    expect(event.from.phone ?? event.from.userId).toBeDefined();
  });

  test('a webhook without proof, or by another secret, is refused', () => {
    stage().write('forged');
    const [request] = stage().webhooks();
    // The proof stands in a header, in the query or among the fields.
    const body = Buffer.from(request!.body).toString();
    const bare = {
      ...request!,
      headers: { 'content-type': request!.headers['content-type'] },
      body: Buffer.from(body.replace(/(^|&)sig=[^&]*/, '')),
    };
    const url = request!.url.replace(/\?.*$/, '');
    for (const forged of [bare, { ...bare, url }]) {
      expect(channel.verify(forged, stage().app, stage().clock()).kind).toBe('refused');
    }
    expect(channel.verify(request!, stage().wrongApp, stage().clock()).kind).toBe('refused');
  });

  test('a changed body is refused where bodies are signed', () => {
    if (channel.webhookProof !== 'signature') return;
    stage().write('changed');
    const [request] = stage().webhooks();
    const text = Buffer.from(request!.body).toString();
    const middle = Math.floor(text.length / 2);
    const flipped =
      text.slice(0, middle) + (text[middle] === 'A' ? 'B' : 'A') + text.slice(middle + 1);
    for (const body of [text.slice(0, -1), `${text}&a=1`, flipped]) {
      const changed = { ...request!, body: Buffer.from(body) };
      expect(channel.verify(changed, stage().app, stage().clock()).kind).toBe('refused');
    }
  });
}

/** Names that every object inherits: a table asked for them must answer that it has none. */
const inherited = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
const fieldNames = ['MessageSid', 'MessageUUID', 'messageId', 'id', 'From', 'msisdn', 'To', 'to']
  .concat(['MessageStatus', 'Status', 'status', 'ErrorCode', 'err-code', 'OptOutType'])
  .concat(['919800000001', 'delivered', 'failed', 'undelivered']);

function hostility({ channel, stage }: Play) {
  test('no webhook body makes it throw', () => {
    stage().write('shape');
    const [request] = stage().webhooks();
    const word = fc.oneof(fc.string(), fc.constantFrom(...inherited, ...fieldNames));
    const form = fc
      .dictionary(word, word, { maxKeys: 5 })
      .map((fields) => new URLSearchParams(fields).toString());
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), form), (body) => {
        const hostile = { ...request!, body: Buffer.from(body) };
        channel.verify(hostile, stage().app, stage().clock());
        expect(['events', 'malformed']).toContain(channel.events(hostile).kind);
      }),
    );
  });

  test('no part of a true webhook, taken out or replaced, makes it throw', () => {
    stage().write('parts');
    const [request] = stage().webhooks();
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
          stage().clock(),
          stage().message('answered', 'accepted'),
        );
        expect(outcome.kind).toMatch(/^(accepted|refused|throttled|retry|unknown)$/);
        // 409 is how a provider says that it has this message already.
        if (code >= 300 && code !== 409) expect(outcome.kind).not.toBe('accepted');
      }),
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

/** The events of one webhook; fails when it is malformed. */
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

/** The value with one of its parts, counted depth first, replaced. */
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

/** One small content of each kind. */
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
