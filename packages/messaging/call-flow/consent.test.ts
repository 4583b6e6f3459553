import { expect, test } from 'vitest';
import { mayRecordWholeCall, type RecordingPolicy, recordingConsent } from './consent.ts';

test.each<[RecordingPolicy, said: boolean | undefined, allowed: boolean]>([
  ['free', undefined, true],
  ['free', true, true],
  ['free', false, false],
  ['announced', undefined, false],
  ['announced', true, true],
  ['announced', false, false],
  ['consented', undefined, false],
  ['consented', true, true],
  ['consented', false, false],
])('policy %s, answer %s: the whole call may be recorded: %s', (policy, said, allowed) => {
  expect(mayRecordWholeCall(recordingConsent(policy, said))).toBe(allowed);
});
