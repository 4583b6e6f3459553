import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { eventsOf, sendThrough } from '../contract.suite.ts';
import { asReceived, smsSuite, startSms } from '../sms.fixture.ts';
import { genericHttpSms } from './adapter.ts';
import { sandboxSettings, startGatewaySimulator } from './simulator.ts';

const wrong = { auth_value: 'Bearer not-the-token', webhook_secret: 'not-the-webhook-secret' };
smsSuite(genericHttpSms, startGatewaySimulator, sandboxSettings, wrong, '919800009400');

const message = (digits: string) => ({
  id: 'm-1',
  to: { kind: 'phone', phone: `+${digits}` } as const,
  content: { kind: 'text', text: 'a & b' } as const,
});

test('a gateway may want a form, digits and other field names', async () => {
  const harness = await startSms(genericHttpSms, startGatewaySimulator, sandboxSettings);
  try {
    const app = harness.app({ format: 'form', number_format: 'digits' });
    const outcome = await sendThrough(
      genericHttpSms,
      message('919800000001'),
      app,
      harness.clock(),
    );
    expect(outcome.kind).toBe('accepted');
    expect(harness.simulator.control.messages()).toMatchObject([
      { text: 'a & b', fields: { to: '919800000001', reference: 'm-1' } },
    ]);
    const named = harness.app({ to_field: 'msisdn', auth_header: 'x-key' });
    const encoding = genericHttpSms.encode(message('60123456789'), named, { now: harness.clock() });
    if (encoding.kind !== 'request') throw new Error(encoding.code);
    expect(JSON.parse(encoding.request.body!)).toMatchObject({ msisdn: '+60123456789' });
    expect(encoding.request.headers).toMatchObject({ 'x-key': sandboxSettings.auth_value });
  } finally {
    await harness.simulator.stop();
  }
});

test.each([
  ['919800008001', { status: 'failed', failure: { code: 'undeliv', action: 'fail' } }],
  ['919800008002', { status: 'expired' }],
])('%s is reported %o', async (digits, last) => {
  const harness = await startSms(genericHttpSms, startGatewaySimulator, sandboxSettings);
  try {
    await sendThrough(genericHttpSms, message(digits), harness.app(), harness.clock());
    const webhooks = harness.simulator.control.takeWebhooks().map(asReceived);
    expect(webhooks.flatMap((each) => eventsOf(genericHttpSms, each))).toMatchObject([
      { status: 'sent', messageId: 'm-1' },
      { messageId: 'm-1', ...last },
    ]);
  } finally {
    await harness.simulator.stop();
  }
});

test('without an address it is refused before anything is sent', () => {
  const settings = genericHttpSms.settings.parse(sandboxSettings);
  const app = { id: 'a', endpoint: '', callbackUrl: 'https://a.test/', settings };
  expect(genericHttpSms.encode(message('60123456789'), app, { now: new Date(0) })).toMatchObject({
    kind: 'refused',
    code: 'settings_incomplete',
  });
});

test('a signature of nothing proves nothing', () => {
  const settings = genericHttpSms.settings.parse(sandboxSettings);
  const app = { id: 'a', endpoint: '', callbackUrl: 'https://a.test/', settings };
  const digest = createHmac('sha256', settings.webhook_secret).update('').digest('hex');
  const headers = { 'x-signature': `sha256=${digest}` };
  const url = 'https://a.test/inbound/?id=1&from=60123456789&text=forged';
  const request = { method: 'GET', url, headers, body: new Uint8Array() } as const;
  expect(genericHttpSms.verify(request, app, new Date(0))).toMatchObject({ kind: 'refused' });
});
