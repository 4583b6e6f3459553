import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../../platform/log/log.ts';
import { openObjects } from '../../../platform/objects/open-objects.ts';
import { type ServiceKit, startService } from '../../service.kit.ts';
import {
  asOwner,
  callEnd,
  flow,
  prepare,
  recordedCall,
  say,
  templateOf,
  type VoiceSetup,
} from '../voice.kit.ts';
import { fetchRecording, sweepRecordings } from './fetch.ts';

let kit: ServiceKit;
let stage: VoiceSetup;
beforeAll(async () => {
  kit = await startService();
  stage = await prepare(kit);
});
afterAll(() => kit.stop());

const message = {
  ...flow,
  start: 'ask',
  nodes: {
    ask: { ...say('Leave a message', 'take'), announces_recording: true },
    take: { type: 'record', next: 'bye' },
    bye: say('Goodbye'),
  },
};
const download = async (id: string, more: object = {}, tenantId = kit.tenantId) => {
  const headers = { authorization: `Bearer ${await kit.keyOf('owner', tenantId)}`, ...more };
  return fetch(`${kit.url}/voice/api/recordings/${id}/download/`, { headers });
};

describe.each(['twilio-voice', 'plivo-voice', 'vonage-voice', 'asterisk'])(
  'through %s',
  (provider) => {
    test('a whole call is recorded, fetched once, hashed, and can be downloaded', async () => {
      const { callId, recordingId } = await recordedCall(kit, stage, provider, '+60312345678');
      const call = await callEnd(kit, callId);
      expect(call.recordings).toHaveLength(1);
      const [recording] = call.recordings;
      expect(recording).toMatchObject({ id: recordingId, state: 'stored', error: null });
      const response = await download(recordingId);
      expect(response.status).toBe(200);
      // The simulators record WAV, whatever type the real provider would use.
      expect(response.headers.get('content-type')).toBe('audio/wav');
      expect(response.headers.get('content-disposition')).toBe(
        `attachment; filename="${recordingId}.wav"`,
      );
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(bytes.length).toBe(recording.bytes);
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(recording.sha256);
      const { rows } = await asOwner(
        kit,
        `select source_url from voice_recording where id = '${recordingId}'`,
      );
      expect(rows).toEqual([{ source_url: null }]);
    });

    test('a part is downloaded by its range, and a cached file is not sent again', async () => {
      const { recordingId } = await recordedCall(kit, stage, provider, '+60312345678');
      const whole = await download(recordingId);
      const bytes = Buffer.from(await whole.arrayBuffer());
      const etag = whole.headers.get('etag')!;
      expect(etag).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`);
      const part = await download(recordingId, { range: 'bytes=100-199' });
      const range = part.headers.get('content-range');
      expect([part.status, range]).toEqual([206, `bytes 100-199/${bytes.length}`]);
      expect(part.headers.get('content-length')).toBe('100');
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(100, 200))).toBe(true);
      const known = await download(recordingId, { 'if-none-match': etag });
      expect([known.status, await known.text()]).toEqual([304, '']);
      const beyond = await download(recordingId, { range: `bytes=${bytes.length}-` });
      expect(beyond.status).toBe(416);
      expect(beyond.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
      const stranger = await download(recordingId, { 'if-none-match': '*' }, kit.strangerId);
      expect(stranger.status).toBe(404);
    });

    test('a message that a flow asks for is stored, after its announcement', async () => {
      const template_id = await templateOf(kit, message);
      const { status, body } = await stage.call(provider, '+60312340000', { template_id });
      expect(status, JSON.stringify(body)).toBe(201);
      await callEnd(kit, body.id);
      await expect
        .poll(
          async () => {
            const query = `call_id=${body.id}&state=stored`;
            return (await kit.ask(`GET /voice/api/recordings/?${query}`)).body.results.length;
          },
          { timeout: 30_000 },
        )
        .toBe(1);
      const events = await kit.ask(`GET /voice/api/call-events/?call_id=${body.id}&kind=recording`);
      expect(events.body.results).toHaveLength(1);
    });
  },
);

describe('consent', () => {
  const record = async (to: string, more: object = {}) => {
    const { status, body } = await stage.call('twilio-voice', to, { record: true, ...more });
    return status === 201 ? 201 : body.code;
  };
  const log = (phone: string, state: string) =>
    kit.ask('POST /voice/api/recording-consents/', {
      body: { phone, state, method: 'verbal', evidence: 'call of Monday, 00:12' },
    });

  test('a call is recorded with consent, and not without it or after it is withdrawn', async () => {
    const to = '+60312310001';
    expect(await record(to)).toBe('no_recording_consent');
    expect((await log(to, 'granted')).status).toBe(201);
    expect(await record(to)).toBe(201);
    await log(to, 'revoked');
    expect(await record(to)).toBe('no_recording_consent');
    const { body } = await kit.ask(`GET /voice/api/recording-consents/?phone=%2B60312310001`);
    expect(body.results.map((each: { state: string }) => each.state)).toEqual([
      'revoked',
      'granted',
    ]);
    expect(body.results[0]).toMatchObject({ evidence: 'call of Monday, 00:12', call_id: null });
  });

  test('the latest answer counts, even if it was logged first', async () => {
    const to = '+60312310005';
    const said = (state: string, given_at: string) =>
      kit.ask('POST /voice/api/recording-consents/', {
        body: { phone: to, state, given_at, method: 'written', evidence: 'form 7' },
      });
    await said('revoked', '2026-03-02T00:00:00Z');
    await said('granted', '2026-03-01T00:00:00Z');
    expect(await record(to)).toBe('no_recording_consent');
    await said('granted', '2026-03-03T00:00:00Z');
    expect(await record(to)).toBe(201);
  });

  test('a flow that records needs an announcement on every path, or consent', async () => {
    const take = { ...message, start: 'take', nodes: { take: { type: 'record' } } };
    const template_id = await templateOf(kit, take);
    const call = (to: string) => stage.call('twilio-voice', to, { template_id });
    expect((await call('+60312310002')).body.code).toBe('no_recording_consent');
    await log('+60312310002', 'granted');
    expect((await call('+60312310002')).status).toBe(201);
  });

  test('`free` needs no consent; `consented` accepts no announcement instead', async () => {
    const path = `/voice/api/provider-configs/${stage.configs['plivo-voice']}/`;
    const set = (recording_policy: string) =>
      kit.ask(`PATCH ${path}`, { body: { recording_policy } });
    const template_id = await templateOf(kit, message);
    const call = (more: object) => stage.call('plivo-voice', '+60312310004', more);
    await set('consented');
    expect((await call({ template_id })).body.code).toBe('no_recording_consent');
    await set('free');
    expect((await call({ template_id, record: true })).status).toBe(201);
    await set('announced');
  });

  test('a logged consent cannot be changed, be in the future or for another’s call', async () => {
    for (const sql of [
      "update voice_recording_consent set state = 'granted'",
      'delete from voice_recording_consent',
    ]) {
      await expect(asOwner(kit, sql)).rejects.toThrow('never changed');
    }
    const body = { phone: '+60312345678', method: 'other', evidence: 'x' };
    const ahead = { ...body, given_at: '2999-01-01T00:00:00Z' };
    const path = 'POST /voice/api/recording-consents/';
    expect((await kit.ask(path, { body: ahead })).body.errors).toHaveProperty('given_at');
    const call_id = `call_${'0'.repeat(26)}`;
    expect((await kit.ask(path, { body: { ...body, call_id } })).status).toBe(404);
    expect((await kit.ask(path, { body: { ...body, evidence: ' ' } })).status).toBe(400);
  });
});

test('recordings are found by the number that was called and by their time', async () => {
  const { recordingId } = await recordedCall(kit, stage, 'twilio-voice', '+60312349901');
  const { created_at } = (await kit.ask(`GET /voice/api/recordings/${recordingId}/`)).body;
  const after = new Date(Date.parse(created_at) + 1).toISOString();
  const found = async (query: string) =>
    (await kit.ask(`GET /voice/api/recordings/?${query}`)).body.results.map(
      ({ id, to }: { id: string; to: string }) => [id, to],
    );
  const itself = [[recordingId, '+60312349901']];
  const to = 'to=%2B60312349901';
  expect(await found(to)).toEqual(itself);
  expect(await found(`${to}&since=${created_at}&until=${after}`)).toEqual(itself);
  expect(await found(`${to}&since=${after}`)).toEqual([]);
  expect(await found(`${to}&until=${created_at}`)).toEqual([]);
});

describe('deleting one', () => {
  const path = (id: string) => `DELETE /voice/api/recordings/${id}/`;

  test('takes its file and its text, is in the audit log, and happens once', async () => {
    const { callId, recordingId: id } = await recordedCall(
      kit,
      stage,
      'plivo-voice',
      '+60312349902',
    );
    const text = `GET /voice/api/recordings/${id}/transcription/`;
    await expect.poll(async () => (await kit.ask(text)).body.text).toContain('bakery');
    const stranger = await kit.keyOf('owner', kit.strangerId);
    expect((await kit.ask(text, { as: stranger })).status).toBe(404);
    expect((await kit.ask(path(id), { as: stranger })).status).toBe(404);
    expect((await kit.ask(path(id), { as: await kit.keyOf('agent') })).status).toBe(403);
    const key = `voice/${kit.tenantId}/sandbox/${id}`;
    const objects = openObjects({ home: kit.home });
    const kept = await objects.get(key);
    kept?.stream.destroy();
    expect(kept).toBeDefined();

    expect((await kit.ask(path(id))).status).toBe(204);
    expect(await objects.get(key)).toBeUndefined();
    expect((await download(id)).status).toBe(409);
    expect((await kit.ask(text)).body).toEqual({ status: 'not_configured' });
    const { recordings, transcription } = (await kit.ask(`GET /voice/api/calls/${callId}/`)).body;
    expect([recordings[0].state, transcription.status]).toEqual(['deleted', 'not_configured']);
    const again = await kit.ask(path(id));
    expect([again.status, again.body.code]).toEqual([404, 'recording_not_found']);
    const { rows } = await asOwner(
      kit,
      `select before, after from audit_event
       where action = 'deleteRecording' and subject = '${id}' and outcome = 'done'`,
    );
    expect(rows).toEqual([
      {
        before: { state: 'stored', transcription_status: 'completed' },
        after: { state: 'deleted', transcription_status: 'not_configured' },
      },
    ]);
  });

  test.each(['before', 'while'])(
    'leaves no file behind when it is done %s the file is fetched',
    async (moment) => {
      const to = `+6031234991${moment.length}`;
      const { recordingId: id } = await recordedCall(kit, stage, 'twilio-voice', to);
      const key = `voice/${kit.tenantId}/sandbox/${id}`;
      const { db, clock, secrets } = kit.app.platform;
      const objects = openObjects({ home: kit.home });
      const url = 'https://api.example/recordings/1';
      await asOwner(
        kit,
        `update voice_recording set state = 'fetching', object_key = null, source_url = '${url}'
         where id = '${id}'`,
      );
      const removal = async () => expect((await kit.ask(path(id))).status).toBe(204);
      const sound = Buffer.from('RIFF');
      const context = {
        db,
        clock,
        secrets,
        objects,
        jobs: { complete: async () => {} },
        transit: kit.home,
        endpointOf: () => undefined,
        publicUrl: () => kit.url,
        wire: {
          fetchTo: async (place: string) => {
            await writeFile(place, sound);
            await removal();
            const sha256 = createHash('sha256').update(sound).digest('hex');
            return { kind: 'fetched', bytes: sound.length, sha256, mediaType: 'audio/wav' };
          },
        },
      };
      if (moment === 'before') await removal();
      const payload = { environment: 'sandbox', attempts: 0 };
      const job = { tenantId: kit.tenantId, key: id, claimId: 'claim', payload };
      await fetchRecording(context as never, job as never);
      expect(await objects.get(key)).toBeUndefined();
      expect((await kit.ask(`GET /voice/api/recordings/${id}/`)).body.state).toBe('deleted');
    },
  );
});

test('an expired recording is deleted even if another fails, and its row says so', async () => {
  const { recordingId: stuck } = await recordedCall(kit, stage, 'twilio-voice', '+60312345679');
  const { recordingId } = await recordedCall(kit, stage, 'twilio-voice', '+60312345678');
  const { db, clock } = kit.app.platform;
  const objects = openObjects({ home: kit.home });
  const log = createLog({ level: 'silent' });
  const context = { db, clock, objects, log };
  await sweepRecordings(context);
  expect((await download(recordingId)).status).toBe(200);
  const later = () => new Date(clock().getTime() + 91 * 86_400_000);
  const remove = (key: string) =>
    key.endsWith(stuck) ? Promise.reject(new Error('503')) : objects.remove(key);
  const half = { ...context, clock: later, objects: { ...objects, remove } };
  expect(await sweepRecordings(half)).toBeGreaterThan(0);
  expect((await kit.ask(`GET /voice/api/recordings/${stuck}/`)).body.state).toBe('stored');
  const response = await download(recordingId);
  const { code } = (await response.json()) as { code: string };
  expect([response.status, code]).toEqual([409, 'recording_not_stored']);
  const { body } = await kit.ask(`GET /voice/api/recordings/${recordingId}/`);
  expect(body).toMatchObject({ state: 'deleted', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
});
