/** Which flow a call plays, through simulators whose calls wait until a test plays them. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../../test/kit/eventually.ts';
import {
  sandboxSettings as plivoSettings,
  startPlivoVoiceSimulator,
} from '../../../channels/plivo-voice/simulator.ts';
import { polite } from '../../../channels/simulation/voice/network.ts';
import type { ControlledVoiceSimulator } from '../../../channels/simulation/voice/simulator.ts';
import {
  startTwilioVoiceSimulator,
  sandboxSettings as twilioSettings,
} from '../../../channels/twilio-voice/simulator.ts';
import { startVonageVoiceSimulator } from '../../../channels/vonage-voice/simulator.ts';
import type { ServiceKit } from '../../service.kit.ts';
import { callEnd, fromNumber, say, startVoice, templateOf, topUp } from '../voice.kit.ts';

let kit: ServiceKit;
const simulators: Record<string, Pick<ControlledVoiceSimulator, 'url' | 'control' | 'stop'>> = {};
const configs: Record<string, string> = {};

beforeAll(async () => {
  const chance = { clock: () => new Date(), random: Math.random };
  const vonage = await startVonageVoiceSimulator(chance);
  simulators['twilio-voice'] = await startTwilioVoiceSimulator(chance);
  simulators['plivo-voice'] = await startPlivoVoiceSimulator(chance);
  simulators['vonage-voice'] = vonage;
  kit = await startVoice(
    Object.fromEntries(Object.entries(simulators).map(([id, { url }]) => [id, url])),
  );
  await topUp(kit, '1000');
  for (const [provider, settings] of [
    ['twilio-voice', twilioSettings],
    ['plivo-voice', plivoSettings],
    ['vonage-voice', vonage.settings],
  ] as const) {
    const body = { provider, name: provider, settings, from_number: fromNumber };
    configs[provider] = (await kit.ask('POST /voice/api/provider-configs/', { body })).body.id;
  }
  const rate = { prefix: '+', currency: 'USD', per_minute: '0.5' };
  await kit.ask('POST /voice/api/rate-cards/', { body: rate });
});
afterAll(async () => {
  await kit.stop();
  for (const each of Object.values(simulators)) await each.stop();
});

/** Makes a call; resolves once the provider has it. */
async function call(provider: string, to: string, template_id: string): Promise<string> {
  const body = { to, provider_config: configs[provider], template_id };
  const made = await kit.ask('POST /voice/api/calls/', { body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const isPlaced = () =>
    simulators[provider]!.control.calls().some((each) => each.to === to.slice(1));
  await eventually(() => expect(isPlaced()).toBe(true));
  return made.body.id;
}

async function change(template: string, flow: object): Promise<void> {
  const { status } = await kit.ask(`PATCH /voice/api/templates/${template}/`, { body: { flow } });
  expect(status).toBe(200);
}

test.each(['twilio-voice', 'plivo-voice', 'vonage-voice'])(
  'a call through %s plays the flow it was made with, whatever becomes of its template',
  async (provider) => {
    const dialling = (...to: string[]) => {
      return { version: 1, start: 'sales', nodes: { sales: { type: 'dial', to } } };
    };
    const [former, present, latest] = ['+60387650001', '+60387650002', '+60387650003'] as const;
    const template = await templateOf(kit, dialling(former));
    const first = await call(provider, '+60312345001', template);
    await change(template, dialling(present));
    const second = await call(provider, '+60312345002', template);
    await change(template, dialling(latest));
    expect((await kit.ask(`DELETE /voice/api/templates/${template}/`)).status).toBe(204);
    await simulators[provider]!.control.play();
    const dialled = async (id: string) => (await callEnd(kit, id)).legs[1].to;
    expect([await dialled(first), await dialled(second)]).toEqual([former, present]);
  },
);

test('a caller who is at a question hears the flow with which the call began', async () => {
  const { control } = simulators['twilio-voice']!;
  const question = (next: string) => {
    const prompt = [{ type: 'say', text: 'Press a key' }];
    return { type: 'gather', prompt, max_digits: 1, next };
  };
  const ending = (text: string) => {
    const nodes = { first: question('second'), second: question('bye'), bye: say(text) };
    return { version: 1, start: 'first', nodes };
  };
  const template = await templateOf(kit, ending('Goodbye'));
  // Answers the first question and stays at the second one.
  control.expect('60312310006', [polite]);
  const id = await call('twilio-voice', '+60312310006', template);
  const playing = control.play();
  const answered = await eventually(() => {
    const found = control.sent().find(({ url }) => url.includes(id) && url.includes('/gathered'));
    if (found === undefined) throw new Error('the first question is not answered yet');
    return found;
  });
  const { url, headers, body } = answered;
  const shown = await eventually(async () => {
    const response = await fetch(url, { method: 'POST', headers, body });
    expect(response.status).toBe(200);
    return response.text();
  });
  await change(template, ending('See you'));
  const [, address] = /action="([^"]+)"/.exec(shown)!;
  expect(await answer(address!.replaceAll('&amp;', '&'))).toContain('Goodbye');
  await kit.ask(`POST /voice/api/calls/${id}/hangup/`);
  await callEnd(kit, id);
  await playing;
});

/** The document that Twilio is given for a key pressed at this address. */
async function answer(address: string): Promise<string> {
  const fields = { Digits: '1' };
  const signed = `${address}Digits1`;
  const signature = createHmac('sha1', twilioSettings.auth_token).update(signed).digest('base64');
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'x-twilio-signature': signature },
    body: new URLSearchParams(fields),
  });
  expect(response.status).toBe(200);
  return response.text();
}
