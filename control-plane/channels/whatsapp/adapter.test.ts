import type { OutboundMessage } from '@drawbridge/messaging/message.ts';
import { statusAfter } from '@drawbridge/messaging/status.ts';
import type { Template } from '@drawbridge/messaging/template.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seeded, standingClock } from '../../../test/kit/clock.ts';
import { channelSuite, eventsOf, exchange, samples, sendThrough } from '../contract.suite.ts';
import type { App, WebhookRequest } from '../contract.ts';
import type { OutgoingWebhook } from '../simulation/webhook-attempt.ts';
import { whatsapp } from './adapter.ts';
import type { Settings } from './settings.ts';
import { sandboxSettings, startWhatsappSimulator, type WhatsappSimulator } from './simulator.ts';

const callbackUrl = 'https://api.example.test/wa/v1/webhooks/tenant_1/';

function appOf(url: string, more: Partial<Settings> = {}): App<Settings> {
  const settings = { ...whatsapp.settings.parse(sandboxSettings), ...more };
  return { id: 'app_1', endpoint: url, callbackUrl, settings };
}

function asReceived({ method, url, headers, body }: OutgoingWebhook): WebhookRequest {
  return { method, url, headers, body: Buffer.from(body) };
}

const start = (time: { clock: () => Date }) =>
  startWhatsappSimulator({ clock: time.clock, random: seeded(5), webhookUrl: callbackUrl });

channelSuite('whatsapp', whatsapp, async () => {
  const time = standingClock('2026-11-21T08:00:00Z');
  const simulator = await start(time);
  let serial = 0;
  const phones = new Map<string, string>();
  return {
    clock: time.clock,
    app: appOf(simulator.url),
    wrongApp: appOf(simulator.url, { access_token: 'not-the-token', app_secret: 'not-it' }),
    message: (name, outcome) => {
      const phone = outcome === 'refused' ? '+919800131030' : `+9198000${90_000 + serial++}`;
      phones.set(name, phone);
      return { id: `m-${name}`, to: { kind: 'phone', phone }, content: samples.template };
    },
    mishap: (kind, retryAfterSeconds) =>
      simulator.control.fault({
        call: 'send',
        kind,
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      }),
    held: ({ id }) =>
      simulator.control.messages().filter((message) => message.callbackData === id).length,
    write: (body) => simulator.control.write({ waId: '919800000001' }, text(body)),
    webhooks: () => simulator.control.takeWebhooks().map(asReceived),
    stop: () => simulator.stop(),
  };
});

const text = (body: string) => ({ type: 'text', text: { body } });

describe('whatsapp', () => {
  const time = standingClock('2026-11-21T08:00:00Z');
  let simulator: WhatsappSimulator;
  let app: App<Settings>;
  beforeAll(async () => {
    simulator = await start(time);
    app = appOf(simulator.url);
  });
  afterAll(() => simulator.stop());
  beforeEach(() => {
    time.advance(60 * 60 * 1_000);
    simulator.control.takeWebhooks();
  });

  let serial = 0;
  const message = (change: Partial<OutboundMessage> = {}): OutboundMessage => ({
    id: `m-${serial++}`,
    to: { kind: 'phone', phone: '+919800000001' },
    content: samples.template,
    ...change,
  });
  const phone = (digits: string) => ({ kind: 'phone', phone: `+${digits}` }) as const;
  const send = (change?: Partial<OutboundMessage>) =>
    sendThrough(whatsapp, message(change), app, time.clock());
  const events = () =>
    simulator.control.takeWebhooks().flatMap((each) => eventsOf(whatsapp, asReceived(each)));

  test.each(Object.values(samples).filter(({ kind }) => whatsapp.content.kinds.includes(kind)))(
    'the network accepts $kind',
    async (content) => {
      simulator.control.write({ waId: '919800000001' }, text('hello'));
      expect(await send({ content })).toMatchObject({ kind: 'accepted' });
    },
  );

  test.each([
    ['919800131030', { kind: 'refused', code: '131030', action: 'fail' }],
    ['919800131031', { kind: 'refused', code: '131031', action: 'stop-channel' }],
    ['919800132015', { kind: 'refused', code: '132015', action: 'stop-broadcast' }],
    ['919800900190', { kind: 'refused', code: '190', action: 'stop-channel' }],
    ['919800130429', { kind: 'throttled', scope: 'channel', afterMs: 1_000 }],
    ['919800980007', { kind: 'throttled', scope: 'channel', afterMs: 60_000 }],
    ['919800131056', { kind: 'throttled', scope: 'pair', afterMs: 6_000 }],
    ['919800131000', { kind: 'retry' }],
    ['919800131057', { kind: 'retry', afterMs: 60_000 }],
  ])('a message to %s gets the outcome %o', async (digits, outcome) => {
    expect(await send({ to: phone(digits) })).toMatchObject(outcome);
  });

  test.each([
    ['919800131026', '131026', 'next-channel'],
    ['919800131049', '131049', 'next-channel'],
    ['919800131050', '131050', 'opt-out'],
    ['919800131042', '131042', 'stop-channel'],
    ['919800131053', '131053', 'fail'],
  ])('%s fails later with %s: %s', async (digits, code, action) => {
    expect(await send({ to: phone(digits) })).toMatchObject({ kind: 'accepted' });
    expect(events()).toMatchObject([
      { kind: 'report', status: 'failed', failure: { code, action } },
    ]);
  });

  test('free text after 24 hours fails later, and a template is offered', async () => {
    simulator.control.write({ waId: '919800000007' }, text('hello'));
    events();
    const to = phone('919800000007');
    await send({ to, content: samples.text });
    expect(events()).toMatchObject([
      { status: 'sent' },
      { status: 'delivered' },
      { status: 'read' },
    ]);
    time.advance(24 * 60 * 60 * 1_000);
    await send({ to, content: samples.text });
    expect(events()).toMatchObject([{ failure: { code: '131047', action: 'offer-template' } }]);
  });

  test('a template with a missing value, or not approved, stops the broadcast', async () => {
    const template = { name: 'order_update', language: 'en_US', components: [] };
    expect(await send({ content: { kind: 'template', template } })).toMatchObject({
      code: '132000',
      action: 'stop-broadcast',
    });
    const other = { ...samples.template.template, language: 'ms' };
    expect(await send({ content: { kind: 'template', template: other } })).toMatchObject({
      code: '132001',
      action: 'stop-broadcast',
    });
  });

  test('46 messages at once to one person: the last waits, those to others do not', async () => {
    const to = phone('919800000046');
    for (let count = 0; count < 45; count += 1) {
      expect((await send({ to })).kind).toBe('accepted');
    }
    time.advance(2_000);
    expect(await send({ to })).toMatchObject({ kind: 'throttled', scope: 'pair' });
    expect((await send({ to: phone('919800000047') })).kind).toBe('accepted');
    time.advance(6_000);
    expect((await send({ to })).kind).toBe('accepted');
  });

  test('above the number’s rate the whole app waits', async () => {
    simulator.control.set({ messagesPerSecond: 3 });
    const outcomes = [];
    for (let each = 0; each < 4; each += 1) {
      outcomes.push((await send({ to: phone(`91980000020${each}`) })).kind);
    }
    simulator.control.set({ messagesPerSecond: 80 });
    expect(outcomes).toEqual(['accepted', 'accepted', 'accepted', 'throttled']);
  });

  test('statuses in any order, repeated and batched, end with read', async () => {
    simulator.control.set({ statusOrder: 'shuffled', isRepeating: true, isBatching: true });
    const { id } = message();
    await send({ id });
    const webhooks = simulator.control.takeWebhooks();
    simulator.control.set({ statusOrder: 'rising', isRepeating: false, isBatching: false });
    expect(webhooks.length).toBe(1);
    const reports = eventsOf(whatsapp, asReceived(webhooks[0]!));
    expect(reports.length).toBe(6);
    for (const report of reports) expect(report).toMatchObject({ kind: 'report', messageId: id });
    const words = reports.flatMap((each) => (each.kind === 'report' ? [each.status] : []));
    expect(words[0]).toBe('read');
    expect(words.reduce(statusAfter, 'sending')).toBe('read');
    expect(reports[0]).toMatchObject({ pricing: { category: 'utility', isBillable: true } });
  });

  test('a person without a number is addressed by business-scoped id', async () => {
    const userId = 'MY.13491208655302741918';
    simulator.control.write({ userId, username: 'asha', name: 'Asha' }, text('hello'));
    expect(events()).toMatchObject([
      { kind: 'inbound', from: { userId, username: 'asha', name: 'Asha' } },
    ]);
    const to = { kind: 'user', id: userId } as const;
    expect((await send({ to, content: samples.text })).kind).toBe('accepted');
    const template = { ...samples.template.template, name: 'login_code' };
    expect(await send({ to, content: { kind: 'template', template } })).toMatchObject({
      kind: 'refused',
      code: '131062',
      action: 'next-channel',
    });
  });

  test('a test of the address is a GET; its challenge is returned when the token is right', () => {
    simulator.control.handshake(sandboxSettings.verify_token, '1158201444');
    simulator.control.handshake('another-token', '1158201444');
    simulator.control.handshake(sandboxSettings.verify_token, '<script>');
    const verdicts = simulator.control
      .takeWebhooks()
      .map((each) => whatsapp.verify(asReceived(each), app, time.clock()));
    expect(verdicts).toMatchObject([
      { kind: 'answer', body: '1158201444' },
      { kind: 'refused', status: 403 },
      { kind: 'refused', status: 403 },
    ]);
  });

  test('a template is submitted, reviewed, listed page by page, paused and removed', async () => {
    const registry = whatsapp.templates!;
    const template = {
      name: 'reminder',
      language: 'ms',
      category: 'UTILITY',
      parameterFormat: 'positional',
      body: 'Hai {{1}}, invois anda akan tamat tempoh esok.',
      bodyExamples: ['Asha'],
      footer: 'Balas BERHENTI',
      buttons: [{ type: 'url', text: 'Bayar', url: 'https://pay.example.test/{{1}}' }],
    } as const;
    const now = time.clock();
    const submitted = await exchange(registry.submit(template, app));
    expect(registry.readSubmission(template, submitted, now)).toMatchObject({
      kind: 'held',
      template: { name: 'reminder', language: 'ms', status: 'pending', category: 'UTILITY' },
    });
    expect(events()).toMatchObject([{ kind: 'template', name: 'reminder', status: 'approved' }]);
    const again = await exchange(registry.submit(template, app));
    expect(registry.readSubmission(template, again, now)).toMatchObject({ kind: 'refused' });
    const listing = registry.readList(await exchange(registry.list(app)), now);
    expect(listing).toMatchObject({ kind: 'page' });
    if (listing.kind === 'page') {
      expect(listing.templates.map((each) => [each.name, each.status])).toEqual([
        ['order_update', 'approved'],
        ['login_code', 'approved'],
        ['reminder', 'approved'],
      ]);
    }
    const { templateId } = listing.kind === 'page' ? listing.templates.at(-1)! : { templateId: '' };
    const change = async (changed: Template) =>
      registry.readChange(await exchange(registry.change(templateId, changed, app)), now);
    const body = 'Hai {{1}}, invois anda telah tamat tempoh.';
    expect(await change({ ...template, category: 'MARKETING' })).toMatchObject({ kind: 'refused' });
    expect(await change({ ...template, body })).toEqual({ kind: 'done' });
    expect(events()).toMatchObject([{ kind: 'template', status: 'approved' }]);
    // An approved one is changed once a day; a paused one as often as is liked.
    expect(await change(template)).toMatchObject({ kind: 'refused' });
    simulator.control.review('reminder', 'ms', 'PAUSED');
    expect(events()).toMatchObject([{ kind: 'template', status: 'paused' }]);
    expect(await change(template)).toEqual({ kind: 'done' });
    const removed = await exchange(registry.remove(templateId, 'reminder', app));
    expect(registry.readRemoval(removed, now)).toEqual({ kind: 'done' });
  });
});
