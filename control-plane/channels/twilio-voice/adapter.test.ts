import { describe, expect, test } from 'vitest';
import { voiceSuite } from '../voice-contract.suite.ts';
import type { MarkupProvider } from '../voice-contract.ts';
import { twilioVoice } from './adapter.ts';
import { sandboxSettings, startTwilioVoiceSimulator } from './simulator.ts';

voiceSuite({
  provider: twilioVoice as MarkupProvider,
  start: startTwilioVoiceSimulator,
  settings: () => sandboxSettings,
  wrong: {
    api: { auth_token: 'another-token-of-mine' },
    signature: { auth_token: 'another-token-of-mine' },
  },
  pageSize: 100,
  document: '<Response><Say>Hello</Say></Response>',
});

const request = (fields: Record<string, string>) => ({
  method: 'POST' as const,
  url: 'https://api.example.test/calls/call_1/status/',
  headers: {},
  body: Buffer.from(new URLSearchParams(fields).toString()),
});

describe('twilio', () => {
  test.each([
    [{ CallStatus: 'no-answer' }, { kind: 'report', status: 'no_answer' }],
    [
      { CallStatus: 'completed', CallDuration: '61' },
      { status: 'completed', durationSeconds: 61 },
    ],
    [{ CallStatus: 'completed', AnsweredBy: 'fax' }, { answeredBy: 'machine' }],
    [
      { CallStatus: 'in-progress', ParentCallSid: 'CA0' },
      { kind: 'leg', legId: 'CA1', status: 'in_progress' },
    ],
    [
      { CallStatus: 'completed', ParentCallSid: 'CA0', To: '+6012345678', CallDuration: '0' },
      { kind: 'leg', status: 'completed', to: '+6012345678', durationSeconds: 0 },
    ],
    [
      { RecordingSid: 'RE1', RecordingUrl: 'https://api.twilio.com/r', RecordingDuration: '9' },
      { kind: 'recording', recordingId: 'RE1', durationSeconds: 9 },
    ],
  ])('%o is %o', (fields, event) => {
    const reading = twilioVoice.events(request({ CallSid: 'CA1', ...fields }));
    expect(reading).toMatchObject({ kind: 'events', events: [event] });
  });

  test('the end of a dial names the connected leg', () => {
    const fields = { DialCallSid: 'CA2', DialCallStatus: 'completed', DialCallDuration: '61' };
    expect(twilioVoice.input(request({ CallSid: 'CA1', ...fields })).leg).toEqual({
      legId: 'CA2',
      status: 'completed',
      durationSeconds: 61,
    });
    const conference = request({ CallSid: 'CA1', DialCallStatus: 'answered' });
    expect(twilioVoice.input(conference).leg).toBeUndefined();
  });

  test('a recording that failed, or is still running, gives no event', () => {
    const fields = { CallSid: 'CA1', RecordingSid: 'RE1', RecordingUrl: 'https://a.example/r' };
    for (const RecordingStatus of ['in-progress', 'absent']) {
      const reading = twilioVoice.events(request({ ...fields, RecordingStatus }));
      expect(reading).toEqual({ kind: 'events', events: [] });
    }
  });

  test('Twilio is asked to repeat what we answer with an error, also at first', () => {
    const call = {
      id: 'call_1',
      to: '+60312345678',
      from: '+60399990000',
      ringSeconds: 30,
      limitSeconds: 600,
      machineDetection: 'off',
      answerUrl: 'https://api.example.test/a?token=t',
      statusUrl: 'https://api.example.test/s/',
      recordingUrl: 'https://api.example.test/r/',
    } as const;
    const settings = twilioVoice.settings.parse(sandboxSettings);
    const account = { id: 'vpc_1', endpoint: 'https://x.test', callbackUrl: '', settings };
    const { body } = twilioVoice.place(call, account, { now: new Date(0), nonce: 'n' });
    const fields = new URLSearchParams(String(body));
    for (const name of ['Url', 'StatusCallback', 'RecordingStatusCallback']) {
      expect(fields.get(name)).toMatch(/#rc=[1-5]&rp=.*5xx/);
    }
  });
});
