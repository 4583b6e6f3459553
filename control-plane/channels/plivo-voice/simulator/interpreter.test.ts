import { describe, expect, test } from 'vitest';
import type { Behaviour } from '../../simulation/voice/phone-call.ts';
import { interpret, type PlivoCall } from './interpreter.ts';

const call: PlivoCall = {
  CallUUID: 'u1',
  From: '14155550100',
  To: '919800000009',
  RecordingID: 'r1',
  RecordUrl: 'https://media.plivo.com/r1.mp3',
  newLeg: () => 'u2',
};
const talks: Behaviour = { keys: '', isHasty: false, leg: 'answers', seconds: 9, hangsUp: false };
const byFlow = { kind: 'hangup', by: 'flow' };
const speaks = (text: string, isInterrupted = false) => ({
  kind: 'say',
  text,
  loop: 1,
  isInterrupted,
  language: 'en-US',
  voice: 'WOMAN',
});

function run(elements: string, ...behaviours: Partial<Behaviour>[]) {
  const planned = behaviours.map((each) => ({ ...talks, ...each }));
  return interpret(`<Response>${elements}</Response>`, call, planned);
}

const input = (attributes = '', inner = '') =>
  `<GetInput action="https://x.test/g" inputType="dtmf" ${attributes}>${inner}</GetInput><Speak>after</Speak>`;

describe('GetInput', () => {
  test.each<[name: string, attributes: string, keys: string, digits: string]>([
    ['ends at the finish key', '', '12#3', '12'],
    ['ends at another key', 'finishOnKey="*"', '1#*3', '1#'],
    ['takes every key when none finishes', 'finishOnKey="none"', '1#', '1#'],
    ['ends when it is full', 'numDigits="2"', '123', '12'],
  ])('%s', (_name, attributes, keys, digits) => {
    const { effects, next } = run(input(attributes), { keys });
    expect(effects).toEqual([{ kind: 'collect', digits }]);
    expect(next).toEqual({
      method: 'POST',
      url: 'https://x.test/g',
      fields: {
        CallUUID: 'u1',
        From: '14155550100',
        To: '919800000009',
        CallStatus: 'in-progress',
        Direction: 'outbound',
        ALegUUID: 'u1',
        Digits: digits,
        InputType: 'dtmf',
      },
    });
  });

  test('goes on with the next element when nothing is pressed', () => {
    const { effects, next } = run(input(), {});
    expect(next).toBeUndefined();
    expect(effects).toEqual([{ kind: 'collect', digits: '' }, speaks('after'), byFlow]);
  });

  test('with redirect="false" notifies the action, and goes on', () => {
    const { effects, notices, next } = run(input('redirect="false"'), { keys: '1#' });
    expect(next).toBeUndefined();
    expect(notices).toMatchObject([{ fields: { Digits: '1' } }]);
    expect(effects).toContainEqual(speaks('after'));
  });

  test('keys interrupt a prompt within it, and are lost in a sound before it', () => {
    const hasty = { keys: '1', isHasty: true };
    expect(run(input('', '<Speak>a</Speak>'), hasty).effects).toEqual([
      speaks('a', true),
      { kind: 'collect', digits: '1' },
    ]);
    expect(run(`<Speak>a</Speak>${input()}`, hasty).effects[1]).toEqual({
      kind: 'collect',
      digits: '',
    });
  });
});

describe('Dial', () => {
  const dial =
    '<Dial action="https://x.test/d" redirect="true"><Number>919800000001</Number></Dial><Speak>dead</Speak>';

  test.each([
    ['answers', 'completed', 'true'],
    ['is-busy', 'busy', 'true'],
    ['does-not-answer', 'no-answer', 'true'],
    ['fails', 'failed', 'false'],
  ] as const)('a leg that %s is %s, and nothing after runs', (leg, DialStatus, ring) => {
    const { effects, next } = run(dial, { leg });
    expect(effects).toEqual([
      { kind: 'dial', to: ['919800000001'], isAnswered: leg === 'answers' },
    ]);
    expect(next?.fields).toMatchObject({ DialStatus, DialRingStatus: ring, DialALegUUID: 'u1' });
  });

  test('each leg is reported while it lasts, and its duration at its end', () => {
    const two = dial
      .replace('<Dial ', '<Dial callbackUrl="https://x.test/l" ')
      .replace('</Dial>', '<Number>919800000002</Number></Dial>');
    const events = (more: Partial<Behaviour> = {}) =>
      run(two, more).notices.map(({ fields }) => [
        fields.DialBLegTo,
        fields.DialAction,
        fields.DialBLegDuration,
        fields.DialBLegHangupCause,
      ]);
    expect(events()).toEqual([
      ['919800000001', 'answer', undefined, undefined],
      ['919800000001', 'connected', undefined, undefined],
      ['919800000001', 'hangup', '9', 'NORMAL_CLEARING'],
      ['919800000002', 'hangup', '0', 'ORIGINATOR_CANCEL'],
    ]);
    expect(events({ leg: 'does-not-answer' })[0]).toEqual([
      '919800000001',
      'hangup',
      '0',
      'NO_ANSWER',
    ]);
    expect(run(two, {}).next?.fields.DialBLegUUID).toBe('u2');
    expect(run(two, { leg: 'fails' }).next?.fields.DialBLegUUID).toBe('');
  });

  test('with redirect="false" the document goes on', () => {
    const { effects, notices } = run(dial.replace('"true"', '"false"'), { leg: 'is-busy' });
    expect(notices).toMatchObject([{ fields: { DialStatus: 'busy' } }]);
    expect(effects.slice(1)).toEqual([speaks('dead'), byFlow]);
  });
});

describe('Record', () => {
  const record = (attributes = '') =>
    `<Record action="https://x.test/r" maxLength="5" ${attributes}/><Speak>after</Speak>`;

  test('reports the recording, and at the other address that it is ready', () => {
    const { next, notices } = run(record('callbackUrl="https://x.test/c"'), { keys: '#' });
    const made = { RecordUrl: call.RecordUrl, RecordingID: 'r1', RecordingDurationMs: '5000' };
    expect(next).toMatchObject({ url: 'https://x.test/r', fields: { ...made, Digits: '#' } });
    expect(notices).toMatchObject([{ url: 'https://x.test/c', fields: made }]);
  });

  test('calls no action when nothing was said', () => {
    const { next, effects } = run(record(), { seconds: 0 });
    expect(next).toBeUndefined();
    expect(effects.slice(1)).toEqual([speaks('after'), byFlow]);
  });

  test('of the session goes on during later elements', () => {
    expect(run(record('recordSession="true"')).effects).toEqual([
      { kind: 'record-call' },
      speaks('after'),
      byFlow,
    ]);
  });
});

test('Conference is a separate element', () => {
  const { effects, next } = run('<Conference action="https://x.test/c">r</Conference>', {});
  expect(effects).toEqual([{ kind: 'conference', name: 'r' }]);
  expect(next?.fields).toMatchObject({ ConferenceName: 'r', ConferenceAction: 'exit' });
});

test('Redirect asks for another document, Hangup ends', () => {
  expect(run('<Redirect>https://x.test/n</Redirect><Hangup/>').next?.url).toBe('https://x.test/n');
  expect(run('<Wait length="2"/><Hangup/><Speak>dead</Speak>').effects).toEqual([
    { kind: 'pause', seconds: 2 },
    byFlow,
  ]);
});

describe('a document that Plivo would refuse is a fault', () => {
  test.each([
    ['no XML', '<Speak>', 'close tag'],
    ['an unknown element', '<Say>x</Say>', 'unknown'],
    ['an unknown attribute', '<Speak lang="en-US">x</Speak>', 'no attribute'],
    ['a language its own voices lack', '<Speak language="hi-IN">x</Speak>', 'does not speak'],
    ['no action', '<GetInput inputType="dtmf"/>', 'needs an action'],
    ['too short a wait', input('executionTimeout="4"'), 'executionTimeout'],
    ['too many digits', input('numDigits="33"'), 'numDigits'],
    ['two finish keys', input('finishOnKey="#*"'), 'finishOnKey'],
    ['a prompt that is not allowed there', input('', '<Hangup/>'), 'nest'],
    ['a number with its plus', '<Dial><Number>+919800000001</Number></Dial>', 'Number'],
    ['too large', `<Speak>${'x'.repeat(100_000)}</Speak>`, 'too large'],
  ])('%s', (_name, elements, fault) => {
    expect(run(elements, {}, {}).fault).toContain(fault);
  });

  test('a voice of Polly speaks languages that the others do not', () => {
    expect(run('<Speak voice="Polly.Aditi" language="hi-IN">x</Speak>').fault).toBeUndefined();
  });
});
