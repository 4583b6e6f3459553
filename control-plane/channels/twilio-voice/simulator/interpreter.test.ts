import { describe, expect, test } from 'vitest';
import type { Behaviour } from '../../simulation/voice/phone-call.ts';
import { interpret, type TwilioCall } from './interpreter.ts';

const call: TwilioCall = {
  CallSid: 'CA1',
  AccountSid: 'AC1',
  From: '+14155550100',
  To: '+919800000009',
  RecordingSid: 'RE1',
  RecordingUrl: 'https://api.twilio.com/RE1',
  Timestamp: 'Sat, 21 Nov 2026 08:00:00 GMT',
  newLeg: () => 'CA2',
};
const talks: Behaviour = { keys: '', isHasty: false, leg: 'answers', seconds: 9, hangsUp: false };
const says = (text: string, isInterrupted = false) => ({
  kind: 'say',
  text,
  loop: 1,
  isInterrupted,
});
const byFlow = { kind: 'hangup', by: 'flow' };
const byCaller = { kind: 'hangup', by: 'caller' };

function run(verbs: string, ...behaviours: Partial<Behaviour>[]) {
  const planned = behaviours.map((each) => ({ ...talks, ...each }));
  return interpret(`<Response>${verbs}</Response>`, call, planned);
}

const gather = (attributes = '', inner = '') =>
  `<Gather action="https://x.test/g" ${attributes}>${inner}</Gather><Say>after</Say>`;

describe('Gather', () => {
  test.each<[name: string, attributes: string, keys: string, digits: string | undefined]>([
    ['ends at the finish key', 'numDigits="4"', '12#3', '12'],
    ['ends at one of several', 'finishOnKey="*#"', '12*3', '12'],
    ['takes every key as a digit when none finishes', 'finishOnKey=""', '1#', '1#'],
    ['ends when it is full', 'numDigits="2"', '123', '12'],
    ['falls through when nothing is pressed', '', '', undefined],
    ['answers all the same with actionOnEmptyResult', 'actionOnEmptyResult="true"', '', ''],
  ])('%s', (_name, attributes, keys, digits) => {
    const { next, effects } = run(gather(attributes), { keys });
    if (digits === undefined) {
      expect(next).toBeUndefined();
      expect(effects).toEqual([{ kind: 'collect', digits: '' }, says('after'), byFlow]);
    } else {
      expect(effects).toEqual([{ kind: 'collect', digits }]);
      expect(next).toEqual({
        method: 'POST',
        url: 'https://x.test/g',
        fields: {
          CallSid: 'CA1',
          AccountSid: 'AC1',
          From: '+14155550100',
          To: '+919800000009',
          CallStatus: 'in-progress',
          ApiVersion: '2010-04-01',
          Direction: 'outbound-api',
          Digits: digits,
        },
      });
    }
  });

  test('keys interrupt a prompt within it, and are lost in a sound before it', () => {
    const hasty = { keys: '1', isHasty: true };
    expect(run(gather('', '<Say>a</Say><Say>b</Say>'), hasty).effects).toEqual([
      says('a'),
      says('b', true),
      { kind: 'collect', digits: '1' },
    ]);
    expect(run(`<Say>a</Say>${gather()}`, hasty).effects).toEqual([
      says('a'),
      { kind: 'collect', digits: '' },
      says('after'),
      byFlow,
    ]);
  });
});

describe('Dial', () => {
  const dial =
    '<Dial action="https://x.test/d"><Number>+919800000001</Number></Dial><Say>dead</Say>';

  test.each([
    ['answers', 'completed'],
    ['is-busy', 'busy'],
    ['does-not-answer', 'no-answer'],
    ['fails', 'failed'],
  ] as const)('a leg that %s is %s, and nothing after runs', (leg, status) => {
    const { effects, next } = run(dial, { leg });
    expect(effects).toEqual([
      { kind: 'dial', to: ['+919800000001'], isAnswered: leg === 'answers' },
    ]);
    expect(next?.fields.DialCallStatus).toBe(status);
    expect('DialCallDuration' in next!.fields).toBe(leg === 'answers');
  });

  test('each leg is reported separately, with the events that were asked for', () => {
    const callbackAttributes = (events: string) => `statusCallback="https://x.test/l" ${events}`;
    const numbers = ['+919800000001', '+919800000002'];
    const nouns = (events: string) =>
      numbers.map((each) => `<Number ${callbackAttributes(events)}>${each}</Number>`).join('');
    const notices = (events: string, more: Partial<Behaviour> = {}) =>
      run(`<Dial>${nouns(events)}</Dial>`, more).notices.map(({ fields }) => [
        fields.To,
        fields.CallStatus,
        fields.CallDuration,
      ]);
    const both = 'statusCallbackEvent="answered completed"';
    expect(notices(both)).toEqual([
      ['+919800000001', 'in-progress', undefined],
      ['+919800000001', 'completed', '9'],
      ['+919800000002', 'canceled', '0'],
    ]);
    expect(notices('', { leg: 'is-busy', hangsUp: true })).toEqual([
      ['+919800000001', 'busy', '0'],
      ['+919800000002', 'busy', '0'],
    ]);
    expect(run(`<Dial>${nouns(both)}</Dial>`, {}).notices[0]?.fields).toMatchObject({
      CallSid: 'CA2',
      ParentCallSid: 'CA1',
      Direction: 'outbound-dial',
    });
    expect(run(`<Dial>${nouns('statusCallbackEvent="over"')}</Dial>`, {}).fault).toBeDefined();
  });

  test('without an action it goes on', () => {
    const { effects } = run(dial.replace(/ action="[^"]*"/, ''), {});
    expect(effects.at(-2)).toEqual(says('dead'));
  });

  test('a conference is dialled like a number', () => {
    const { effects, next } = run(
      '<Dial action="https://x.test/d"><Conference>r</Conference></Dial>',
      {},
    );
    expect(effects).toEqual([{ kind: 'conference', name: 'r' }]);
    expect(next?.fields).toMatchObject({ DialCallStatus: 'answered' });
  });
});

describe('Record', () => {
  const record =
    '<Record action="https://x.test/r" maxLength="5" finishOnKey="#" recordingStatusCallback="https://x.test/s"/><Say>after</Say>';

  test('reports the recording, no longer than allowed, and the key that ended it', () => {
    const { next, notices, effects } = run(record, { keys: '#' });
    expect(effects).toEqual([{ kind: 'record', seconds: 5 }]);
    expect(next).toMatchObject({
      url: 'https://x.test/r',
      fields: { RecordingSid: 'RE1', RecordingDuration: '5', Digits: '#' },
    });
    expect(notices).toMatchObject([
      { url: 'https://x.test/s', fields: { RecordingStatus: 'completed' } },
    ]);
  });

  test('calls no action when nothing was said', () => {
    const { next, effects } = run(record, { seconds: 0 });
    expect(next).toBeUndefined();
    expect(effects.slice(1)).toEqual([says('after'), byFlow]);
  });

  test('is reported, and ends the call, when the caller hangs up', () => {
    const { next, notices, effects } = run(record, { hangsUp: true });
    expect(next).toBeUndefined();
    expect(effects.at(-1)).toEqual(byCaller);
    expect(notices.at(-1)?.fields.Digits).toBe('hangup');
  });
});

test('Redirect asks for another document, with the method it names', () => {
  const { next } = run('<Redirect method="GET">https://x.test/n?a=1</Redirect><Say>dead</Say>');
  expect(next).toMatchObject({ method: 'GET', url: 'https://x.test/n?a=1' });
});

test('the end of the document, and Hangup, end the call', () => {
  expect(run('<Pause length="2"/>').effects).toEqual([{ kind: 'pause', seconds: 2 }, byFlow]);
  expect(run('<Hangup/><Say>dead</Say>').effects).toEqual([byFlow]);
});

test('a caller without planned behaviour hangs up', () => {
  expect(run(gather()).effects).toEqual([byCaller]);
});

describe('a document that Twilio would refuse is a fault', () => {
  test.each([
    ['no XML', '<Say>', 'close tag'],
    ['an unknown verb', '<Sing/>', 'unknown'],
    ['a noun as a verb', '<Number>+919800000001</Number>', 'no verb'],
    ['an unknown attribute', '<Say colour="red">x</Say>', 'no attribute'],
    ['an attribute that every object inherits', '<Say constructor="x">x</Say>', 'no attribute'],
    ['nothing to say', '<Say/>', 'Say needs'],
    ['a number without its plus', '<Dial><Number>919800000001</Number></Dial>', 'E.164'],
    ['an invalid caller id', '<Dial callerId="1"><Sip>sip:a@b</Sip></Dial>', 'callerId'],
    ['nobody to dial', '<Dial/>', 'nobody'],
    ['a relative address', '<Redirect>/x</Redirect>', 'no address'],
    ['too long a ring', '<Dial timeout="601"><Sip>sip:a@b</Sip></Dial>', 'timeout'],
    ['too large', `<Say>${'x'.repeat(70_000)}</Say>`, 'too large'],
  ])('%s', (_name, verbs, fault) => {
    expect(run(verbs, {}, {}).fault).toContain(fault);
  });
});
