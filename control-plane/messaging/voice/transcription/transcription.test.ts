import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../../test/kit/eventually.ts';
import { sandboxSettings as plivo } from '../../../channels/plivo-voice/simulator.ts';
import { type ServiceKit, startService } from '../../service.kit.ts';
import { sweepRecordings } from '../recordings/fetch.ts';
import {
  asOwner,
  fromNumber,
  prepare,
  recordedCall,
  say,
  templateOf,
  type VoiceSetup,
} from '../voice.kit.ts';

let kit: ServiceKit;
let stage: VoiceSetup;
let plain: VoiceSetup;
let speech: Server;
/** What the host's own transcriber answers next; when there is none left it transcribes. */
const answers: { status: number; body: string }[] = [];
const asked: { key: string | undefined; model: unknown; name: string; bytes: number }[] = [];

beforeAll(async () => {
  speech = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = await new Response(Buffer.concat(chunks), {
      headers: { 'content-type': request.headers['content-type']! },
    }).formData();
    const file = form.get('file') as File;
    const { authorization: key } = request.headers;
    asked.push({ key, model: form.get('model'), name: file.name, bytes: file.size });
    const { status, body } = answers.shift() ?? {
      status: 200,
      body: JSON.stringify({ text: 'Please call me back.', language: 'en' }),
    };
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(speech, 'listening');
  kit = await startService({
    TRANSCRIBER_URL: `http://127.0.0.1:${(speech.address() as AddressInfo).port}/v1/audio/transcriptions`,
    TRANSCRIBER_KEY: 'speech-key',
    TRANSCRIBER_MODEL: 'small',
  });
  stage = await prepare(kit);
  // Another account of Plivo, without a transcription of its own.
  const { transcription: _, ...settings } = plivo;
  const body = { provider: 'plivo-voice', name: 'plain', from_number: fromNumber, settings };
  const made = await kit.ask('POST /voice/api/provider-configs/', { body });
  plain = {
    ...stage,
    call: (_, to, more) =>
      stage.call('plivo-voice', to, { provider_config: made.body.id, ...more }),
  };
});
afterAll(async () => {
  await kit.stop();
  speech.close();
});

const transcriptionOf = async (callId: string) =>
  (await kit.ask(`GET /voice/api/calls/${callId}/`)).body.transcription;

function settled(callId: string) {
  return eventually(async () => {
    const shown = await transcriptionOf(callId);
    expect(['completed', 'failed']).toContain(shown.status);
    return shown;
  });
}

test('a provider’s own transcription is ordered once, and its sentences are the text', async () => {
  const { callId } = await recordedCall(kit, stage, 'twilio-voice', '+60312345678');
  expect(await settled(callId)).toEqual({
    status: 'completed',
    text: 'Hello, I have your parcel. I will leave it at the door.',
    language: 'en-US',
  });
  expect(asked).toEqual([]);
});

test.each([
  ['plivo-voice', 'This is the bakery, the cake is ready.'],
  ['vonage-voice', 'My order has not come. It comes tomorrow. Thank you.'],
])(
  '%s is asked for the text with the recording, and tells it by a call-back',
  async (provider, text) => {
    const { callId } = await recordedCall(kit, stage, provider, '+60312345678');
    expect(await settled(callId)).toEqual({ status: 'completed', text, language: 'en-US' });
    expect(asked).toEqual([]);
    const { rows } = await asOwner(kit, 'select 1 from voice_reported_transcription');
    expect(rows).toEqual([]);
  },
);

test('the text of a message that a flow records is told too', async () => {
  const record = { type: 'record', max_seconds: 30, next: 'bye' };
  const flow = {
    version: 1,
    language: 'en-US',
    start: 'ask',
    nodes: { ask: record, bye: say('Bye') },
  };
  const template_id = await templateOf(kit, flow);
  const made = await stage.call('plivo-voice', '+60312345678', { template_id });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  expect((await settled(made.body.id)).text).toBe('This is the bakery, the cake is ready.');
});

test('where a provider has none, the host’s own service gets the file as it is', async () => {
  const { callId } = await recordedCall(kit, plain, 'plivo-voice', '+60312345678');
  expect(await settled(callId)).toEqual({
    status: 'completed',
    text: 'Please call me back.',
    language: 'en',
  });
  const { recordings } = (await kit.ask(`GET /voice/api/calls/${callId}/`)).body;
  expect(asked).toEqual([
    { key: 'Bearer speech-key', model: 'small', name: 'recording.wav', bytes: recordings[0].bytes },
  ]);
});

test('a service that is busy is asked again', async () => {
  answers.push({ status: 503, body: '{}' });
  const { callId } = await recordedCall(kit, plain, 'plivo-voice', '+60312345678');
  expect((await settled(callId)).status).toBe('completed');
});

test.each([
  ['a refusal', { status: 400, body: '{"error":{"message":"secret words"}}' }],
  ['no JSON', { status: 200, body: '<html>secret words</html>' }],
  ['no text', { status: 200, body: '{"text":{"secret words":1}}' }],
])('%s is a failure that says so and shows nothing of the answer', async (_, answer) => {
  answers.push(answer);
  const { callId } = await recordedCall(kit, plain, 'plivo-voice', '+60312345678');
  const shown = await settled(callId);
  expect(shown.status).toBe('failed');
  expect(shown.reason).toMatch(/^the transcriber answered/);
});

test('a text with what the database cannot store is kept without it', async () => {
  answers.push({ status: 200, body: '{"text":"one\\u0000two\\ud800","language":"e\\u0000n"}' });
  const { callId } = await recordedCall(kit, plain, 'plivo-voice', '+60312345678');
  expect(await settled(callId)).toMatchObject({
    status: 'completed',
    text: 'one\ufffdtwo\ufffd',
    language: 'e\ufffdn',
  });
});

test('the text goes with its recording', async () => {
  const { callId, recordingId } = await recordedCall(kit, plain, 'plivo-voice', '+60312345678');
  await settled(callId);
  await asOwner(
    kit,
    `update voice_recording set delete_after = now() - interval '1 day' where id = '${recordingId}'`,
  );
  const { db, objects, clock, log } = kit.app.platform;
  await sweepRecordings({ db, objects, clock, log });
  expect(await transcriptionOf(callId)).toEqual({ status: 'not_configured' });
});

test.each([
  [
    'plivo-voice',
    { ...plivo, transcription: 'ms' },
    'settings.transcription: is auto: Plivo transcribes English alone; other languages need TRANSCRIBER_URL',
  ],
  [
    'asterisk',
    { transcription: 'auto' },
    /transcribes nothing: TRANSCRIBER_URL names a service that does/,
  ],
])(
  'what %s cannot transcribe is refused, and the other way is named',
  async (provider, settings, said) => {
    const body = { provider, name: 'another', from_number: fromNumber, settings };
    const refused = await kit.ask('POST /voice/api/provider-configs/', { body });
    expect(refused.status).toBe(400);
    const { errors } = refused.body;
    const [problem] = errors['settings.transcription'];
    expect(`settings.transcription: ${problem}`).toMatch(said);
  },
);
