import plivo from 'plivo';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basicAuthorization } from '../basic-authorization.ts';
import type { Channel } from '../contract.ts';
import { asReceived, callbackUrl, connected, startSms } from '../sms.fixture.ts';
import { plivoSms } from './adapter.ts';
import { sandboxSettings, startPlivoSimulator } from './simulator.ts';

const { auth_id, auth_token, from } = sandboxSettings;

describe('the vendor’s SDK', () => {
  const channel: Channel = plivoSms;
  let harness: Awaited<ReturnType<typeof startSms<unknown>>>;
  const clientOf = (token: string) =>
    new plivo.Client(auth_id, token, {
      url: `${harness.simulator.url}/v1/Account/${auth_id}`,
    } as ConstructorParameters<typeof plivo.Client>[2]);
  beforeAll(async () => {
    harness = await startSms(channel, startPlivoSimulator, sandboxSettings);
  });
  afterAll(() => harness.simulator.stop());
  const create = (digits: string, token: string = auth_token) => {
    const url = `${callbackUrl}dlr/?m=m-1`;
    const send = clientOf(token).messages.create as (...words: unknown[]) => Promise<unknown>;
    const options = { url };
    return send.call(clientOf(token).messages, from, digits, 'hello, नमस्ते', options);
  };

  test('sends, and reads the status back', async () => {
    const sent = (await create('919800000011')) as { messageUuid: string[] };
    expect(harness.simulator.control.messages().at(-1)).toMatchObject({ text: 'hello, नमस्ते' });
    harness.simulator.control.takeWebhooks();
    const [uuid = ''] = sent.messageUuid;
    const found = await clientOf(auth_token).messages.get(uuid);
    expect(found).toMatchObject({ messageUuid: uuid, messageState: 'delivered' });
  });

  test.each([
    ['919800009400', 'dst parameter is not a valid phone number'],
    ['919800009402', 'status code 402'],
  ])('%s is an error: %s', async (digits, sentence) => {
    await expect(create(digits)).rejects.toThrow(sentence);
  });

  test('lists messages, the newest first', async () => {
    await create('919800000021');
    await create('919800000022');
    const listed: unknown = await clientOf(auth_token).messages.list({ limit: 2, offset: 0 });
    const numbers = [...(listed as { toNumber: string }[])].map(({ toNumber }) => toNumber);
    expect(numbers).toEqual(['919800000022', '919800000021']);
    harness.simulator.control.takeWebhooks();
  });

  test('the number belongs to an application with the address, also when it is told twice', async () => {
    for (let time = 0; time < 2; time += 1) {
      expect(await connected(channel, harness.app())).toEqual({ kind: 'done' });
    }
    // The SDK reads applications from Plivo's own address only.
    const response = await fetch(
      `${harness.simulator.url}/v1/Account/${auth_id}/Application/?app_name=app-1`,
      { headers: { authorization: basicAuthorization(auth_id, auth_token) } },
    );
    const { objects } = (await response.json()) as { objects: object[] };
    expect(objects).toMatchObject([{ app_name: 'app-1', message_url: `${callbackUrl}inbound/` }]);
    expect(await connected(channel, harness.app({ from: 'HDRNAM' }))).toEqual({ kind: 'done' });
  });

  test('a wrong token is an error of authentication', async () => {
    await expect(create('919800000012', 'not-the-token')).rejects.toThrow('Could not verify');
  });

  test('accepts the simulator’s signatures, and refuses changed ones', async () => {
    await create('919800000013');
    harness.simulator.control.write('919800000013', 'a & b = c');
    const webhooks = harness.simulator.control.takeWebhooks().map(asReceived);
    expect(webhooks.length).toBe(3);
    for (const { url, headers, body } of webhooks) {
      const form = Object.fromEntries(new URLSearchParams(Buffer.from(body).toString()));
      const takes = (token: string, more: Record<string, string>) =>
        plivo.validateV3Signature(
          'POST',
          url,
          headers['x-plivo-signature-v3-nonce'] ?? '',
          token,
          headers['x-plivo-signature-v3'] ?? '',
          { ...form, ...more },
        );
      expect(takes(auth_token, {})).toBe(true);
      expect(takes('not-the-token', {})).toBe(false);
      expect(takes(auth_token, { x: '1' })).toBe(false);
    }
  });
});
