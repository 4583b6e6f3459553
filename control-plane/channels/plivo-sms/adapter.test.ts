import fc from 'fast-check';
import plivo from 'plivo';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventsOf, sendThrough } from '../contract.suite.ts';
import type { Channel } from '../contract.ts';
import { isSigned, signatureOf } from '../plivo-signature.ts';
import { asReceived, smsSuite, startSms } from '../sms.fixture.ts';
import { plivoSms } from './adapter.ts';
import { sandboxSettings, startPlivoSimulator } from './simulator.ts';

const wrong = { auth_token: 'not-the-token' };
smsSuite(plivoSms, startPlivoSimulator, sandboxSettings, wrong, '919800009400');

const token = 'pl_token_0123';
const nonce = '05429567804466091622';
const request = (method: 'GET' | 'POST', url: string, body: string, signature: string) => ({
  method,
  url,
  headers: { 'x-plivo-signature-v3': signature, 'x-plivo-signature-v3-nonce': nonce },
  body: Buffer.from(body),
});

describe('the signature', () => {
  const host = 'https://api.example.test';
  const plain = 'juCQxUBkon9F0fILHJIHilS4trxmdcn03svZtwLx/Uk=';
  const report = 'MessageUUID=u-1&Status=delivered&To=919800000001';
  const dlr = `${host}/sms/v1/webhooks/app_1/dlr/`;

  test.each([
    ['a form', 'POST', dlr, report, plain],
    ['one of two tokens', 'POST', dlr, report, `bogus,${plain}`],
    [
      'a form and a query',
      'POST',
      `${host}/h/?b=2&a=1`,
      'Status=x&A=1',
      'SV8ruoMV+tkHdRvLPFmDJThdOsfiVOwjAXFTOKllGZI=',
    ],
    ['a GET', 'GET', `${host}/h/?b=2&a=1`, '', 'TrmO03A5ZZNx3F9b2QeU/xIihiqSnNpwAORVSjbMUXY='],
    [
      'a port',
      'POST',
      `${host}:8443/h/?b=2&a=1`,
      'Status=x',
      'vv9uIXTwy6fYGsZm2TUJvTjAOMP5u0BALPnd1WvG+S4=',
    ],
    [
      'encoded characters',
      'POST',
      `${host}/h/x%20y?b=a%20b`,
      'Status=%C3%A9',
      'BuRCjBgkXdIIkApyWOBcgA1/eq73u7XbZMlckyhRrIg=',
    ],
  ] as const)('%s is verified, not after a change', (_name, method, url, body, signature) => {
    expect(isSigned(request(method, url, body, signature), token)).toBe(true);
    expect(isSigned(request(method, url, `${body}&x=1`, signature), token)).toBe(false);
    expect(isSigned(request(method, `${url}?x=1`, body, signature), token)).toBe(false);
    expect(isSigned(request(method, url, body, signature), 'other')).toBe(false);
  });

  test('the vendor’s package accepts our signatures', () => {
    const word = fc.stringMatching(/^[a-zA-Z0-9 é&=+]{1,6}$/);
    fc.assert(
      fc.property(fc.dictionary(word, word), fc.dictionary(word, word), (query, fields) => {
        const asked = new URLSearchParams(query).toString().replaceAll('+', '%20');
        const url = `${host}/h/${asked === '' ? '' : `?${asked}`}`;
        const body = new URLSearchParams(fields).toString();
        const signature = signatureOf(request('POST', url, body, ''), nonce, token);
        const takes = (form: Record<string, string>) =>
          plivo.validateV3Signature('POST', url, nonce, token, signature, form);
        expect(takes({ ...fields })).toBe(true);
        expect(takes({ ...fields, x: 'added' })).toBe(fields.x === 'added');
      }),
    );
  });
});

describe('plivo', () => {
  let harness: Awaited<ReturnType<typeof startSms<unknown>>>;
  const channel: Channel = plivoSms;
  beforeAll(async () => {
    harness = await startSms(channel, startPlivoSimulator, sandboxSettings);
  });
  afterAll(() => harness.simulator.stop());
  const message = (digits: string) => ({
    id: 'm-1',
    to: { kind: 'phone', phone: `+${digits}` } as const,
    content: { kind: 'text', text: 'hi' } as const,
  });
  const send = (digits: string) =>
    sendThrough(channel, message(digits), harness.app(), harness.clock());

  test.each([
    ['919800009402', { kind: 'refused', code: '402', action: 'stop-channel' }],
    ['919800009429', { kind: 'throttled', scope: 'channel' }],
  ])('a message to %s gets the outcome %o', async (digits, outcome) => {
    expect(await send(digits)).toMatchObject(outcome);
  });

  test.each([
    ['919800008200', '200', 'opt-out'],
    ['919800008050', '50', 'next-channel'],
    ['919800008900', '900', 'stop-channel'],
  ])('a message to %s is reported as failed with %s: %s', async (digits, code, action) => {
    await send(digits);
    const webhooks = harness.simulator.control.takeWebhooks();
    expect(webhooks.flatMap((each) => eventsOf(channel, asReceived(each)))).toMatchObject([
      { status: 'sent', messageId: 'm-1' },
      { status: 'failed', messageId: 'm-1', failure: { code, action } },
    ]);
  });

  test('a code with the name of an inherited property is a code like any other', () => {
    const fields = { MessageUUID: 'u', Status: 'failed', ErrorCode: 'constructor' };
    const body = Buffer.from(new URLSearchParams(fields).toString());
    const request = { method: 'POST' as const, url: 'https://a.test/', headers: {}, body };
    expect(eventsOf(channel, request)).toMatchObject([
      { status: 'failed', failure: { code: 'constructor', action: 'fail' } },
    ]);
  });

  test('the registry’s ids are sent with a registered text', () => {
    const registration = { entityId: '1101456324675322134', templateId: '1107160000000000001' };
    const encoding = channel.encode({ ...message('919800000001'), registration }, harness.app(), {
      now: harness.clock(),
    });
    if (encoding.kind !== 'request') throw new Error(encoding.code);
    expect(JSON.parse(encoding.request.body!)).toMatchObject({
      dst: '919800000001',
      dlt_entity_id: '1101456324675322134',
      dlt_template_id: '1107160000000000001',
    });
  });

  test('an MMS is a message for each of its files, the first with its text', () => {
    const fields = {
      MessageUUID: 'u1',
      From: '919800000001',
      To: '15550001111',
      Type: 'mms',
      Body: 'both sides',
      MediaCount: '2',
      Media1: 'https://a.test/1',
      Media2: 'https://a.test/2',
    };
    const body = Buffer.from(new URLSearchParams(fields).toString());
    const request = { method: 'POST' as const, url: 'https://a.test/', headers: {}, body };
    const around = { kind: 'inbound', from: { phone: '+919800000001' } };
    expect(eventsOf(channel, request)).toEqual([
      {
        ...around,
        to: '15550001111',
        providerId: 'u1',
        content: {
          kind: 'media',
          type: 'document',
          source: { url: 'https://a.test/1' },
          caption: 'both sides',
        },
      },
      {
        ...around,
        to: '15550001111',
        providerId: 'u1/1',
        content: { kind: 'media', type: 'document', source: { url: 'https://a.test/2' } },
      },
    ]);
  });
});
