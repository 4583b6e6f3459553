import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { seeded, standingClock } from '../../test/kit/clock.ts';
import type { RunningSimulator } from '../simulation/server.ts';
import { eventsOf, samples, sendThrough } from './contract.suite.ts';
import type { App, Channel, ChannelEvent, WebhookRequest } from './contract.ts';
import { channelById, channelSimulator, channels } from './registry.ts';
import type { ChannelSimulator } from './simulation/contract.ts';
import { prompt } from './simulation/recipient-behaviour.ts';

// Everything here goes over sockets, as between processes: messages, webhooks and control.
const simulators = await Promise.all(channels.map(({ id }) => channelSimulator(id)));
const reporting = simulators.filter(({ kind }) => kind !== 'telegram'); // Telegram has no receipts

const minuteMs = 60_000;
const started: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of started.splice(0)) await stop();
});

interface Stage {
  readonly channel: Channel;
  readonly app: App;
  readonly clock: () => Date;
  /** Webhooks that got a 200, and links that were opened. */
  readonly received: WebhookRequest[];
  readonly failed: WebhookRequest[];
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  control(name: string, body?: object): Promise<any>;
  send(id: string, digits: string): ReturnType<typeof sendThrough>;
  /** Moves the clock until no webhook waits. */
  settled(): Promise<void>;
  events(): readonly ChannelEvent[];
}

/**
 * A simulator that sends to an app here; `isBroken` says for each webhook whether it gets a 503.
 */
async function start(
  played: ChannelSimulator,
  answersLost = 0,
  isBroken: (request: WebhookRequest) => boolean = () => false,
): Promise<Stage> {
  const time = standingClock('2026-11-21T08:00:00Z');
  const received: WebhookRequest[] = [];
  const failed: WebhookRequest[] = [];
  const { origin } = await listen((request) => {
    const isFailing = isBroken(request);
    (isFailing ? failed : received).push(request);
    return isFailing ? 503 : 200;
  });
  const simulator: RunningSimulator = await played.start({
    clock: time.clock,
    random: seeded(3),
    isSending: true,
    habits: prompt,
    answersLost,
    webhookUrl: `${origin}/in/`,
  });
  started.push(() => simulator.stop());
  const channel = channelById(played.kind);
  const control: Stage['control'] = async (name, body) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const text = await (await fetch(`${simulator.url}/_control/${name}`, init)).text();
    return text === '' ? undefined : JSON.parse(text);
  };
  const settings = channel.settings.parse(await control('settings'));
  const callbackUrl = `${origin}/in/`;
  const app = { id: 'app_1', endpoint: simulator.url, callbackUrl, settings };
  const content = channel.channel === 'wa' ? samples.template : samples.text;
  const send: Stage['send'] = async (id, digits) => {
    const to = { kind: 'phone', phone: `+${digits}` } as const;
    const user = { kind: 'user', id: digits } as const;
    const isBot = channel.channel === 'botchat';
    return sendThrough(channel, { id, to: isBot ? user : to, content }, app, time.clock());
  };
  const settled = async () => {
    for (let round = 0; (await control('counts')).webhooks.waiting > 0; round += 1) {
      if (round > 500) throw new Error('webhooks are still waiting');
      await control('clock', { advance_ms: minuteMs });
    }
  };
  const events = () => received.flatMap((request) => eventsOf(channel, request));
  return { channel, app, clock: time.clock, received, failed, control, send, settled, events };
}

/** Takes requests at a separate port. */
async function listen(take: (request: WebhookRequest) => number) {
  let origin = '';
  const server: Server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const url = `${origin}${request.url}`;
    const headers = request.headers as WebhookRequest['headers'];
    const method = request.method as WebhookRequest['method'];
    response.writeHead(take({ method, url, headers, body: Buffer.concat(parts) })).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  started.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { origin };
}

const names = Array.from({ length: 12 }, (_, each) => `m-${each}`);
const digitsOf = (at: number) => String(919_800_020_100 + at);
const verdictOf = ({ channel, app, clock }: Stage, request: WebhookRequest) =>
  channel.verify(request, app, clock()).kind;

describe.each(reporting)('$kind', (simulator) => {
  test('every report arrives over the wire, signed, though each webhook fails at first', async () => {
    const seen = new Set<string>();
    const harness = await start(simulator, 0, ({ body }) => {
      const isNew = !seen.has(body.toString());
      seen.add(body.toString());
      return isNew;
    });
    for (const [at, id] of names.entries()) {
      expect(await harness.send(id, digitsOf(at))).toMatchObject({ kind: 'accepted' });
    }
    await harness.settled();
    expect(harness.failed.length).toBeGreaterThan(0);
    for (const request of [...harness.failed, ...harness.received]) {
      expect(verdictOf(harness, request)).toBe('ok');
    }
    for (const id of names) {
      const mine = harness
        .events()
        .filter((each) => each.kind === 'report' && each.messageId === id);
      expect(mine.map((each) => each.kind === 'report' && each.status)).toContain('delivered');
    }
    const { webhooks } = await harness.control('counts');
    expect(webhooks).toMatchObject({ givenUp: 0, dropped: 0 });
  });

  test('a message with a lost answer is accepted, and the log says so', async () => {
    const harness = await start(simulator, 0.4);
    const lost: string[] = [];
    for (const [at, id] of names.entries()) {
      await harness.send(id, digitsOf(at)).catch(() => lost.push(id));
    }
    const log = await fetch(`${harness.app.endpoint}/_control/log?after=1&limit=100`);
    const lines = (await log.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ reference }) => reference)).toEqual(names.slice(1));
    expect(lines[0].n).toBe(2);
    const reported = lines.filter(({ isAnswerLost }) => isAnswerLost === true);
    expect(reported.map(({ reference }) => reference)).toEqual(
      lost.filter((id) => id !== names[0]),
    );
    expect(lost.length).toBeGreaterThan(0);
    const { messages } = await harness.control('counts');
    const counted = { accepted: names.length, references: names.length, doubled: 0 };
    expect(messages).toMatchObject({ ...counted, answersLost: lost.length });
  });
});

describe.each(simulators)('$kind', (simulator) => {
  test('people answer, and opt out', async () => {
    const harness = await start(simulator);
    const people = ['919800027002', '919800027003'];
    for (const digits of people) {
      if (simulator.kind === 'telegram')
        await harness.control('start', { chat_id: Number(digits) });
      await harness.send(`m-${digits}`, digits);
    }
    await harness.settled();
    const texts = harness
      .events()
      .flatMap((each) =>
        each.kind === 'inbound' && each.content.kind === 'text' ? [each.content.text] : [],
      );
    expect(texts).toContain('YES');
    const hasStopped = harness
      .events()
      .some((each) => each.kind === 'consent' && each.change === 'stop');
    expect(texts.includes('STOP') || hasStopped).toBe(true);
    for (const request of harness.received) expect(verdictOf(harness, request)).toBe('ok');
  });

  test('the control lists its commands and its magic recipients', async () => {
    const harness = await start(simulator);
    const { kind, post } = await harness.control('');
    expect(kind).toBe(simulator.kind);
    expect(Object.keys(post)).toContain('inbound');
    const magic = await harness.control('magic');
    expect(magic).toEqual(simulator.magic.map(([recipients, what]) => ({ recipients, what })));
    await harness.control('faults', { call: 'send', kind: 503 });
    const digits = digitsOf(50);
    if (simulator.kind === 'telegram') await harness.control('start', { chat_id: Number(digits) });
    const outcomes = [await harness.send('m-1', digits), await harness.send('m-2', digits)];
    expect(outcomes[0]?.kind).toBe('retry');
    expect(outcomes[1]?.kind).toBe('accepted');
  });
});

test('a click opens the link like a browser, only at the origin of the webhooks', async () => {
  const harness = await start(await channelSimulator('twilio-sms'));
  const elsewhere: WebhookRequest[] = [];
  const other = await listen((request) => elsewhere.push(request) && 200);
  const to = { kind: 'phone', phone: '+919800027004' } as const;
  const here = new URL(harness.app.callbackUrl).origin;
  for (const [id, link] of [
    ['m-1', `${here}/r/abc`],
    ['m-2', `${other.origin}/r/abc`],
  ] as const) {
    const content = { kind: 'text', text: `see ${link}.` } as const;
    await sendThrough(harness.channel, { id, to, content }, harness.app, harness.clock());
  }
  await harness.settled();
  const { clicks } = await harness.control('counts');
  expect(clicks).toMatchObject({ queued: 1 });
  const opened = harness.received.filter(({ method }) => method === 'GET');
  expect(opened.map(({ url }) => url)).toEqual([`${here}/r/abc`]);
  expect(opened[0]?.headers['user-agent']).toContain('Mobile Safari');
  expect(elsewhere).toEqual([]);
});

test('a person who stopped a Twilio number gets nothing until they start it', async () => {
  const harness = await start(await channelSimulator('twilio-sms'));
  const digits = digitsOf(60);
  await harness.control('inbound', { from: digits, text: 'Stop' });
  expect(await harness.send('m-1', digits)).toMatchObject({ code: '21610', action: 'opt-out' });
  await harness.control('inbound', { from: digits, text: 'START' });
  expect(await harness.send('m-2', digits)).toMatchObject({ kind: 'accepted' });
});
