import { describe, expect, test } from 'vitest';
import type { Behaviour } from '../../../control-plane/channels/simulation/voice/phone-call.ts';
import { readTree } from '../../../control-plane/simulation/xml-tree.ts';
import { readFlow } from './check.ts';
import { type CompileContext, compile, compileEvery, compileSegment, diagnose } from './compile.ts';
import type { Target } from './diagnostic.ts';
import { context, flowWith, menu } from './flow.sample.ts';
import type { CallFlow, CallFlowInput } from './flow.ts';
import { type EndOf, segmentFrom } from './segment.ts';
import { interpret } from './trace.sample.ts';

const targets: readonly Target[] = ['twiml', 'plivo', 'ncco'];
const silent: Behaviour = {
  keys: '',
  isHasty: false,
  leg: 'answers',
  seconds: 0,
  hangsUp: false,
};
type Nodes = CallFlowInput['nodes'];

/** Runs the first document of a flow. */
function run(target: Target, flow: CallFlow, behaviour: Partial<Behaviour> = {}) {
  const { document } = compile(flow, target, context);
  return interpret(target, document, [{ ...silent, ...behaviour }]);
}

function codes(target: Target, flow: CallFlow, more: Partial<CompileContext> = {}) {
  const { diagnostics } = compileEvery(flow, target, { ...context, ...more });
  return diagnostics.map(({ code }) => code);
}

function firstActions(nodes: Nodes): readonly Readonly<Record<string, unknown>>[] {
  return JSON.parse(compile(flowWith(nodes), 'ncco', context).document);
}

/** Names of a document's elements or actions, in order. */
function partsOf(target: Target, document: string): readonly string[] {
  if (target === 'ncco')
    return JSON.parse(document).map(({ action }: { action: string }) => action);
  const root = readTree(document);
  if ('fault' in root) throw new Error(root.fault);
  return root.children.map(({ name }) => name);
}

describe('1: a document waits once, and only a redirect follows', () => {
  const waits = /^(Gather|GetInput|Dial|Record|Conference|input|connect|record|conversation)$/;

  test.each(targets)('%s', (target) => {
    const documents = Object.values(compileEvery(menu, target, context).documents);
    const ends = documents.map((document) => {
      const parts = partsOf(target, document);
      const at = parts.findIndex((part) => waits.test(part));
      const following = at < 0 ? [] : parts.slice(at + 1);
      expect(following, document).toEqual(
        following.filter((part) => /^(Redirect|notify)$/.test(part)),
      );
      return at < 0 ? 'none' : 'one';
    });
    expect(ends.filter((end) => end === 'one').length).toBeGreaterThan(4);
  });
});

describe('2: a caller who says or presses nothing is not lost', () => {
  const record = flowWith({ a: { type: 'record', next: 'b' }, b: { type: 'hangup' } });
  const gather = flowWith({
    a: { type: 'gather', max_digits: 1, next: 'b' },
    b: { type: 'hangup' },
  });

  test.each(targets)('%s asks what to do after an empty recording', (target) => {
    expect(run(target, record).next?.url).toContain('/a/recorded');
  });

  test.each(targets)('%s asks what to do after no digits', (target) => {
    expect(run(target, gather).next?.url).toContain('/a/gathered');
  });
});

describe('3: an NCCO records a message, and asks for more before the recording is there', () => {
  const flow = flowWith({ a: { type: 'record', finish_keys: '' } });

  test('the recording is reported separately', () => {
    const { effects, next, notices } = run('ncco', flow, { seconds: 9 });
    expect(effects).toEqual([{ kind: 'record', seconds: 9 }]);
    expect(next).toMatchObject({ url: `${context.base}/a/recorded`, fields: { payload: {} } });
    expect(notices).toMatchObject([
      { url: `${context.base}/a/recording`, fields: { recording_url: expect.any(String) } },
    ]);
  });
});

describe('4: an NCCO rings one endpoint, and listens only to the last prompt', () => {
  const all: Nodes = {
    a: { type: 'dial', to: ['+919800000001', '+919800000002'], order: 'together' },
  };

  test('ringing together is an error, and rings one after another', () => {
    expect(codes('ncco', flowWith(all))).toEqual(['E_SIMRING']);
    expect(codes('twiml', flowWith(all))).toEqual([]);
    expect(codes('plivo', flowWith(all))).toEqual([]);
    expect(firstActions(all).map(({ action }) => action)).toEqual(['connect', 'connect', 'notify']);
    expect(run('ncco', flowWith(all)).effects[0]).toMatchObject({ to: ['919800000001'] });
  });

  test('the end of the leg is reported separately, then the provider asks what to do', () => {
    const one = flowWith({ a: { type: 'dial', to: ['+919800000001'] } });
    const { notices, next } = run('ncco', one, { leg: 'is-busy' });
    expect(notices.map(({ url, fields }) => [url, fields.status])).toEqual([
      [`${context.base}/a/leg`, 'started'],
      [`${context.base}/a/leg`, 'busy'],
    ]);
    expect(next?.url).toBe(`${context.base}/a/dialed`);
  });

  const asks: Nodes = {
    intro: { type: 'say', text: 'Welcome', next: 'ask' },
    ask: {
      type: 'gather',
      max_digits: 1,
      prompt: [
        { type: 'play', url: 'https://cdn.example.test/a.mp3' },
        { type: 'say', text: 'Press 1' },
      ],
      next: 'intro',
    },
  };

  test('no sound is cut by what follows it', () => {
    const { effects } = run('ncco', flowWith(asks), { keys: '1' });
    expect(effects.map((effect) => 'isInterrupted' in effect && effect.isInterrupted)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(codes('ncco', flowWith(asks))).toEqual(['W_BARGE_IN']);
  });

  test('keys pressed in the last prompt are heard', () => {
    const { effects } = run('ncco', flowWith(asks), { keys: '1', isHasty: true });
    expect(effects.slice(2)).toMatchObject([
      { kind: 'say', isInterrupted: true },
      { kind: 'collect', digits: '1' },
    ]);
  });
});

describe('5: finish keys and the bounds of an input', () => {
  test.each<[Target, keys: string, string[]]>([
    ['twiml', '*#', []],
    ['plivo', '*', []],
    ['plivo', '*#', ['W_FINISHKEY']],
    ['ncco', '#', []],
    ['ncco', '', []],
    ['ncco', '*', ['W_FINISHKEY']],
    ['ncco', '*#', ['W_FINISHKEY']],
  ])('%s, input ended by %j: %j', (target, finish_keys, expected) => {
    expect(codes(target, flowWith({ a: { type: 'gather', max_digits: 2, finish_keys } }))).toEqual(
      expected,
    );
  });

  test.each<[Target, keys: string, string[]]>([
    ['twiml', '*#', []],
    ['plivo', '*#', ['W_FINISHKEY']],
    ['plivo', '', ['W_FINISHKEY']],
    ['ncco', '*', []],
    ['ncco', '*#', ['W_FINISHKEY']],
  ])('%s, recording ended by %j: %j', (target, finish_keys, expected) => {
    expect(codes(target, flowWith({ a: { type: 'record', finish_keys } }))).toEqual(expected);
  });

  test.each(targets)('%s takes # as a digit where it does not end the input', (target) => {
    const flow = flowWith({ a: { type: 'gather', max_digits: 4, finish_keys: '' } });
    const { effects } = run(target, flow, { keys: '1#2' });
    expect(effects).toEqual([{ kind: 'collect', digits: '1#2' }]);
  });

  test.each<[Target, seconds: number, digits: number, string[]]>([
    ['twiml', 60, 32, []],
    ['plivo', 60, 32, []],
    ['plivo', 2, 32, ['W_CLAMP']],
    ['ncco', 10, 20, []],
    ['ncco', 11, 20, ['W_CLAMP']],
    ['ncco', 10, 21, ['W_CLAMP']],
  ])('%s, %s seconds and %s digits: %j', (target, timeout_seconds, max_digits, expected) => {
    const flow = flowWith({ a: { type: 'gather', max_digits, timeout_seconds } });
    expect(codes(target, flow)).toEqual(expected);
    expect(run(target, flow, { keys: '1#' }).fault).toBeUndefined();
  });
});

describe('6: time limits', () => {
  const ringing: EndOf<'dial'> = {
    kind: 'dial',
    node: 'a',
    to: ['+919800000001'],
    leg: 0,
    ringSeconds: 30,
    limitSeconds: 600,
  };
  const asking: EndOf<'gather'> = {
    kind: 'gather',
    node: 'a',
    prompt: [],
    maxDigits: 1,
    finishKeys: '#',
    timeoutSeconds: 5,
  };

  test.each<[Target, ring: number, limit: number, string[]]>([
    ['twiml', 600, 14_400, []],
    ['plivo', 600, 14_400, []],
    ['ncco', 120, 7_200, []],
    ['ncco', 121, 7_200, ['W_CLAMP']],
    ['ncco', 120, 7_201, ['W_CLAMP']],
  ])(
    '%s, ringing %s and talking %s seconds: %j',
    (target, ring_seconds, limit_seconds, expected) => {
      const flow = flowWith({
        a: { type: 'dial', to: ['+919800000001'], ring_seconds, limit_seconds },
      });
      expect(codes(target, flow)).toEqual(expected);
      expect(run(target, flow).fault).toBeUndefined();
    },
  );

  /** A flow may only ask for values within these bounds; a segment is clamped to them again. */
  test.each<[Target, EndOf<'dial'> | EndOf<'gather'>, written: RegExp]>([
    ['twiml', { ...ringing, ringSeconds: 601 }, / timeout="600"/],
    ['twiml', { ...ringing, limitSeconds: 14_401 }, / timeLimit="14400"/],
    ['plivo', { ...ringing, limitSeconds: 14_401 }, / timeLimit="14400"/],
    ['plivo', { ...asking, maxDigits: 33 }, / numDigits="32"/],
  ])('%s, of %o writes %s', (target, end, written) => {
    const flow = flowWith({ a: { type: 'hangup' } });
    const segment = { ...segmentFrom(flow, { node: 'a' }, {}), end };
    const { document, diagnostics } = compileSegment(flow, segment, target, context);
    expect(document).toMatch(written);
    expect(diagnostics.map(({ code }) => code)).toEqual(['W_CLAMP']);
  });

  test.each([
    { type: 'dial', to: ['+919800000001'], ring_seconds: 601 },
    { type: 'dial', to: ['+919800000001'], limit_seconds: 14_401 },
    { type: 'gather', max_digits: 33 },
    { type: 'gather', max_digits: 1, timeout_seconds: 61 },
  ])('no flow may ask for %o', (a) => {
    const reading = readFlow({ version: 1, start: 'a', nodes: { a } });
    expect(reading).toMatchObject({ kind: 'faulty', faults: [{ code: 'shape' }] });
  });

  test.each<[Target, seconds: number, string[]]>([
    ['twiml', 14_400, []],
    ['plivo', 14_400, []],
    ['ncco', 7_200, []],
    ['ncco', 7_201, ['W_CLAMP']],
  ])('%s, a call of %s seconds in all: %j', (target, seconds, expected) => {
    const flow = flowWith(
      { a: { type: 'play', url: 'https://x.test/a' } },
      { limits: { seconds } },
    );
    expect(codes(target, flow)).toEqual(expected);
  });

  test.each<[Target, silence: number, max: number, string[]]>([
    ['twiml', 60, 1, []],
    ['plivo', 60, 2, []],
    ['plivo', 60, 1, ['W_CLAMP']],
    ['ncco', 3, 3, []],
    ['ncco', 2, 3, ['W_CLAMP']],
    ['ncco', 11, 2, ['W_CLAMP', 'W_CLAMP']],
  ])('%s, silent %s of %s seconds: %j', (target, silence_seconds, max_seconds, expected) => {
    const flow = flowWith({ a: { type: 'record', silence_seconds, max_seconds } });
    expect(codes(target, flow)).toEqual(expected);
    expect(run(target, flow, { seconds: 1 }).fault).toBeUndefined();
  });
});

describe('7: numbers as each target writes them', () => {
  const dial = (to: string, caller_id = '+918000000001') =>
    flowWith({ a: { type: 'dial', to: [to], caller_id } });

  test.each<[Target, to: string, from: string]>([
    ['twiml', '+919800000001', 'callerId="+918000000001"'],
    ['plivo', '919800000001', 'callerId="918000000001"'],
    ['ncco', '919800000001', '"from":"918000000001"'],
  ])('%s: %s', (target, to, from) => {
    const flow = dial('+919800000001');
    expect(run(target, flow).effects).toMatchObject([{ kind: 'dial', to: [to] }]);
    expect(compile(flow, target, context).document).toContain(from);
  });

  test.each([
    '98000',
    '919800000001',
    '+0123456789',
    '+1234567890123456',
    'sip:x',
    '+91"><Hangup/>',
  ])('%s is none', (to) => {
    for (const target of targets) {
      expect(codes(target, dial(to))).toEqual(['E_NUMBER']);
      expect(codes(target, dial('+919800000001', to))).toEqual(['E_NUMBER']);
    }
  });
});

describe('8: languages', () => {
  const say = (language: string, recording?: string): CallFlow =>
    flowWith({
      a: { type: 'say', text: 'x', language, ...(recording === undefined ? {} : { recording }) },
    });

  test.each<[language: string, twiml: string, plivo: string, ncco: string]>([
    ['en-IN', '<Say language="en-IN"', '<Speak language="en-US"', '"language":"en-IN"'],
    ['hi-IN', '<Say language="hi-IN"', '<Speak voice="Polly.Aditi" language="hi-IN"', '"hi-IN"'],
    ['ta-IN', '<Say language="ta-IN"', '<Play>https://r.example.test/', '"language":"ta-IN"'],
    ['mr-IN', '<Say language="mr-IN"', '<Play>https://r.example.test/', '"action":"stream"'],
    ['ms-MY', '<Say language="ms-MY"', '<Play>https://r.example.test/', '"language":"ms-MY"'],
    ['ar-SA', '<Say language="arb"', '<Play>https://r.example.test/', '"language":"ar"'],
    ['zh-CN', '<Say language="zh-CN"', '<Play>https://r.example.test/', '"language":"cmn-CN"'],
  ])('%s', (language, ...expected) => {
    const flow = say(language, 'https://r.example.test/a.mp3');
    for (const [index, target] of targets.entries()) {
      expect(compile(flow, target, context).document).toContain(expected[index]);
      expect(run(target, flow).fault).toBeUndefined();
    }
  });

  test.each<[language: string, ...string[][]]>([
    ['en-US', [], [], []],
    ['en-IN', [], ['W_LANGUAGE'], []],
    ['ta-IN', [], ['E_LANGUAGE'], []],
    ['mr-IN', [], ['E_LANGUAGE'], ['E_LANGUAGE']],
    ['xx-XX', ['E_LANGUAGE'], ['E_LANGUAGE'], ['E_LANGUAGE']],
  ])('%s without a recording', (language, ...expected) => {
    expect(targets.map((target) => codes(target, say(language)))).toEqual(expected);
  });

  test('a recording in place of a voice gives a diagnostic', () => {
    const flow = say('mr-IN', 'https://r.example.test/a.mp3');
    expect(codes('ncco', flow)).toEqual(['W_RECORDED_PROMPT']);
  });

  test.each<[voice: 'woman' | 'man', language: string, ...string[]]>([
    ['woman', 'en-US', '<Say voice="Polly.Joanna"', '<Speak voice="WOMAN"', 'W_VOICE'],
    ['man', 'hi-IN', 'W_VOICE', 'W_VOICE', 'W_VOICE'],
    ['man', 'da-DK', '<Say voice="Polly.Mads"', 'W_VOICE', 'W_VOICE'],
  ])("a %s's voice for %s", (voice, language, ...expected) => {
    const flow = flowWith({ a: { type: 'say', text: 'x', voice, language } });
    for (const [index, target] of targets.entries()) {
      const { document, diagnostics } = compile(flow, target, context);
      expect(document + diagnostics.map(({ code }) => code).join()).toContain(expected[index]);
    }
  });
});

test('9: in Plivo only a pause at the start delays the answer, with a diagnostic', () => {
  const first: Nodes = { a: { type: 'pause', seconds: 1, next: 'b' }, b: { type: 'hangup' } };
  const later: Nodes = { z: { type: 'gather', max_digits: 1, next: 'a' }, ...first };
  expect(codes('plivo', flowWith(first))).toEqual(['W_FIRST_WAIT']);
  expect(codes('plivo', flowWith(later))).toEqual([]);
  expect(codes('twiml', flowWith(first))).toEqual([]);
  expect(codes('ncco', flowWith(first))).toEqual([]);
});

test.each(targets)('10: every address of %s carries the proof made for it', (target) => {
  const sign = (node: string, event: string) => `${node}.${event}&/=`;
  const { documents } = compileEvery(menu, target, { ...context, sign });
  const all = Object.values(documents).join('\n').replaceAll('&amp;', '&');
  const addresses = [...all.matchAll(/https:\/\/api\.example\.test[^"<]*/g)].map(([url]) => url);
  expect(addresses.length).toBeGreaterThan(5);
  for (const address of addresses) {
    const url = new URL(address);
    const [node, event] = url.pathname.split('/').slice(-2) as [string, string];
    expect(url.searchParams.get('token')).toBe(sign(node, event));
    expect([null, '1']).toContain(url.searchParams.get('empty'));
  }
});

describe('11: nobody is recorded against the policy', () => {
  const direct: Nodes = { a: { type: 'record' } };
  const announced: Nodes = {
    z: { type: 'say', text: 'This call is recorded', announces_recording: true, next: 'a' },
    ...direct,
  };
  const sometimes: Nodes = {
    q: { type: 'gather', max_digits: 1, branches: { '1': 'z', '2': 'p' } },
    p: { type: 'pause', seconds: 1, next: 'a' },
    ...announced,
  };

  test.each<[string, Nodes, CompileContext['recording'], allowed: boolean]>([
    ['no policy', direct, { policy: 'free', hasConsented: false }, true],
    ['not announced', direct, { policy: 'announced', hasConsented: false }, false],
    ['not announced on one path', sometimes, { policy: 'announced', hasConsented: false }, false],
    ['announced', announced, { policy: 'announced', hasConsented: false }, true],
    ['not announced, but consented', direct, { policy: 'announced', hasConsented: true }, true],
    ['announced is not consented', announced, { policy: 'consented', hasConsented: false }, false],
    ['consented', direct, { policy: 'consented', hasConsented: true }, true],
    ['taken back', direct, { policy: 'free', hasConsented: false, hasRefused: true }, false],
    [
      'withdrawn, though announced',
      announced,
      { policy: 'announced', hasConsented: false, hasRefused: true },
      false,
    ],
  ])('%s', (_name, nodes, recording, allowed) => {
    for (const target of targets) {
      const { documents, diagnostics } = compileEvery(flowWith(nodes), target, {
        ...context,
        recording,
      });
      const errors = diagnostics.filter(({ code }) => code === 'E_NO_CONSENT');
      expect(errors.map(({ node }) => node)).toEqual(allowed ? [] : ['a']);
      const recorded = Object.values(documents).some((text) => /<Record|"record"/.test(text));
      expect(recorded).toBe(allowed);
    }
  });
});

describe('12: size', () => {
  const long = (count: number): CallFlow =>
    flowWith(
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `n${index}`,
          {
            type: 'say',
            text: '&'.repeat(1_400),
            ...(index < count - 1 ? { next: `n${index + 1}` } : {}),
          } as const,
        ]),
      ),
    );

  test.each<[Target, number, string[]]>([
    ['twiml', 9, []],
    ['twiml', 10, ['E_SIZE']],
    ['plivo', 14, []],
    ['plivo', 15, ['E_SIZE']],
    ['ncco', 20, []],
  ])('%s of %s long texts: %j', (target, count, expected) => {
    expect(codes(target, long(count))).toEqual(expected);
    const { fault } = run(target, long(count));
    expect(fault === undefined).toBe(expected.length === 0);
  });

  test('markup within the request that places the call is shorter', () => {
    const flow = flowWith({
      a: { type: 'say', text: 'x'.repeat(3_000), next: 'b' },
      b: { type: 'say', text: 'x'.repeat(1_000) },
    });
    expect(codes('twiml', flow)).toEqual([]);
    expect(codes('twiml', flow, { isInline: true })).toEqual(['E_SIZE']);
    expect(codes('plivo', flow, { isInline: true })).toEqual([]);
  });

  test('a text longer than the target speaks is cut, with a diagnostic', () => {
    const flow = flowWith({ a: { type: 'say', text: 'x'.repeat(1_501) } });
    expect(codes('ncco', flow)).toEqual(['E_TEXT']);
    expect(run('ncco', flow).fault).toBeUndefined();
    expect(codes('twiml', flow)).toEqual([]);
  });
});

describe('a value is spoken as it is, and is never markup', () => {
  const flow = flowWith({ a: { type: 'say', text: '{{v}}' } }, { variables: { v: {} } });

  test.each([
    '<speak>Hi<break time="60s"/></speak>',
    '<SPEAK>Hi</SPEAK>',
    '<speak>Hi',
    'a <break/> b',
    '</Say><Hangup/>',
    '"},{"action":"talk',
    'سلام ‮abc',
    '😀',
  ])('%s', (v) => {
    for (const target of targets) {
      const { document } = compile(flow, target, { ...context, values: { v } });
      const { effects, fault } = interpret(target, document, []);
      expect(fault).toBeUndefined();
      expect(effects).toMatchObject([{ kind: 'say', text: v }, { kind: 'hangup' }]);
    }
  });
});

describe('what a PBX cannot do gives a diagnostic too', () => {
  const recording = 'https://r.example.test/a.wav';
  const say = { type: 'say', text: 'x' } as const;

  test.each<[string, Nodes, string[]]>([
    ['a text', { a: say }, ['E_SPEECH']],
    ['a text with a recording', { a: { ...say, recording } }, ['W_RECORDED_PROMPT']],
    ['a question', { a: { type: 'gather', max_digits: 1, prompt: [say] } }, ['E_SPEECH']],
    ['a sound', { a: { type: 'play', url: recording } }, []],
    ['a recording ended by #', { a: { type: 'record', finish_keys: '#' } }, []],
    ['a recording ended by none', { a: { type: 'record', finish_keys: '' } }, []],
    ['a recording ended by 1', { a: { type: 'record', finish_keys: '1' } }, ['W_FINISHKEY']],
    ['a conference', { a: { type: 'conference', name: 'x' } }, []],
    [
      'a conference with everything',
      {
        a: {
          type: 'conference',
          name: 'x',
          starts_on_enter: false,
          max_members: 3,
          hold_music: recording,
        },
      },
      ['W_CONFERENCE_START', 'W_CLAMP', 'W_HOLD_MUSIC'],
    ],
    ['an invalid number', { a: { type: 'dial', to: ['12'] } }, ['E_NUMBER']],
    [
      'an invalid caller id',
      { a: { type: 'dial', to: ['+919800000001'], caller_id: 'x' } },
      ['E_NUMBER'],
    ],
    [
      'numbers that ring together',
      { a: { type: 'dial', to: ['+919800000001', '+919800000002'], order: 'together' } },
      [],
    ],
  ])('%s', (_name, nodes, expected) => {
    const found = diagnose(flowWith(nodes), 'pbx', context);
    expect(found.map(({ code }) => code)).toEqual(expected);
  });

  test('a recording against the policy', () => {
    const recording = { policy: 'consented', hasConsented: false } as const;
    const found = diagnose(flowWith({ a: { type: 'record' } }), 'pbx', { ...context, recording });
    expect(found.map(({ code }) => code)).toEqual(['E_NO_CONSENT']);
  });
});

describe('what else a target cannot say', () => {
  const room = (more: object) => flowWith({ a: { type: 'conference', name: 'x', ...more } });

  test.each<[string, CallFlow, ...string[][]]>([
    [
      'hold music',
      room({ hold_music: 'https://cdn.example.test/a.mp3' }),
      [],
      ['W_HOLD_MUSIC'],
      [],
    ],
    ['few members', room({ max_members: 5 }), [], [], ['W_CLAMP']],
    ['many members', room({ max_members: 250 }), [], ['W_CLAMP'], ['W_CLAMP']],
    [
      'something after it',
      flowWith({ a: { type: 'conference', name: 'x', next: 'b' }, b: { type: 'hangup' } }),
      [],
      [],
      ['W_AFTER_CONFERENCE'],
    ],
    [
      'a variable without a value',
      flowWith({ a: { type: 'dial', to: ['{{to}}'] } }, { variables: { to: {} } }),
      ['W_VARIABLE'],
      ['W_VARIABLE'],
      ['W_VARIABLE'],
    ],
  ])('%s', (_name, flow, ...expected) => {
    expect(targets.map((target) => codes(target, flow))).toEqual(expected);
  });
});

test.each(targets)('markup within a text is an error for %s: it would be read aloud', (target) => {
  const flow = flowWith({
    start: { type: 'say', text: 'Wait <break time="1s"/> please', next: 'bye' },
    bye: { type: 'hangup' },
  });
  expect(codes(target, flow)).toEqual(['E_SSML']);
  const plain = flowWith({
    start: { type: 'say', text: 'Less than 5 < 6 is fine', next: 'bye' },
    bye: { type: 'hangup' },
  });
  expect(codes(target, plain)).toEqual([]);
});
