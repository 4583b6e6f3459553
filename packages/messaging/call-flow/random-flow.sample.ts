import fc from 'fast-check';
import type { Behaviour } from '../../../control-plane/channels/simulation/voice/phone-call.ts';
import { readFlow } from './check.ts';
import type { CallFlow } from './flow.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const name = fc.constantFrom(...names);
const text = fc.constantFrom(
  'Hello {{who}}',
  '{{who}}',
  'You pressed {{pin}}',
  'a < b & "c"',
  '  spaced  ',
);
/** The address of a recording; its end says what is spoken in it. */
export const recordings = 'https://cdn.example.test/recording/';
const say = text.chain((text) =>
  fc.record({
    type: fc.constant('say'),
    text: fc.constant(text),
    loop: fc.integer({ min: 1, max: 3 }),
    language: fc.constantFrom('en-US', 'en-IN', 'hi-IN', 'ta-IN', 'mr-IN', 'pt-PT'),
    recording: fc.constant(recordings + encodeURIComponent(text).replaceAll(/%7[BD]/g, decode)),
  }),
);
const play = fc.record({
  type: fc.constant('play'),
  url: fc.constantFrom(
    'https://cdn.example.test/a.mp3?x=1&y=2',
    'https://cdn.example.test/{{who}}',
  ),
  loop: fc.integer({ min: 1, max: 3 }),
});
const voice = fc.option(fc.constantFrom('woman', 'man'), { nil: undefined });
const next = fc.option(name, { nil: undefined, freq: 12 });
const finish_keys = fc.constantFrom('#', '', '*', '*#', '1', '#0');

const kinds = {
  say: fc.tuple(say, voice, next).map(([node, voice, next]) => ({ ...node, voice, next })),
  play: fc.tuple(play, next).map(([node, next]) => ({ ...node, next })),
  pause: fc.record({ type: fc.constant('pause'), seconds: fc.integer({ min: 1, max: 9 }), next }),
  gather: fc.record({
    type: fc.constant('gather'),
    prompt: fc.array(fc.oneof(say, play), { maxLength: 3 }),
    max_digits: fc.integer({ min: 1, max: 4 }),
    finish_keys,
    timeout_seconds: fc.integer({ min: 1, max: 30 }),
    retries: fc.integer({ min: 0, max: 2 }),
    branches: fc.dictionary(fc.constantFrom('1', '2', '3', '12', '*'), name, { maxKeys: 3 }),
    next,
    otherwise: next,
    save_as: fc.option(fc.constant('pin'), { nil: undefined }),
  }),
  dial: fc.record({
    type: fc.constant('dial'),
    to: fc.array(fc.constantFrom('+919800000001', 'sip:a@b.example.test', '{{number}}'), {
      minLength: 1,
      maxLength: 3,
    }),
    order: fc.constantFrom('one_by_one', 'one_by_one', 'together'),
    ring_seconds: fc.constantFrom(20, 300),
    limit_seconds: fc.constantFrom(600, 14_400),
    branches: fc.dictionary(fc.constantFrom('busy', 'no_answer', 'failed'), name, { maxKeys: 2 }),
    next,
  }),
  record: fc.record({
    type: fc.constant('record'),
    max_seconds: fc.constantFrom(1, 60),
    silence_seconds: fc.constantFrom(1, 5, 30),
    finish_keys,
    next,
  }),
  conference: fc.record({
    type: fc.constant('conference'),
    name: fc.constantFrom('Room 1', '{{who}}'),
    max_members: fc.option(fc.constantFrom(2, 250), { nil: undefined }),
    next,
  }),
  hangup: fc.record({ type: fc.constant('hangup') }),
  goto: fc.record({ type: fc.constant('goto'), next: name }),
};

/** Flows of at most eight nodes that `readFlow` accepts, with all kinds of nodes and exits. */
export const randomFlow: fc.Arbitrary<CallFlow> = fc
  .tuple(...names.map(() => fc.oneof(...Object.values(kinds), kinds.gather, kinds.gather)))
  .map((nodes) => withoutUnreached(Object.fromEntries(nodes.map((node, at) => [names[at]!, node]))))
  .map((nodes) =>
    readFlow({
      version: 1,
      start: 'a',
      variables: {
        who: {},
        pin: { default: 'none' },
        number: { default: '+14155550100' },
      },
      limits: { documents: 12 },
      nodes: JSON.parse(JSON.stringify(nodes)),
    }),
  )
  .filter((reading) => reading.kind === 'flow')
  .map((reading) => reading.flow);

/** Values that a hostile customer might use in place of a name. */
export const randomValue: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '<speak>Hi<break time="3s"/></speak>',
    '<speak>Hi',
    'Asha',
    '',
    ' ',
    '</Say><Hangup/>',
    ']]>',
    '"},{"action":"x',
    '{{pin}}',
    'é&#0;',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

/** The behaviour of people for a dozen waits. */
export const randomBehaviours: fc.Arbitrary<Behaviour[]> = fc.array(
  fc.record({
    keys: fc.stringMatching(/^[123*#]{0,4}$/),
    isHasty: fc.boolean(),
    leg: fc.constantFrom('answers', 'is-busy', 'does-not-answer', 'fails'),
    seconds: fc.constantFrom(0, 1, 40, 500),
    hangsUp: fc.integer({ min: 0, max: 12 }).map((dice) => dice === 0),
  }),
  { minLength: 3, maxLength: 12 },
);

type Exits = {
  readonly type: string;
  readonly next?: string | undefined;
  readonly otherwise?: string | undefined;
  readonly branches?: Readonly<Record<string, string>>;
};

function withoutUnreached(nodes: Readonly<Record<string, Exits>>) {
  const reached = new Set(['a']);
  for (const each of reached) {
    const { next, otherwise, branches = {} } = nodes[each]!;
    for (const to of [next, otherwise, ...Object.values(branches)]) {
      if (to !== undefined) reached.add(to);
    }
  }
  return Object.fromEntries(Object.entries(nodes).filter(([each]) => reached.has(each)));
}

function decode(code: string): string {
  return decodeURIComponent(code);
}
