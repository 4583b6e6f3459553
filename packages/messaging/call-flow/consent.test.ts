import { expect, test } from 'vitest';
import { mayRecordAll, type RecordingPolicy, recordingConsent } from './consent.ts';

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
])('under %s, of who said %s a whole call is recorded: %s', (policy, said, allowed) => {
  expect(mayRecordAll(recordingConsent(policy, said))).toBe(allowed);
});
