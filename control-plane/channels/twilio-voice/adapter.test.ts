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
      { kind: 'leg', status: 'in_progress' },
    ],
    [
      { RecordingSid: 'RE1', RecordingUrl: 'https://api.twilio.com/r', RecordingDuration: '9' },
      { kind: 'recording', recordingId: 'RE1', durationSeconds: 9 },
    ],
  ])('%o is %o', (fields, event) => {
    const reading = twilioVoice.events(request({ CallSid: 'CA1', ...fields }));
    expect(reading).toMatchObject({ kind: 'events', events: [event] });
  });

  test('a recording that failed, or runs still, is none', () => {
    const fields = { CallSid: 'CA1', RecordingSid: 'RE1', RecordingUrl: 'https://a.example/r' };
    for (const RecordingStatus of ['in-progress', 'absent']) {
      const reading = twilioVoice.events(request({ ...fields, RecordingStatus }));
      expect(reading).toEqual({ kind: 'events', events: [] });
    }
  });
});
