import { describe, expect, test } from 'vitest';
import { voiceSuite } from '../voice-contract.suite.ts';
import type { MarkupProvider } from '../voice-contract.ts';
import { plivoVoice } from './adapter.ts';
import { sandboxSettings, startPlivoVoiceSimulator } from './simulator.ts';

voiceSuite({
  provider: plivoVoice as MarkupProvider,
  start: startPlivoVoiceSimulator,
  settings: () => sandboxSettings,
  wrong: {
    api: { auth_token: 'another-token-of-mine' },
    signature: { auth_token: 'another-token-of-mine' },
  },
  document: '<Response><Speak>Hello</Speak></Response>',
});

const request = (fields: Record<string, string>) => ({
  method: 'POST' as const,
  url: 'https://api.example.test/calls/call_1/status/',
  headers: {},
  body: Buffer.from(new URLSearchParams(fields).toString()),
});

describe('plivo', () => {
  test.each([
    [{ CallStatus: 'timeout' }, { kind: 'report', status: 'no_answer' }],
    [
      { CallStatus: 'completed', Duration: '61', HangupCause: 'NORMAL_CLEARING' },
      { status: 'completed', durationSeconds: 61, cause: 'NORMAL_CLEARING' },
    ],
    [{ CallStatus: 'cancel' }, { status: 'canceled' }],
    [{ CallStatus: 'failed', HangupCause: 'ORIGINATOR_CANCEL' }, { status: 'canceled' }],
    [
      { DialBLegUUID: 'b', DialBLegStatus: 'answer' },
      { kind: 'leg', status: 'in_progress' },
    ],
    [
      { RecordingID: 'r', RecordUrl: 'https://media.plivo.com/r.mp3', RecordingDuration: '-1' },
      { kind: 'recording', recordingId: 'r' },
    ],
  ])('%o is %o', (fields, event) => {
    const reading = plivoVoice.events(request({ CallUUID: 'c', ...fields }));
    expect(reading).toMatchObject({ kind: 'events', events: [event] });
  });

  test('before it rings the request is taken back, and later the call ended', () => {
    const account = {
      ...{ id: 'vpc_1', endpoint: 'https://api.plivo.com', callbackUrl: 'https://x.example/' },
      settings: sandboxSettings,
    };
    const context = { now: new Date(0), nonce: 'n' };
    const url = (callId?: string) =>
      plivoVoice.hangUp({ requestId: 'req', callId }, account, context).url;
    expect(url()).toMatch(/\/Request\/req\/$/);
    expect(url('call')).toMatch(/\/Call\/call\/$/);
  });
});
