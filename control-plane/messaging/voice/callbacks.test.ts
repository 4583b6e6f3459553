import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../test/kit/eventually.ts';
import type { ControlledVoiceSimulator } from '../../channels/simulation/voice/simulator.ts';
import type { OutgoingWebhook } from '../../channels/simulation/webhook-attempt.ts';
import {
  sandboxSettings,
  startTwilioVoiceSimulator,
} from '../../channels/twilio-voice/simulator.ts';
import { startVonageVoiceSimulator } from '../../channels/vonage-voice/simulator.ts';
import type { ServiceKit } from '../service.kit.ts';
import { callEnd, flow, fromNumber, startVoice, templateOf, topUp } from './voice.kit.ts';

let kit: ServiceKit;
let twilio: Awaited<ReturnType<typeof startTwilioVoiceSimulator>>;
let vonage: ControlledVoiceSimulator;
const configs: Record<string, string> = {};
let template: string;

beforeAll(async () => {
  const chance = { clock: () => new Date(), random: Math.random, isSending: true };
  twilio = await startTwilioVoiceSimulator(chance);
  vonage = await startVonageVoiceSimulator({ ...chance, isLate: true });
  kit = await startVoice({ 'twilio-voice': twilio.url, 'vonage-voice': vonage.url });
  await topUp(kit, '1000');
  for (const [provider, settings] of [
    ['twilio-voice', sandboxSettings],
    ['vonage-voice', vonage.settings],
  ] as const) {
    const body = { provider, name: provider, settings, from_number: fromNumber };
    configs[provider] = (await kit.ask('POST /voice/api/provider-configs/', { body })).body.id;
  }
  await kit.ask('POST /voice/api/rate-cards/', {
    body: { prefix: '+', currency: 'USD', per_minute: '0.5' },
  });
  template = await templateOf(kit, flow);
});
afterAll(async () => {
  await kit.stop();
  await twilio.stop();
  await vonage.stop();
});

/** A call that stays on the line, with the requests that its provider sent. */
async function callThrough(provider: string, to: string) {
  const body = { to, provider_config: configs[provider], template_id: template };
  const { body: call } = await kit.ask('POST /voice/api/calls/', { body });
  const { control } = provider === 'twilio-voice' ? twilio : vonage;
  const sent = (part: string): OutgoingWebhook => {
    const all = control.sent();
    const found = all.find(({ url }) => url.includes(call.id) && url.includes(part));
    if (found === undefined) throw new Error(`nothing was sent to ${part} yet`);
    return found;
  };
  return { id: call.id as string, sent };
}

async function repeat({ url, headers, body }: OutgoingWebhook) {
  const response = await fetch(url, { method: 'POST', headers, body });
  return { status: response.status, text: await response.text() };
}

const statusOf = async (id: string) =>
  (await kit.ask(`GET /voice/api/calls/${id}/`)).body.status as string;

test('only signed call-backs are accepted, and in a flow only at our own addresses', async () => {
  const { id, sent } = await callThrough('twilio-voice', '+60312310006');
  await eventually(async () => expect(await statusOf(id)).toBe('in_progress'));
  const received = await eventually(() => sent('/status/'));
  const forged = { ...received, body: received.body.replace('initiated', 'completed') };
  expect((await repeat(forged)).status).toBe(401);
  expect((await repeat({ ...received, headers: {} })).status).toBe(401);
  const asked = await eventually(() => sent('/answered'));
  expect((await repeat({ ...asked, url: asked.url.replace(/token=./, 'token=x') })).status).toBe(
    401,
  );
  const other = { ...received, url: received.url.replace(/vpc_\w+/, `vpc_${'0'.repeat(26)}`) };
  expect((await repeat(other)).status).toBe(404);
  expect(await statusOf(id)).toBe('in_progress');
  await kit.ask(`POST /voice/api/calls/${id}/hangup/`);
  await callEnd(kit, id);
});

test('an address of the flow must be ours, even if the provider signed the request', async () => {
  const { id, sent } = await callThrough('twilio-voice', '+60312310006');
  const { url } = await eventually(() => sent('/answered'));
  const ask = async (address: string) => {
    const signature = createHmac('sha1', sandboxSettings.auth_token).update(address);
    const headers = { 'x-twilio-signature': signature.digest('base64') };
    return (await repeat({ method: 'POST', url: address, headers, body: '' })).status;
  };
  const { origin, pathname } = new URL(url);
  const bare = origin + pathname;
  const token = new URL(url).searchParams.get('token');
  expect(await ask(url)).not.toBe(401);
  for (const wrong of [
    bare,
    `${bare}?token=`,
    `${bare}?token=${'0'.repeat(32)}`,
    `${bare.replace('/0/start/', '/1/start/')}?token=${token}`,
    `${bare.replace('/start/', '/menu/')}?token=${token}`,
    `${bare.replace('/answered', '/leg')}?token=${token}`,
    `${bare.replace(id, `call_${'0'.repeat(26)}`)}?token=${token}`,
  ]) {
    expect(await ask(wrong), wrong).toBe(401);
  }
  await kit.ask(`POST /voice/api/calls/${id}/hangup/`);
  await callEnd(kit, id);
});

test('a repeated question gets the same document, until the call is over', async () => {
  const { id, sent } = await callThrough('twilio-voice', '+60312310006');
  const last = await eventually(() => sent('/dialed'));
  await eventually(async () => expect(await statusOf(id)).toBe('in_progress'));
  const answer = await eventually(async () => {
    const found = await repeat(last);
    expect(found.status).toBe(200);
    return found;
  });
  expect(answer.text).toContain('Goodbye');
  expect(await repeat(last)).toEqual(answer);
  expect((await repeat(sent('/answered'))).status).toBe(404); // the flow has gone on
  await kit.ask(`POST /voice/api/calls/${id}/hangup/`);
  const over = await callEnd(kit, id);
  expect((await repeat(last)).status).toBe(404);
  expect((await repeat(await eventually(() => sent('/status/')))).status).toBe(204);
  expect((await kit.ask(`GET /voice/api/calls/${id}/`)).body).toEqual(over);
});

test('a call-back repeated with its token changes nothing, and at another address is refused', async () => {
  const { id, sent } = await callThrough('vonage-voice', '+60312310006');
  const asked = await eventually(() => sent('/gathered'));
  const answer = await eventually(async () => {
    const found = await repeat(asked);
    expect(found.status).toBe(200);
    return found;
  });
  expect(await repeat(asked)).toEqual(answer);
  await kit.ask(`POST /voice/api/calls/${id}/hangup/`);
  const over = await callEnd(kit, id);
  const told = await eventually(() => sent('/status/'));
  expect((await repeat(told)).status).toBe(204);
  expect((await kit.ask(`GET /voice/api/calls/${id}/`)).body).toEqual(over);
  const elsewhere = { ...told, url: told.url.replace('/status/', '/recording/') };
  const refused = await repeat(elsewhere);
  expect([refused.status, JSON.parse(refused.text).code]).toEqual([401, 'callback_refused']);
});

test('the end of a leg may be reported after the flow asks for it', async () => {
  vonage.control.expect('60312345670', [
    { keys: '1', isHasty: false, leg: 'answers', seconds: 1, hangsUp: false },
    { keys: '', isHasty: false, leg: 'is-busy', seconds: 1, hangsUp: false },
  ]);
  const { id } = await callThrough('vonage-voice', '+60312345670');
  await callEnd(kit, id);
  const { body } = await kit.ask(`GET /voice/api/call-events/?call_id=${id}&kind=transfer`);
  expect(body.results[0].data).toMatchObject({ node: 'sales', result: 'busy', leg: 2 });
});

test('a body that is too large, or missing, does no harm', async () => {
  const path = `/voice/api/callbacks/${configs['twilio-voice']}/calls/call_${'0'.repeat(26)}/status/`;
  expect((await kit.send(path, 'a'.repeat(1_100_000))).status).toBe(413);
  expect((await kit.send(path, '')).status).toBe(401);
  expect((await kit.send(path.replace('status', 'other'), '')).status).toBe(404);
});
