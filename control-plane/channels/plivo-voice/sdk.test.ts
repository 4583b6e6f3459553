import { createRequire } from 'node:module';
import plivo from 'plivo';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seeded } from '../../../test/kit/clock.ts';
import type { ControlledVoiceSimulator } from '../simulation/voice/simulator.ts';
import { startCustomer, type VoiceCustomer } from '../voice-customer.fixture.ts';
import { sandboxSettings, startPlivoVoiceSimulator } from './simulator.ts';

const { auth_id, auth_token } = sandboxSettings;

type Adapter = (request: { readonly url: string }) => Promise<unknown>;
/** The HTTP library of the SDK, which asks Plivo's own address for all that concerns calls. */
const http: { readonly defaults: { adapter: unknown }; getAdapter(name: string): Adapter } =
  createRequire(createRequire(import.meta.url).resolve('plivo'))('axios');

interface Calls {
  create(from: string, to: string, url: string, more: object): Promise<{ requestUuid: string }>;
  get(id: string): Promise<Readonly<Record<string, unknown>>>;
  hangup(id: string): Promise<unknown>;
}

/** The builder of its documents, which has no types. */
const Response = plivo.Response as unknown as new () => {
  addSpeak(text: string): void;
  addRecord(attributes: object): void;
  toXML(): string;
};

describe('the vendor’s SDK', () => {
  let simulator: ControlledVoiceSimulator;
  let customer: VoiceCustomer;
  const { adapter } = http.defaults;
  beforeAll(async () => {
    simulator = await startPlivoVoiceSimulator({ clock: () => new Date(), random: seeded(7) });
    const send = http.getAdapter('http');
    const here = (url: string) => url.replace('https://api.plivo.com', simulator.url);
    const redirected: Adapter = (request) => send({ ...request, url: here(request.url) });
    http.defaults.adapter = redirected;
    const response = new Response();
    const { url } = (customer = await startCustomer('')).running;
    response.addSpeak('Hello');
    response.addRecord({
      action: `${url}/flow/c1/1/a/recorded`,
      callbackUrl: `${url}/calls/c1/recording/`,
      transcriptionType: 'auto',
      transcriptionUrl: `${url}/calls/c1/transcription/`,
      redirect: false,
    });
    customer.state.document = response.toXML();
  });
  afterAll(async () => {
    http.defaults.adapter = adapter;
    await simulator.stop();
    await customer.running.stop();
  });
  const callsOf = (token: string) => new plivo.Client(auth_id, token).calls as unknown as Calls;
  const create = (to: string, id: string, token: string = auth_token) => {
    const { url } = customer.running;
    return callsOf(token).create('60399990000', to, `${url}/flow/${id}/0/start/answered?token=t`, {
      answerMethod: 'POST',
      ringUrl: `${url}/calls/${id}/status/`,
      hangupUrl: `${url}/calls/${id}/status/`,
    });
  };
  const heardOf = (id: string) => customer.heard.filter(({ url }) => url.includes(`/${id}/`));
  const formOf = (body: Uint8Array) =>
    Object.fromEntries(new URLSearchParams(Buffer.from(body).toString()));

  test('places a call, plays the document of its builder, and reads the call back', async () => {
    const { requestUuid } = await create('60312345601', 'c1');
    const call = simulator.control.calls().find(({ requestId }) => requestId === requestUuid)!;
    await simulator.control.play();
    expect(call.effects).toMatchObject([
      { kind: 'say', text: 'Hello' },
      { kind: 'record', seconds: 7 },
      { kind: 'hangup', by: 'flow' },
    ]);
    const found = await callsOf(auth_token).get(call.id);
    expect(found).toMatchObject({ callUuid: call.id, toNumber: '60312345601', billDuration: 9 });
  });

  test('is told of the recording, whose address opens, and of its text', async () => {
    const told = (what: string) =>
      formOf(heardOf('c1').find(({ url }) => url.includes(`/${what}/`))!.body);
    const { RecordingID, RecordUrl = '' } = told('recording');
    expect((await fetch(RecordUrl)).headers.get('content-type')).toBe('audio/mpeg');
    expect(told('transcription')).toMatchObject({
      recording_id: RecordingID,
      transcription: expect.stringContaining('cake'),
    });
  });

  test('accepts the signatures of all call-backs, and refuses changed ones', () => {
    const heard = heardOf('c1');
    expect(heard.length).toBeGreaterThanOrEqual(6);
    for (const { url, headers, body } of heard) {
      const takes = (token: string, more: Record<string, string>) =>
        plivo.validateV3Signature(
          'POST',
          url,
          headers['x-plivo-signature-v3-nonce'] ?? '',
          token,
          headers['x-plivo-signature-v3'] ?? '',
          { ...formOf(body), ...more },
        );
      expect(takes(auth_token, {})).toBe(true);
      expect(takes('not-the-token', {})).toBe(false);
      expect(takes(auth_token, { x: '1' })).toBe(false);
    }
  });

  test('ends a call', async () => {
    const { requestUuid } = await create('60312310006', 'c2');
    const call = simulator.control.calls().find(({ requestId }) => requestId === requestUuid)!;
    const playing = simulator.control.play();
    await expect.poll(() => call.stage).toBe('answered');
    await callsOf(auth_token).hangup(call.id);
    await playing;
    expect(call.stage).toBe('completed');
  });

  test('a number that is none, and a wrong token, are errors', async () => {
    await expect(create('60312310400', 'c3')).rejects.toThrow('not a valid phone number');
    await expect(create('60312345602', 'c4', 'not-the-token')).rejects.toThrow();
  });
});
