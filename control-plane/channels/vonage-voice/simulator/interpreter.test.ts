import { describe, expect, test } from 'vitest';
import type { Behaviour } from '../../simulation/voice/phone-call.ts';
import { interpret, type VonageCall } from './interpreter.ts';

const call: VonageCall = {
  uuid: 'v1',
  conversation_uuid: 'CON-1',
  from: '14155550100',
  to: '919800000009',
  recording_uuid: 'r1',
  recording_url: 'https://api.nexmo.com/v1/files/r1',
  transcription_url: 'https://api.nexmo.com/v1/files/TR1',
  timestamp: '2026-11-21T08:00:00.000Z',
  newLeg: () => 'v2',
};
const talks: Behaviour = { keys: '', isHasty: false, leg: 'answers', seconds: 9, hangsUp: false };
const byFlow = { kind: 'hangup', by: 'flow' };
const eventUrl = ['https://x.test/e'];
const talk = { action: 'talk', text: 'x' };
const says = (isInterrupted = false) => ({
  kind: 'say',
  text: 'x',
  loop: 1,
  language: 'en-US',
  isInterrupted,
});
const input = (dtmf = {}) => ({ action: 'input', type: ['dtmf'], dtmf, eventUrl });
const phone = { type: 'phone', number: '919800000001' };

function run(actions: readonly object[], ...behaviours: Partial<Behaviour>[]) {
  const planned = behaviours.map((each) => ({ ...talks, ...each }));
  return interpret(JSON.stringify(actions), call, planned);
}

describe('talk with bargeIn', () => {
  const prompt = { ...talk, bargeIn: true };

  test('before an input is heard to its end, or until a key', () => {
    expect(run([prompt, input()], { keys: '1' }).effects[0]).toEqual(says());
    expect(run([prompt, input()], { keys: '1', isHasty: true }).effects).toEqual([
      says(true),
      { kind: 'collect', digits: '1' },
    ]);
  });

  test('before anything else is cut', () => {
    expect(run([prompt, talk]).effects).toEqual([says(true), says(), byFlow]);
  });

  test('without it keys are lost', () => {
    expect(run([talk, input()], { keys: '1', isHasty: true }).effects).toEqual([
      says(),
      { kind: 'collect', digits: '' },
    ]);
  });
});

describe('input', () => {
  test.each<[name: string, dtmf: object, keys: string, digits: string, timed_out: boolean]>([
    ['answers even when nothing was pressed', {}, '', '', true],
    ['takes # as a digit', {}, '1#2', '1#2', true],
    ['ends at # if submitOnHash is set', { submitOnHash: true }, '1#2', '1', false],
    ['always takes * as a digit', { submitOnHash: true }, '1*2', '1*2', true],
    ['ends when it is full', { maxDigits: 2 }, '123', '12', false],
  ])('%s', (_name, dtmf, keys, digits, timed_out) => {
    const { next, rest } = run([input(dtmf), talk], { keys });
    expect(next).toEqual({
      method: 'POST',
      url: 'https://x.test/e',
      fields: {
        uuid: 'v1',
        conversation_uuid: 'CON-1',
        from: '14155550100',
        to: '919800000009',
        dtmf: { digits, timed_out },
      },
    });
    expect(JSON.parse(rest!)).toEqual([talk]);
  });
});

describe('connect', () => {
  const connect = { action: 'connect', endpoint: [phone], eventUrl };

  test.each([
    ['answers', ['started', 'ringing', 'answered', 'completed']],
    ['is-busy', ['started', 'busy']],
    ['does-not-answer', ['started', 'ringing', 'timeout']],
    ['fails', ['started', 'failed']],
  ] as const)('a leg that %s is reported separately, and the next action runs', (leg, statuses) => {
    const { effects, notices, next } = run([connect, talk], { leg });
    expect(next).toBeUndefined();
    expect(notices.map(({ fields }) => fields.status)).toEqual(statuses);
    expect(notices.every(({ fields }) => fields.uuid === 'v2')).toBe(true);
    expect(notices.at(-1)?.fields.duration).toBe(leg === 'answers' ? '9' : undefined);
    expect(effects).toEqual([
      { kind: 'dial', to: ['919800000001'], isAnswered: leg === 'answers' },
      says(),
      byFlow,
    ]);
  });
});

describe('record', () => {
  test('of a message goes on before its address is reported', () => {
    const record = { action: 'record', endOnSilence: 3, timeOut: 5, eventUrl };
    const { effects, notices, next } = run(
      [record, { action: 'notify', payload: {}, eventUrl }],
      {},
    );
    expect(effects).toEqual([{ kind: 'record', seconds: 5 }]);
    const { recording_url, timestamp: end_time } = call;
    const start_time = '2026-11-21T07:59:55.000Z';
    expect(notices).toMatchObject([{ fields: { recording_url, start_time, end_time } }]);
    expect(next?.fields).not.toHaveProperty('recording_url');
  });

  test('without a condition to stop it goes on during the next actions', () => {
    expect(run([{ action: 'record', eventUrl }, talk]).effects).toEqual([
      { kind: 'record-call' },
      says(),
      byFlow,
    ]);
  });
});

test('conversation, then the next action', () => {
  expect(run([{ action: 'conversation', name: 'r' }, talk], {}).effects).toEqual([
    { kind: 'conference', name: 'r' },
    says(),
    byFlow,
  ]);
});

test('the end hangs up; a caller who hangs up ends it', () => {
  expect(run([]).effects).toEqual([byFlow]);
  expect(run([input(), talk], { hangsUp: true }).effects).toEqual([
    { kind: 'hangup', by: 'caller' },
  ]);
});

describe('an NCCO that Vonage would refuse is a fault', () => {
  const connect = (more: object) => [{ action: 'connect', endpoint: [phone], ...more }];

  test.each<[string, object[], string]>([
    ['an unknown action', [{ action: 'sing' }], 'no action'],
    ['an action name that every object inherits', [{ action: 'constructor' }], 'no action'],
    ['an unknown member', [{ ...talk, colour: 1 }], 'no colour'],
    ['too long a text', [{ ...talk, text: 'x'.repeat(1_501) }], 'text'],
    ['two endpoints', connect({ endpoint: [phone, phone] }), 'one endpoint'],
    [
      'a number with its plus',
      connect({ endpoint: [{ ...phone, number: '+919800000001' }] }),
      'number',
    ],
    ['too long a ring', connect({ timeout: 121 }), 'timeout'],
    ['too long a talk', connect({ limit: 7_201 }), 'limit'],
    ['too long a wait for keys', [input({ timeOut: 11 })], 'timeOut'],
    ['too many keys', [input({ maxDigits: 21 })], 'maxDigits'],
    ['too short a silence', [{ action: 'record', endOnSilence: 2 }], 'endOnSilence'],
    ['two keys to end', [{ action: 'record', endOnKey: '#*' }], 'one key'],
    ['an address that is no array', [{ action: 'notify', eventUrl: 'https://x.test' }], 'array'],
  ])('%s', (_name, actions, fault) => {
    expect(run(actions, {}, {}).fault).toContain(fault);
  });

  test.each(['', 'x', '{}', '[1]', '[null]', '[{}]'])('%j', (document) => {
    expect(interpret(document, call, []).fault).toBeDefined();
  });
});
