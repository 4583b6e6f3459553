import { createHash } from 'node:crypto';
import fc from 'fast-check';
import twilio from 'twilio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventsOf, exchange, sendThrough } from '../contract.suite.ts';
import type { Channel } from '../contract.ts';
import { asReceived, smsSuite, startSms } from '../sms.fixture.ts';
import { isSigned } from '../twilio-signature.ts';
import { twilioSms } from './adapter.ts';
import { sandboxSettings, startTwilioSimulator } from './simulator.ts';

const wrong = { auth_token: 'not-the-token' };
smsSuite(twilioSms, startTwilioSimulator, sandboxSettings, wrong, '919800021211');

const token = 'tw_token_0123';
const request = (url: string, body: string, signature: string) => ({
  method: 'POST' as const,
  url,
  headers: { 'x-twilio-signature': signature },
  body: Buffer.from(body),
});

describe('the signature', () => {
  const url = 'https://api.example.test/sms/v1/webhooks/app_1/dlr/?t=a&b=1';
  const hash = createHash('sha256').update('{"a":1}').digest('hex');
  const report =
    'MessageSid=SM0123&MessageStatus=delivered&To=%2B919800000001&From=HDRNAM&ErrorCode=';
  const withPort = twilio.getExpectedTwilioSignature(
    token,
    url.replace('.test/', '.test:443/'),
    Object.fromEntries(new URLSearchParams(report)),
  );

  test.each([
    ['a form', url, report, '7Yb7cwWUu5gVLfzX8/+NtnHFjNo='],
    ['a form, signed with the port', url, report, withPort],
    [
      'a form, signed with the fragment',
      url,
      report,
      twilio.getExpectedTwilioSignature(
        token,
        `${url}#rc=5&rp=5xx,ct,rt`,
        Object.fromEntries(new URLSearchParams(report)),
      ),
    ],
    ['several values', url, 'A=z&A=b&A=b&C=1', 'yKBtaR2tbsoNf8q5GUk6+YHh9dY='],
    [
      'JSON',
      `https://api.example.test/hook?bodySHA256=${hash}`,
      '{"a":1}',
      '1cF8L7XtvVtXpeaY3x7amy9jQSA=',
    ],
  ])('%s is verified, and refused after a change', (_name, address, body, signature) => {
    expect(isSigned(request(address, body, signature), token)).toBe(true);
    expect(isSigned(request(address, `${body}&x=1`, signature), token)).toBe(false);
    expect(isSigned(request(address, body, signature), 'other')).toBe(false);
    expect(isSigned(request(`${address}&x=1`, body, signature), token)).toBe(false);
  });

  test('every signature of the vendor’s package is verified', () => {
    const word = fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' });
    fc.assert(
      fc.property(fc.dictionary(word, word), fc.dictionary(word, word), (query, fields) => {
        const address = new URL('https://api.example.test/hook');
        for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
        address.searchParams.delete('bodySHA256');
        const signature = twilio.getExpectedTwilioSignature(token, address.href, fields);
        const body = new URLSearchParams(fields).toString();
        expect(isSigned(request(address.href, body, signature), token)).toBe(true);
      }),
    );
  });
});

describe('twilio', () => {
  let harness: Awaited<ReturnType<typeof startSms<unknown>>>;
  const channel: Channel = twilioSms;
  beforeAll(async () => {
    harness = await startSms(channel, startTwilioSimulator, sandboxSettings);
  });
  afterAll(() => harness.simulator.stop());
  const send = (digits: string) =>
    sendThrough(
      channel,
      {
        id: 'm-1',
        to: { kind: 'phone', phone: `+${digits}` },
        content: { kind: 'text', text: 'hi' },
        ttlSeconds: 90_000,
      },
      harness.app(),
      harness.clock(),
    );
  const events = () =>
    harness.simulator.control.takeWebhooks().flatMap((each) => eventsOf(channel, asReceived(each)));

  test.each([
    ['919800021610', { kind: 'refused', code: '21610', action: 'opt-out' }],
    ['919800021614', { kind: 'refused', code: '21614', action: 'next-channel' }],
    ['919800020429', { kind: 'throttled', scope: 'channel', afterMs: 10_000 }],
    ['919800021611', { kind: 'throttled', scope: 'channel', afterMs: 60_000 }],
  ])('a message to %s gets the outcome %o', async (digits, outcome) => {
    expect(await send(digits)).toMatchObject(outcome);
  });

  test('a report of failure says why, and so does a look-up', async () => {
    const outcome = await send('919800030003');
    const failed = { status: 'failed', failure: { code: '30003', action: 'next-channel' } };
    expect(events()).toMatchObject([{ status: 'sent', messageId: 'm-1' }, failed]);
    if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
    const { request: ask, read } = channel.lookUp!;
    const answer = await exchange(ask(outcome.providerId, harness.app()));
    expect(read(answer)).toMatchObject({ kind: 'report', ...failed });
  });

  test('the validity is cut to the provider’s maximum', async () => {
    await send('919800000002');
    expect(harness.simulator.control.messages().at(-1)?.fields.ValidityPeriod).toBe('36000');
    events();
  });

  test('a STOP arrives as a message and as an opt-out', () => {
    harness.simulator.control.write('919800000001', 'Stop');
    expect(events()).toMatchObject([
      { kind: 'inbound', content: { text: 'Stop' } },
      { kind: 'consent', change: 'stop', scope: 'all', person: { phone: '+919800000001' } },
    ]);
  });

  test('an MMS is a message for each of its files, the first with its text', () => {
    const fields = {
      MessageSid: 'MM1',
      From: '+919800000001',
      To: '+15550001111',
      Body: 'both sides',
      NumMedia: '2',
      MediaUrl0: 'https://a.test/0',
      MediaContentType0: 'image/jpeg',
      MediaUrl1: 'https://a.test/1',
      MediaContentType1: 'application/pdf',
    };
    const body = Buffer.from(new URLSearchParams(fields).toString());
    const request = { method: 'POST' as const, url: 'https://a.test/', headers: {}, body };
    const around = { kind: 'inbound', from: { phone: '+919800000001' } };
    expect(eventsOf(channel, request)).toEqual([
      {
        ...around,
        to: '+15550001111',
        providerId: 'MM1',
        content: {
          kind: 'media',
          type: 'image',
          source: { url: 'https://a.test/0' },
          mimeType: 'image/jpeg',
          caption: 'both sides',
        },
      },
      {
        ...around,
        to: '+15550001111',
        providerId: 'MM1/1',
        content: {
          kind: 'media',
          type: 'document',
          source: { url: 'https://a.test/1' },
          mimeType: 'application/pdf',
        },
      },
    ]);
  });
});
