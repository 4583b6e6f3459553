import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CallStatus, callStatuses, isFinal, statusAfter } from './call-status.ts';

describe('the status of a call', () => {
  test.each([
    ['queued', 'ringing', undefined, 'ringing'],
    ['unknown', 'queued', undefined, 'queued'],
    ['unknown', 'no_answer', undefined, 'no_answer'],
    ['in_progress', 'ringing', undefined, 'in_progress'],
    ['completed', 'in_progress', undefined, 'completed'],
    ['busy', 'completed', undefined, 'busy'],
    ['in_progress', 'completed', 'machine', 'machine'],
    ['in_progress', 'completed', 'human', 'completed'],
    ['ringing', 'busy', 'machine', 'busy'],
    ['in_progress', 'unknown', undefined, 'in_progress'],
  ] as const)('%s, then a report of %s (%s), is %s', (before, told, answeredBy, after) => {
    expect(statusAfter(before, told, answeredBy)).toBe(after);
  });

  test('in any order of reports, a final status is kept and nothing goes backwards', () => {
    const reports = fc.array(fc.constantFrom(...callStatuses), { maxLength: 12 });
    fc.assert(
      fc.property(reports, (told) => {
        let status: CallStatus = 'queued';
        for (const each of told) {
          const next = statusAfter(status, each);
          if (isFinal(status)) expect(next).toBe(status);
          status = next;
        }
        expect(isFinal(status)).toBe(told.some(isFinal));
      }),
    );
  });
});
