import { Auth } from '@vonage/auth';
import { Vonage } from '@vonage/server-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Channel } from '../contract.ts';
import { callbackUrl, startSms } from '../sms.fixture.ts';
import { vonageSms } from './adapter.ts';
import { apiSecret, sandboxSettings, startVonageSimulator } from './simulator.ts';

// Signatures are left out: the SDK does not make them as the vendor's own guide says.
describe('the vendor’s SDK', () => {
  const channel: Channel = vonageSms;
  let harness: Awaited<ReturnType<typeof startSms<unknown>>>;
  const clientOf = (secret: string) =>
    new Vonage(new Auth({ apiKey: sandboxSettings.api_key, apiSecret: secret }), {
      restHost: harness.simulator.url,
    });
  beforeAll(async () => {
    harness = await startSms(channel, startVonageSimulator, sandboxSettings);
  });
  afterAll(() => harness.simulator.stop());
  const send = (to: string, secret: string = apiSecret) =>
    clientOf(secret).sms.send({
      to,
      from: sandboxSettings.from,
      text: 'hello, नमस्ते',
      type: 'unicode',
      clientRef: 'm-1',
      callback: `${callbackUrl}dlr/`,
    } as Parameters<Vonage['sms']['send']>[0]);

  test('sends, and the reports contain its reference', async () => {
    const { messages } = await send('919800000011');
    expect(messages).toMatchObject([{ status: '0', to: '919800000011' }]);
    expect(harness.simulator.control.messages().at(-1)).toMatchObject({
      id: messages[0]?.messageId,
      text: 'hello, नमस्ते',
    });
    const bodies = harness.simulator.control.takeWebhooks().map(({ body }) => body);
    expect(bodies.length).toBe(2);
    for (const body of bodies) expect(new URLSearchParams(body).get('client-ref')).toBe('m-1');
  });

  // The HTTP status of all these is 200: the SDK finds the failure where the adapter does.
  test.each([
    ['919800007707', '7'],
    ['919800007715', '15'],
    ['919800007701', '1'],
  ])('%s fails with status %s', async (digits, status) => {
    const failure = await send(digits).catch((error: unknown) => error);
    expect(failure).toMatchObject({ response: { messages: [{ status }] } });
  });

  test('a wrong secret fails with status 4', async () => {
    const failure = await send('919800000012', 'not-the-secret').catch((error: unknown) => error);
    expect(failure).toMatchObject({ response: { messages: [{ status: '4' }] } });
  });
});
