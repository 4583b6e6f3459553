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
  pageSize: 20,
  document: '<Response><Speak>Hello</Speak></Response>',
});

const request = (fields: Record<string, string>) => ({
  method: 'POST' as const,
  url: 'https://api.example.test/calls/call_1/status/',
  headers: {},
  body: Buffer.from(new URLSearchParams(fields).toString()),
});

const hungUp = { DialAction: 'hangup', DialBLegUUID: 'b' };

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
      { DialAction: 'answer', DialBLegUUID: 'b', DialBLegTo: '60312345678' },
      { kind: 'leg', legId: 'b', status: 'in_progress', to: '+60312345678' },
    ],
    [
      { ...hungUp, DialBLegDuration: '61', DialBLegBillDuration: '120' },
      { kind: 'leg', status: 'completed', durationSeconds: 61 },
    ],
    [
      { ...hungUp, DialBLegDuration: '0', DialBLegHangupCause: 'NO_ANSWER' },
      { kind: 'leg', status: 'no_answer', durationSeconds: 0, cause: 'NO_ANSWER' },
    ],
    [{ ...hungUp, DialBLegHangupCause: 'USER_BUSY' }, { status: 'busy' }],
    [{ ...hungUp, DialBLegHangupCause: 'A_CAUSE_OF_TOMORROW' }, { status: 'failed' }],
    [
      { RecordingID: 'r', RecordUrl: 'https://media.plivo.com/r.mp3', RecordingDuration: '-1' },
      { kind: 'recording', recordingId: 'r' },
    ],
    [
      { recording_id: 'r', transcription: 'Hello.', call_uuid: 'c', duration: '7' },
      { kind: 'transcription', recordingId: 'r', told: { kind: 'text', value: 'Hello.' } },
    ],
    [
      { recording_id: 'r', transcription: '', error: 'Recording file size too large' },
      { recordingId: 'r', told: { kind: 'failed', value: 'Recording file size too large' } },
    ],
  ])('%o is %o', (fields, event) => {
    const reading = plivoVoice.events(request({ CallUUID: 'c', ...fields }));
    expect(reading).toMatchObject({ kind: 'events', events: [event] });
  });

  test.each([
    [{ DialAction: 'digits', DialBLegUUID: 'b', DialDigitsMatch: '1' }],
    [{ DialAction: 'hangup', DialBLegHangupCause: 'NO_ANSWER' }],
  ])('fields without a leg or its state give no event: %o', (fields) => {
    const reading = plivoVoice.events(request({ CallUUID: 'c', ...fields }));
    expect(reading).toEqual({ kind: 'events', events: [] });
  });

  test('the end of a dial names a leg that was answered, and not how long it lasted', () => {
    const leg = (DialStatus: string, DialBLegUUID: string) =>
      plivoVoice.input(request({ CallUUID: 'c', DialStatus, DialBLegUUID })).leg;
    expect(leg('completed', 'b')).toEqual({ legId: 'b', status: 'in_progress' });
    expect([leg('busy', ''), leg('busy', 'b')]).toEqual([undefined, undefined]);
  });

  test('before the call rings its request is withdrawn, and later the call is ended', () => {
    const account = {
      id: 'vpc_1',
      endpoint: 'https://api.plivo.com',
      callbackUrl: 'https://x.example/',
      settings: sandboxSettings,
    };
    const context = { now: new Date(0), nonce: 'n' };
    const url = (callId?: string) =>
      plivoVoice.hangUp({ requestId: 'req', callId }, account, context).url;
    expect(url()).toMatch(/\/Request\/req\/$/);
    expect(url('call')).toMatch(/\/Call\/call\/$/);
  });
});
