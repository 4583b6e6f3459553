import { expect, test } from 'vitest';
import { approveHold, type Hold, notPosted, releaseHold } from './submission-policy.ts';

const posted = { column: 'STATE', values: ['POSTED', '20'] };

test.each([
  ['a document with the value', { STATE: 'POSTED' }],
  ['one with padding around it', { STATE: ' 20 ' }],
] as const)('%s is posted', (_, header) => {
  expect(notPosted(posted, header)).toBeUndefined();
});

test.each([
  ['another value', { STATE: 'DRAFT' }, 'STATE is "DRAFT", and "POSTED" or "20" is submitted'],
  ['another case', { STATE: 'posted' }, 'STATE is "posted"'],
  ['no value', { STATE: null }, 'STATE is empty'],
  ['no such column', { STATUS: 'POSTED' }, 'no column "STATE"'],
  ['no header', undefined, 'no column "STATE"'],
])('%s is not posted, and why is told', (_, header, why) => {
  expect(notPosted(posted, header)).toContain(why);
});

test('without a condition everything is posted', () => {
  expect(notPosted(undefined, undefined)).toBeUndefined();
});

const at = new Date('2027-03-01T08:00:00Z');
const hold = (given: Hold['for']): Hold => ({ since: at.toISOString(), for: given, content: 'c' });
const person = (id: string) => ({ id, isPerson: true });
const key = { id: 'key_1', isPerson: false };

test('a release alone sends what waits for a release, also by a key', () => {
  const held = { hold: hold('release'), waitsFor: 'release', submittedBy: null } as const;
  expect(releaseHold(held, key, at)).toMatchObject({
    kind: 'changed',
    waitsFor: null,
    hold: { released_by: 'key_1' },
  });
  expect(approveHold(held, person('usr_1'), at)).toEqual({ kind: 'not-released' });
});

test('an approval takes two persons, neither of whom submitted it and approves', () => {
  const held = { hold: hold('approval'), waitsFor: 'release', submittedBy: 'usr_3' } as const;
  expect(releaseHold(held, key, at)).toEqual({ kind: 'person-required' });
  const released = releaseHold(held, person('usr_1'), at);
  if (released.kind !== 'changed') throw new Error(released.kind);
  expect(released.waitsFor).toBe('approval');
  const waiting = { hold: released.hold, waitsFor: 'approval', submittedBy: 'usr_3' } as const;
  expect(releaseHold(waiting, person('usr_2'), at)).toEqual({ kind: 'released-before' });
  expect(approveHold(waiting, key, at)).toEqual({ kind: 'person-required' });
  for (const same of ['usr_1', 'usr_3']) {
    expect(approveHold(waiting, person(same), at)).toEqual({ kind: 'second-person-required' });
  }
  expect(approveHold(waiting, person('usr_2'), at)).toMatchObject({
    kind: 'changed',
    waitsFor: null,
    hold: { released_by: 'usr_1', approved_by: 'usr_2' },
  });
});
