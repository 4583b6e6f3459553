import fc from 'fast-check';
import twilio from 'twilio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Channel, WebhookRequest } from '../contract.ts';
import { asReceived, callbackUrl, connected, startSms } from '../sms.fixture.ts';
import { isSigned } from '../twilio-signature.ts';
import { twilioSms } from './adapter.ts';
import { sandboxSettings, startTwilioSimulator } from './simulator.ts';

const { account_sid, auth_token, from } = sandboxSettings;
const formOf = (body: Uint8Array) =>
  Object.fromEntries(new URLSearchParams(Buffer.from(body).toString()));
const signatureIn = ({ headers }: WebhookRequest) => headers['x-twilio-signature'] ?? '';

describe('the vendor’s SDK', () => {
  const channel: Channel = twilioSms;
  let harness: Awaited<ReturnType<typeof startSms<unknown>>>;
  let client: ReturnType<typeof twilio>;
  beforeAll(async () => {
    harness = await startSms(channel, startTwilioSimulator, sandboxSettings);
    const httpClient = new twilio.RequestClient({ timeout: 5_000 });
    const request = httpClient.request.bind(httpClient);
    httpClient.request = (options) =>
      request({
        ...options,
        uri: options.uri.replace('https://api.twilio.com', harness.simulator.url),
      });
    client = twilio(account_sid, auth_token, { httpClient });
  });
  afterAll(() => harness.simulator.stop());
  const create = (digits: string) =>
    client.messages.create({
      to: `+${digits}`,
      from,
      body: 'hello, नमस्ते',
      statusCallback: `${callbackUrl}dlr/?m=m-1`,
    });

  test('sends, reads the status back, and finds the message by its recipient', async () => {
    const sent = await create('919800000011');
    expect(sent).toMatchObject({ status: 'queued', to: '+919800000011', body: 'hello, नमस्ते' });
    harness.simulator.control.takeWebhooks();
    const found = await client.messages(sent.sid).fetch();
    expect(found).toMatchObject({ sid: sent.sid, status: 'delivered', errorCode: null });
    const listed = await client.messages.list({ to: '+919800000011', limit: 5 });
    expect(listed.map(({ sid }) => sid)).toEqual([sent.sid]);
  });

  test.each([
    ['919800021211', 400, 21211],
    ['919800021610', 400, 21610],
    ['919800020429', 429, 20429],
  ])('%s is an error of status %d, code %d', async (digits, status, code) => {
    await expect(create(digits)).rejects.toMatchObject({ status, code });
  });

  test('the number has the address that the app registered', async () => {
    expect(await connected(channel, harness.app())).toEqual({ kind: 'done' });
    const [number] = await client.incomingPhoneNumbers.list({ phoneNumber: from, limit: 1 });
    expect(number).toMatchObject({ phoneNumber: from, smsUrl: `${callbackUrl}inbound/` });
    expect(number).toMatchObject({ smsMethod: 'POST' });
    const foreign = await connected(channel, harness.app({ from: '+60199999999' }));
    expect(foreign).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('no number'),
    });
  });

  test('a text counts its segments', async () => {
    const segmentsOf = async (body: string) =>
      (await client.messages.create({ to: '+919800000014', from, body })).numSegments;
    expect(await segmentsOf('a'.repeat(160))).toBe('1');
    expect(await segmentsOf(`${'a'.repeat(159)}€`)).toBe('2');
    expect(await segmentsOf('न'.repeat(71))).toBe('2');
    harness.simulator.control.takeWebhooks();
  });

  test('a wrong token is an error of authentication', async () => {
    const { httpClient } = client as unknown as { httpClient: twilio.RequestClient };
    const other = twilio(account_sid, 'not-the-token', { httpClient });
    const wrong = other.messages.create({ to: '+919800000012', from, body: 'x' });
    await expect(wrong).rejects.toMatchObject({ status: 401, code: 20003 });
  });

  test('accepts the simulator’s signatures, and refuses changed ones', async () => {
    await create('919800000013');
    harness.simulator.control.write('919800000013', 'a & b = c');
    const webhooks = harness.simulator.control.takeWebhooks().map(asReceived);
    expect(webhooks.length).toBe(3);
    for (const webhook of webhooks) {
      const { url, body } = webhook;
      const takes = (token: string, form: Record<string, string>) =>
        twilio.validateRequest(token, signatureIn(webhook), url, form);
      expect(takes(auth_token, formOf(body))).toBe(true);
      expect(takes('not-the-token', formOf(body))).toBe(false);
      expect(takes(auth_token, { ...formOf(body), x: '1' })).toBe(false);
    }
  });
});

const word = fc.stringMatching(/^[a-zA-Z0-9 é&=+%]{1,6}$/);
const port = fc.constantFrom('', ':443', ':8443');
const cases = fc.record({
  port,
  query: fc.dictionary(word, word, { maxKeys: 3 }),
  form: fc.dictionary(word, fc.oneof(word, fc.array(word, { minLength: 1, maxLength: 3 })), {
    maxKeys: 4,
  }),
});

function requestOf(url: string, form: Record<string, string | string[]>, signature: string) {
  const rows = Object.entries(form).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, each] as [string, string]),
  );
  return {
    method: 'POST',
    url,
    headers: { 'x-twilio-signature': signature },
    body: Buffer.from(new URLSearchParams(rows).toString()),
  } as const;
}

test('the adapter accepts what the SDK signs, and refuses what the SDK refuses', () => {
  const sign = (twilio as unknown as { getExpectedTwilioSignature: typeof signAs })
    .getExpectedTwilioSignature;
  fc.assert(
    fc.property(cases, ({ port: at, query, form }) => {
      const asked = new URLSearchParams(query).toString();
      const url = `https://api.example.test${at}/h/${asked === '' ? '' : `?${asked}`}`;
      const signature = sign('tw_token_0123', url, form);
      expect(isSigned(requestOf(url, form, signature), 'tw_token_0123')).toBe(true);
      for (const [token, changed] of [
        ['tw_token_0124', form],
        ['tw_token_0123', { ...form, added: '1' }],
      ] as const) {
        const verdict = twilio.validateRequest(token, signature, url, changed);
        expect(isSigned(requestOf(url, changed, signature), token)).toBe(verdict);
      }
    }),
  );
});
declare function signAs(token: string, url: string, form: object): string;

test('a JSON body is verified by its hash in the address, by the SDK and by the adapter', () => {
  const url =
    'https://api.example.test/hook?bodySHA256=' +
    '015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862';
  const signature = '1cF8L7XtvVtXpeaY3x7amy9jQSA=';
  for (const body of ['{"a":1}', '{"a":2}']) {
    const request = {
      method: 'POST',
      url,
      headers: { 'x-twilio-signature': signature },
      body: Buffer.from(body),
    } as const;
    const verdict = twilio.validateRequestWithBody('tw_token_0123', signature, url, body);
    expect(verdict).toBe(body === '{"a":1}');
    expect(isSigned(request, 'tw_token_0123')).toBe(verdict);
  }
});
