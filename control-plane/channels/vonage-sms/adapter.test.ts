import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventsOf, sendThrough } from '../contract.suite.ts';
import type { Channel } from '../contract.ts';
import { asReceived, smsSuite, startSms } from '../sms.fixture.ts';
import { vonageSms } from './adapter.ts';
import { isSigned } from './signature.ts';
import { sandboxSettings, startVonageSimulator } from './simulator.ts';

const wrong = { signature_secret: 'not-the-secret' };
smsSuite(vonageSms, startVonageSimulator, sandboxSettings, wrong, '919800007703');

describe('the signature', () => {
  const fields = {
    timestamp: '1763600000',
    text: 'a&b=c',
    to: 'HDRNAM',
    status: 'delivered',
    msisdn: '919800000001',
    messageId: '0A0000',
  };

  test.each([
    ['md5hash', '0937fb2a0d4d8e0753284c9baf9412fb'],
    ['sha256', 'a3de35ba05868960c1fc211d8275680d852eda684a9efbaf71940dc20965c93b'],
  ] as const)('%s is verified in either case, not after a change', (signature_method, sig) => {
    const settings = { signature_method, signature_secret: 'sigsecret' };
    expect(isSigned({ ...fields, sig }, settings)).toBe(true);
    expect(isSigned({ ...fields, sig: sig.toUpperCase() }, settings)).toBe(true);
    expect(isSigned({ ...fields, sig, status: 'failed' }, settings)).toBe(false);
    expect(isSigned({ ...fields, sig, x: '1' }, settings)).toBe(false);
    expect(isSigned(fields, settings)).toBe(false);
  });
});

describe('vonage', () => {
  let harness: Awaited<ReturnType<typeof startSms<unknown>>>;
  const channel: Channel = vonageSms;
  beforeAll(async () => {
    harness = await startSms(channel, startVonageSimulator, sandboxSettings);
  });
  afterAll(() => harness.simulator.stop());
  const send = (digits: string, text = 'hi') =>
    sendThrough(
      channel,
      { id: 'm-1', to: { kind: 'phone', phone: `+${digits}` }, content: { kind: 'text', text } },
      harness.app(),
      harness.clock(),
    );
  const events = () =>
    harness.simulator.control.takeWebhooks().flatMap((each) => eventsOf(channel, asReceived(each)));

  // The answer is HTTP 200 in every one of these.
  test.each([
    ['919800007701', { kind: 'throttled', scope: 'channel', afterMs: 1_000 }],
    ['919800007705', { kind: 'retry' }],
    ['919800007707', { kind: 'refused', code: '7', action: 'next-channel' }],
    ['919800007709', { kind: 'refused', code: '9', action: 'stop-channel' }],
    ['919800007715', { kind: 'refused', code: '15', action: 'fail' }],
  ])('a message to %s gets the outcome %o', async (digits, outcome) => {
    expect(await send(digits)).toMatchObject(outcome);
  });

  test.each([
    ['919800008804', '4', 'opt-out'],
    ['919800008852', '52', 'stop-broadcast'],
    ['919800008851', '51', 'stop-channel'],
  ])('a message to %s is reported as failed with %s: %s', async (digits, code, action) => {
    await send(digits);
    expect(events()).toMatchObject([
      { status: 'sent', messageId: 'm-1', at: new Date('2026-11-21T08:00:00Z') },
      { status: 'failed', failure: { code, action } },
    ]);
  });

  test.each([
    ['it’s', 'unicode'],
    ['its', 'text'],
    ['a & b = c', 'text'],
  ])('%s is sent as %s', async (text, type) => {
    expect((await send('919800000002', text)).kind).toBe('accepted');
    expect(harness.simulator.control.messages().at(-1)).toMatchObject({ text, fields: { type } });
    events();
  });

  const inbound = { msisdn: '919800000001', to: 'HDRNAM', messageId: '0A', text: 'a' };
  test('a part of a long text has its number', () => {
    const part = { concat: 'true', 'concat-ref': '7', 'concat-part': '2', 'concat-total': '3' };
    const url = `https://api.example.test/?${new URLSearchParams({ ...inbound, ...part })}`;
    const request = { method: 'GET' as const, url, headers: {}, body: Buffer.alloc(0) };
    expect(eventsOf(channel, request)).toMatchObject([
      { kind: 'inbound', part: { reference: '7', index: 2, total: 3 } },
    ]);
  });

  test('JSON is read as well', () => {
    const headers = { 'content-type': 'application/json' };
    const body = Buffer.from(JSON.stringify(inbound));
    const request = { method: 'POST' as const, url: 'https://a.test/', headers, body };
    expect(eventsOf(channel, request)).toMatchObject([{ kind: 'inbound', to: 'HDRNAM' }]);
  });
});
