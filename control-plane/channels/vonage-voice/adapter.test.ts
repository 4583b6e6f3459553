import { tokenGenerate } from '@vonage/jwt';
import { describe, expect, test } from 'vitest';
import type { ControlledVoiceSimulator } from '../simulation/voice/simulator.ts';
import { voiceSuite } from '../voice-contract.suite.ts';
import type { MarkupProvider } from '../voice-contract.ts';
import { vonageVoice } from './adapter.ts';
import { newPrivateKey, startVonageVoiceSimulator } from './simulator.ts';

voiceSuite({
  provider: vonageVoice as MarkupProvider,
  start: startVonageVoiceSimulator,
  settings: (simulator) => (simulator as ControlledVoiceSimulator).settings,
  wrong: {
    api: { private_key: newPrivateKey() },
    signature: { signature_secret: 'another-secret-of-mine' },
  },
  pageSize: 100,
  document: '[{"action":"talk","text":"Hello"}]',
});

const request = (body: object, url = 'https://api.example.test/calls/call_1/status/') => ({
  method: 'POST' as const,
  url,
  headers: {},
  body: Buffer.from(JSON.stringify(body)),
});

describe('vonage', () => {
  test.each([
    [{ status: 'rejected' }, { kind: 'report', status: 'no_answer' }],
    [{ status: 'unanswered' }, { status: 'no_answer' }],
    [
      { status: 'completed', duration: '61' },
      { status: 'completed', durationSeconds: 61 },
    ],
    [
      { status: 'failed', detail: 'cannot_route' },
      { status: 'failed', cause: 'cannot_route' },
    ],
    [{ status: 'human' }, { kind: 'answerer', answeredBy: 'human' }],
  ])('%o is %o', (body, event) => {
    const reading = vonageVoice.events(request({ uuid: 'u', ...body }));
    expect(reading).toMatchObject({ kind: 'events', events: [event] });
  });

  test.each([
    [{ uuid: 'u', conversation_uuid_from: 'a', conversation_uuid_to: 'b', type: 'transfer' }],
    [{ uuid: 'u', status: 'a-state-of-tomorrow' }],
    [{}],
  ])('a notice without a known state gives no event: %o', (body) => {
    expect(vonageVoice.events(request(body))).toEqual({ kind: 'events', events: [] });
  });

  test('a notice of a text without its file says that there is none', () => {
    const of = { conversation_uuid: 'CON-1', type: 'record', recording_uuid: 'r' };
    expect(vonageVoice.events(request({ ...of, status: 'failed' }))).toMatchObject({
      events: [
        {
          kind: 'transcription',
          recordingId: 'r',
          told: { kind: 'failed', value: 'Vonage says failed' },
        },
      ],
    });
    const ofCall = { ...of, uuid: 'u', status: 'answered' };
    expect(vonageVoice.events(request(ofCall))).toMatchObject({ events: [{ kind: 'report' }] });
  });

  test('at the address of a leg the same states concern the leg', () => {
    const url = 'https://api.example.test/flow/call_1/2/sales/leg?token=t';
    const events = (body: object) => vonageVoice.events(request({ uuid: 'b', ...body }, url));
    expect(events({ status: 'busy', to: '60312345678' })).toMatchObject({
      events: [{ kind: 'leg', legId: 'b', status: 'busy', to: '+60312345678' }],
    });
    const over = { status: 'completed', to: 'sip:a@b.example', duration: '61' };
    expect(events(over)).toMatchObject({
      events: [{ status: 'completed', to: 'sip:a@b.example', durationSeconds: 61 }],
    });
  });

  test('the legs are those in the conversation that the call names', () => {
    const page = (body: object) => ({ status: 200, headers: {}, body: JSON.stringify(body) });
    const of = (uuid: string, more: object = {}) => ({
      uuid,
      conversation_uuid: 'CON-1',
      status: 'completed',
      duration: '9',
      ...more,
    });
    const to = { type: 'sip', uri: 'sip:a@b.example' };
    const own = page(of('a'));
    const list = page({ _embedded: { calls: [of('a'), of('b', { to })] } });
    expect(vonageVoice.legs.read([own, list], { requestId: 'a' })).toEqual([
      { legId: 'b', status: 'completed', to: 'sip:a@b.example', durationSeconds: 9 },
    ]);
    expect(vonageVoice.legs.read([list], { requestId: 'a' })).toBeUndefined();
  });

  test('our token is the same as that of the vendor’s package', () => {
    const privateKey = newPrivateKey();
    const now = new Date('2026-11-21T08:00:00Z');
    const settings = vonageVoice.settings.parse({
      application_id: 'aaaaaaaa-bbbb-4ccc-8ddd-0000000000aa',
      private_key: privateKey,
      signature_secret: 'a-secret-that-is-long',
    });
    const account = { id: 'v', endpoint: 'https://api.nexmo.com', callbackUrl: '', settings };
    const { headers } = vonageVoice.check.request(account, { now, nonce: 'n-1' });
    const theirs = tokenGenerate(settings.application_id, privateKey, {
      issued_at: now.getTime() / 1_000,
      jti: 'n-1',
      ttl: 900,
    });
    const claimsOf = (token: string) =>
      JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
    const { application_id, iat, jti } = claimsOf(theirs);
    const exp = iat + 900; // the package uses the clock of the machine
    expect(claimsOf(headers.authorization!)).toMatchObject({ application_id, iat, exp, jti });
  });
});
