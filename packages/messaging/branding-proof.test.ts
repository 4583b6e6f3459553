import { expect, test } from 'vitest';
import {
  domainRecord,
  isRecord,
  nextCheckAt,
  nextProof,
  type ProofAnswer,
  type ProofState,
} from './branding-proof.ts';

const hour = 3_600_000;
const start = new Date('2026-03-02T08:00:00Z');
const after = (hours: number) => new Date(start.getTime() + hours * hour);
const missing: ProofAnswer = { kind: 'missing', problem: 'there is none' };
const unclear: ProofAnswer = { kind: 'unclear', problem: 'no answer' };
const found: ProofAnswer = { kind: 'found' };
const fresh: ProofState = { provedAt: null, missingSince: null, problem: null };

test.each<[string, readonly (readonly [number, ProofAnswer])[], Partial<ProofState>]>([
  ['a record proves at once', [[1, found]], { provedAt: after(1), problem: null }],
  ['none proves nothing', [[1, missing]], { provedAt: null, problem: 'there is none' }],
  ['silence proves nothing', [[1, unclear]], { provedAt: null, problem: 'no answer' }],
  [
    'one that is gone for two days still counts, and the problem is told',
    [
      [0, found],
      [10, missing],
      [58, missing],
    ],
    { provedAt: start, missingSince: after(10), problem: 'there is none' },
  ],
  [
    'one that is gone for three days counts no more',
    [
      [0, found],
      [10, missing],
      [82, missing],
    ],
    { provedAt: null, missingSince: after(10) },
  ],
  [
    'one that had lapsed and came back counts again',
    [
      [0, found],
      [10, missing],
      [82, missing],
      [90, missing],
      [95, found],
    ],
    { provedAt: after(95), missingSince: null, problem: null },
  ],
  [
    'one that came back begins anew',
    [
      [0, found],
      [10, missing],
      [50, found],
      [90, missing],
    ],
    { provedAt: start, missingSince: after(90) },
  ],
  [
    'name servers that are silent for a week take nothing away',
    [
      [0, found],
      [80, unclear],
      [160, unclear],
    ],
    { provedAt: start, missingSince: null, problem: 'no answer' },
  ],
])('%s', (_, answers, expected) => {
  const end = answers.reduce((state, [at, answer]) => nextProof(state, answer, after(at)), fresh);
  expect(end).toMatchObject(expected);
});

test('a pending proof is looked for less and less, and after a week no more', () => {
  expect(nextCheckAt(fresh, start, start)).toEqual(after(1 / 12));
  expect(nextCheckAt(fresh, start, after(50))).toEqual(after(55));
  expect(nextCheckAt(fresh, start, after(7 * 24))).toBeUndefined();
  expect(nextCheckAt({ ...fresh, provedAt: start }, start, after(500))).toEqual(after(512));
});

test('blanks and quotes that forms for DNS add do not matter, anything else does', () => {
  const record = domainRecord('chat.acme.example', 'abc');
  expect(isRecord('"drawbridge-verification=abc" ', record)).toBe(true);
  expect(isRecord('drawbridge-verification=abcd', record)).toBe(false);
  expect(isRecord('', record)).toBe(false);
});
