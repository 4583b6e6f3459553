import { describe, expect, test } from 'vitest';
import { isLegKnown, readAnswer } from './answer.ts';
import type { Target } from './diagnostic.ts';
import type { DialResult } from './machine.ts';

describe('digits', () => {
  test.each<[Target, fields: Readonly<Record<string, unknown>>, digits: string]>([
    ['twiml', { Digits: '12' }, '12'],
    ['twiml', {}, ''],
    ['plivo', { Digits: '12', InputType: 'dtmf' }, '12'],
    ['plivo', { empty: '1' }, ''],
    ['ncco', { dtmf: { digits: '12', timed_out: false } }, '12'],
    ['ncco', { dtmf: { digits: '', timed_out: true } }, ''],
    ['ncco', { dtmf: null }, ''],
    ['ncco', { dtmf: ['1'] }, ''],
    ['ncco', { Digits: '12' }, ''],
    ['twiml', { Digits: ['1'] }, ''],
  ])('%s %j: %j', (target, fields, digits) => {
    const answer = { node: 'a', event: 'gathered', fields } as const;
    expect(readAnswer(target, answer)).toEqual({ kind: 'gathered', node: 'a', digits });
  });
});

describe('how a dialled leg ended, by the words of Twilio and Plivo', () => {
  test.each<[Target, word: unknown, result: DialResult]>([
    ['twiml', 'completed', 'answered'],
    ['twiml', 'answered', 'answered'],
    ['twiml', 'busy', 'busy'],
    ['twiml', 'no-answer', 'no_answer'],
    ['twiml', 'failed', 'failed'],
    ['twiml', 'canceled', 'failed'],
    ['twiml', 'constructor', 'failed'],
    ['twiml', undefined, 'failed'],
    ['plivo', 'completed', 'answered'],
    ['plivo', 'timeout', 'no_answer'],
    ['plivo', 'no-answer', 'no_answer'],
    ['plivo', 'busy', 'busy'],
    ['plivo', 'cancel', 'failed'],
  ])('%s %s: %s', (target, word, result) => {
    const fields = { DialCallStatus: word, DialStatus: word };
    expect(readAnswer(target, { node: 'a', event: 'dialed', fields })).toEqual({
      kind: 'dialed',
      node: 'a',
      result,
    });
  });
});

describe('how a dialled leg ended, by the events that Vonage sends separately', () => {
  test.each<[legStatuses: readonly string[], result: DialResult]>([
    [['started', 'ringing', 'answered', 'completed'], 'answered'],
    [['completed', 'started'], 'answered'],
    [['started', 'busy'], 'busy'],
    [['started', 'ringing', 'timeout'], 'no_answer'],
    [['unanswered'], 'no_answer'],
    [['rejected'], 'no_answer'],
    [['cancelled'], 'failed'],
    [['failed'], 'failed'],
    [[], 'failed'],
  ])('%j: %s', (legStatuses, result) => {
    const answer = { node: 'a', event: 'dialed', fields: { payload: {} }, legStatuses } as const;
    expect(readAnswer('ncco', answer)).toMatchObject({ result });
  });
});

test.each<[Target, string[], known: boolean]>([
  ['ncco', [], false],
  ['ncco', ['started', 'ringing'], false],
  ['ncco', ['started', 'toString'], false],
  ['ncco', ['started', 'busy'], true],
  ['ncco', ['answered'], true],
  ['ncco', ['started', 'failed'], true],
  ['twiml', [], true],
])('%s, with leg statuses %j: the end of the leg is known: %s', (target, told, known) => {
  expect(isLegKnown(target, told)).toBe(known);
});

test.each(['recorded', 'left', 'continued'] as const)('%s needs no further fields', (event) => {
  expect(readAnswer('plivo', { node: 'a', event, fields: {} })).toEqual({ kind: event, node: 'a' });
});
