import { Auth } from '@vonage/auth';
import { tokenGenerate, verifySignature } from '@vonage/jwt';
import { Vonage } from '@vonage/server-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seeded } from '../../../test/kit/clock.ts';
import type { ControlledVoiceSimulator } from '../simulation/voice/simulator.ts';
import { startCustomer, type VoiceCustomer } from '../voice-customer.fixture.ts';
import { newPrivateKey, startVonageVoiceSimulator } from './simulator.ts';

describe('the vendor’s SDK', () => {
  let simulator: ControlledVoiceSimulator;
  let customer: VoiceCustomer;
  beforeAll(async () => {
    simulator = await startVonageVoiceSimulator({ clock: () => new Date(), random: seeded(7) });
    const { url } = (customer = await startCustomer('')).running;
    customer.state.document = JSON.stringify([
      {
        action: 'record',
        eventUrl: [`${url}/calls/c1/recording/`],
        transcription: { language: 'en-US', eventUrl: [`${url}/calls/c1/transcription/`] },
      },
      { action: 'talk', text: 'Hello' },
    ]);
  });
  afterAll(async () => {
    await simulator.stop();
    await customer.running.stop();
  });
  const settings = () => simulator.settings as Readonly<Record<string, string>>;
  const voiceOf = (privateKey = settings().private_key!) => {
    const auth = new Auth({ applicationId: settings().application_id!, privateKey });
    return new Vonage(auth, { apiHost: simulator.url }).voice;
  };
  const create = (number: string, id: string, voice = voiceOf()) => {
    const { url } = customer.running;
    return voice.createOutboundCall({
      to: [{ type: 'phone', number }],
      from: { type: 'phone', number: '60399990000' },
      answerUrl: [`${url}/flow/${id}/0/start/answered?token=t`],
      answerMethod: 'POST',
      eventUrl: [`${url}/calls/${id}/status/`],
      eventMethod: 'POST',
    } as Parameters<typeof voice.createOutboundCall>[0]);
  };
  const heardOf = (id: string) => customer.heard.filter(({ url }) => url.includes(`/${id}/`));
  const told = (what: string) => {
    const request = heardOf('c1').find(({ url }) => url.includes(`/${what}/`))!;
    return JSON.parse(Buffer.from(request.body).toString()) as Readonly<Record<string, string>>;
  };

  test('places a call and reads it back', async () => {
    const { uuid } = await create('60312345601', 'c1');
    await simulator.control.play();
    const ended = await voiceOf().getCall(uuid);
    expect(ended).toMatchObject({ uuid, status: 'completed', duration: '2' });
    const listed: unknown[] = [];
    for await (const call of voiceOf().getAllCalls({ pageSize: 10 })) listed.push(call.uuid);
    expect(listed).toEqual([uuid]);
  });

  test('its token opens the recording and the text, which are told by their addresses', async () => {
    const { application_id = '', private_key = '' } = settings();
    const authorization = `Bearer ${tokenGenerate(application_id, private_key)}`;
    const read = (url: string | undefined) => fetch(url!, { headers: { authorization } });
    const { recording_url, recording_uuid } = told('recording');
    expect((await read(recording_url)).headers.get('content-type')).toBe('audio/mpeg');
    const text = told('transcription');
    expect(text).toMatchObject({ recording_uuid, status: 'transcribed' });
    expect(await (await read(text.transcription_url)).json()).toMatchObject({
      channels: [{ transcript: [{ sentence: 'My order has not come.' }, {}] }, {}],
    });
    expect((await fetch(recording_url!)).status).toBe(401);
  });

  test('accepts the signatures of all call-backs, and refuses another secret', () => {
    const heard = heardOf('c1');
    expect(heard.length).toBeGreaterThanOrEqual(6);
    for (const { headers } of heard) {
      const token = (headers.authorization ?? '').replace(/^Bearer /, '');
      expect(verifySignature(token, settings().signature_secret!)).toBe(true);
      expect(verifySignature(token, 'another-secret-of-mine')).toBe(false);
    }
  });

  test('ends a call', async () => {
    const { uuid } = await create('60312310006', 'c2');
    const playing = simulator.control.play();
    await expect.poll(async () => (await voiceOf().getCall(uuid)).status).toBe('answered');
    await voiceOf().hangupCall(uuid);
    await playing;
    expect((await voiceOf().getCall(uuid)).status).toBe('completed');
  });

  test('a number that is none, and a wrong key, are errors', async () => {
    const failed = (status: number) => ({ response: { status } });
    await expect(create('60312310400', 'c3')).rejects.toMatchObject(failed(400));
    const wrong = create('60312345602', 'c4', voiceOf(newPrivateKey()));
    await expect(wrong).rejects.toMatchObject(failed(401));
  });
});
