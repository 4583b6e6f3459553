import twilio from 'twilio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seeded } from '../../../test/kit/clock.ts';
import type { ControlledVoiceSimulator } from '../simulation/voice/simulator.ts';
import { startCustomer, type VoiceCustomer } from '../voice-customer.fixture.ts';
import { sandboxSettings, startTwilioVoiceSimulator } from './simulator.ts';

const { account_sid, auth_token, intelligence_service_sid } = sandboxSettings;
const from = '+60399990000';

describe('the vendor’s SDK', () => {
  let simulator: ControlledVoiceSimulator;
  let customer: VoiceCustomer;
  let client: ReturnType<typeof clientOf>;
  beforeAll(async () => {
    simulator = await startTwilioVoiceSimulator({ clock: () => new Date(), random: seeded(7) });
    const response = new twilio.twiml.VoiceResponse();
    response.say('Hello');
    customer = await startCustomer(String(response));
    client = clientOf(auth_token);
  });
  afterAll(async () => {
    await simulator.stop();
    await customer.running.stop();
  });
  function clientOf(token: string) {
    const httpClient = new twilio.RequestClient({ timeout: 5_000 });
    const request = httpClient.request.bind(httpClient);
    httpClient.request = ({ uri, ...options }) =>
      request({ ...options, uri: uri.replace(/^https:\/\/\w+\.twilio\.com/, simulator.url) });
    return twilio(account_sid, token, { httpClient });
  }
  const create = (to: string, id: string, by = client) => {
    const { url } = customer.running;
    return by.calls.create({
      to,
      from,
      url: `${url}/flow/${id}/0/start/answered?token=t`,
      statusCallback: `${url}/calls/${id}/status/`,
      statusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
      record: true,
      recordingStatusCallback: `${url}/calls/${id}/recording/`,
    });
  };
  const heardOf = (id: string) => customer.heard.filter(({ url }) => url.includes(`/${id}/`));
  const formOf = (body: Uint8Array) =>
    Object.fromEntries(new URLSearchParams(Buffer.from(body).toString()));

  test('places a call, plays the document of its builder, and reads call and recording', async () => {
    const to = '+60312345601';
    const placed = await create(to, 'c1');
    expect(placed).toMatchObject({ status: 'queued', to, from });
    await simulator.control.play();
    expect(simulator.control.calls()[0]!.effects[0]).toMatchObject({ kind: 'say', text: 'Hello' });
    const ended = await client.calls(placed.sid).fetch();
    expect(ended).toMatchObject({ sid: placed.sid, status: 'completed', duration: '2' });
    const listed = await client.calls.list({ to, limit: 5 });
    expect(listed.map(({ sid }) => sid)).toEqual([placed.sid]);
    const told = heardOf('c1').find(({ url }) => url.includes('/recording/'))!;
    const { RecordingSid = '', RecordingUrl = '' } = formOf(told.body);
    const recording = await client.recordings(RecordingSid).fetch();
    expect(recording).toMatchObject({ callSid: placed.sid, status: 'completed', duration: '2' });
    const credentials = Buffer.from(`${account_sid}:${auth_token}`).toString('base64');
    const media = await fetch(RecordingUrl, { headers: { authorization: `Basic ${credentials}` } });
    expect(media.headers.get('content-type')).toBe('audio/x-wav');
  });

  test('has a recording transcribed, finds that by its source, and reads the sentences', async () => {
    const told = heardOf('c1').find(({ url }) => url.includes('/recording/'))!;
    const { RecordingSid = '' } = formOf(told.body);
    const { transcripts } = client.intelligence.v2;
    const channel = { media_properties: { source_sid: RecordingSid } };
    const made = await transcripts.create({ serviceSid: intelligence_service_sid, channel });
    const find = () => transcripts.list({ sourceSid: RecordingSid, limit: 1 });
    expect((await find())[0]).toMatchObject({ sid: made.sid, status: 'queued' });
    expect((await find())[0]).toMatchObject({ sid: made.sid, status: 'completed' });
    const sentences = await transcripts(made.sid).sentences.list({ limit: 10 });
    expect(sentences.map(({ transcript }) => transcript)[0]).toBe('Hello, I have your parcel.');
  });

  test('accepts the signatures of all call-backs, and refuses changed ones', () => {
    const heard = heardOf('c1');
    expect(heard.length).toBeGreaterThanOrEqual(6);
    for (const { url, headers, body } of heard) {
      const takes = (token: string, form: Record<string, string>) =>
        twilio.validateRequest(token, headers['x-twilio-signature'] ?? '', url, form);
      expect(takes(auth_token, formOf(body))).toBe(true);
      expect(takes('not-the-token', formOf(body))).toBe(false);
      expect(takes(auth_token, { ...formOf(body), CallStatus: 'busy' })).toBe(false);
    }
  });

  test('ends a call', async () => {
    const { sid } = await create('+60312310006', 'c2');
    const playing = simulator.control.play();
    await expect.poll(async () => (await client.calls(sid).fetch()).status).toBe('in-progress');
    await client.calls(sid).update({ status: 'completed' });
    await playing;
    expect((await client.calls(sid).fetch()).status).toBe('completed');
  });

  test('a number that is none, and a wrong token, are errors with Twilio’s codes', async () => {
    await expect(create('+60312310400', 'c3')).rejects.toMatchObject({ status: 400, code: 21211 });
    const wrong = create('+60312345602', 'c4', clientOf('not-the-token'));
    await expect(wrong).rejects.toMatchObject({ status: 401, code: 20003 });
  });
});
