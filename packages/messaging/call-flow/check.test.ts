import { describe, expect, test } from 'vitest';
import { readFlow } from './check.ts';
import { flowWith } from './flow.sample.ts';

const says = (next?: string) => ({
  type: 'say',
  text: 'x',
  ...(next === undefined ? {} : { next }),
});
const chain = (count: number, type: object) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `n${i}`,
      i === count - 1 ? { type: 'hangup' } : { ...type, next: `n${i + 1}` },
    ]),
  );
const recording = { type: 'record' };

describe('a faulty flow is refused, with the place', () => {
  test.each<[name: string, flow: object, faults: readonly [string, string][]]>([
    [
      'an unknown version',
      { version: 2, start: 'a', nodes: { a: says() } },
      [['shape', 'version']],
    ],
    ['an unknown member', { ...flow({ a: { ...says(), colour: 1 } }) }, [['shape', 'nodes.a']]],
    ['a node of no kind', flow({ a: { type: 'sing' } }), [['shape', 'nodes.a.type']]],
    [
      'a hostile name',
      JSON.parse('{"version":1,"start":"__proto__","nodes":{}}'),
      [['shape', 'start']],
    ],
    [
      'a name that every object inherits',
      { ...flow({ a: says() }), start: 'constructor' },
      [['missing_target', 'start']],
    ],
    [
      'control characters',
      flow({ a: { ...says(), text: 'a\u0000' } }),
      [['shape', 'nodes.a.text']],
    ],
    [
      'an address that runs code',
      flow({ a: { type: 'play', url: 'javascript:x' } }),
      [['shape', 'nodes.a.url']],
    ],
    [
      'a start that does not exist',
      { ...flow({ a: says() }), start: 'b' },
      [['missing_target', 'start']],
    ],
    ['a next that does not exist', flow({ a: says('b') }), [['missing_target', 'nodes.a.next']]],
    [
      'a branch that does not exist',
      flow({ a: { type: 'gather', max_digits: 1, branches: { 1: 'b' } } }),
      [['missing_target', 'nodes.a.branches.1']],
    ],
    ['a node nothing leads to', flow({ a: says(), b: says() }), [['unreachable', 'nodes.b']]],
    [
      'a loop without a wait',
      flow({ a: says('b'), b: { type: 'goto', next: 'a' } }),
      [
        ['loop_without_wait', 'nodes.a'],
        ['loop_without_wait', 'nodes.b'],
      ],
    ],
    [
      'a run that is too long for a document',
      flow(chain(23, { type: 'say', text: 'x' })),
      [
        ['too_long_a_run', 'nodes.n0'],
        ['too_long_a_run', 'nodes.n1'],
      ],
    ],
    [
      'too deep',
      flow(chain(53, recording)),
      [
        ['too_deep', 'nodes.n51'],
        ['too_deep', 'nodes.n52'],
      ],
    ],
    ['too many nodes', flow(chain(201, recording)), [['too_large', 'nodes']]],
    ['too much text', flow({ a: { ...says(), text: 'x'.repeat(70_000) } }), [['too_large', '']]],
    [
      'a branch that no keys can reach',
      flow({
        a: { type: 'gather', max_digits: 1, branches: { 1: 'b', 12: 'b', '#': 'b' } },
        b: says(),
      }),
      [
        ['dead_branch', 'nodes.a.branches.12'],
        ['dead_branch', 'nodes.a.branches.#'],
      ],
    ],
    [
      'an undeclared variable',
      flow({ a: { ...says(), text: 'Hi {{ name }}' } }),
      [['undeclared_variable', 'nodes.a']],
    ],
  ])('%s', (_name, input, faults) => {
    const reading = readFlow(input);
    const found = reading.kind === 'faulty' ? reading.faults : [];
    expect(found.map(({ code, path }) => [code, path])).toEqual(faults);
    expect(found.every(({ message }) => message.length > 0)).toBe(true);
  });
});

describe('a flow that is right is read', () => {
  test.each<[name: string, nodes: object]>([
    ['a loop that waits', { a: says('b'), b: { type: 'gather', max_digits: 1, next: 'a' } }],
    ['the longest run allowed', chain(21, { type: 'say', text: 'x' })],
    ['the deepest path allowed', chain(51, recording)],
    [
      'digits kept for later',
      {
        a: { type: 'gather', max_digits: 9, save_as: 'pin', next: 'b' },
        b: { type: 'say', text: 'You pressed {{pin}}' },
      },
    ],
  ])('%s', (_name, nodes) => {
    expect(readFlow(flow(nodes))).toMatchObject({ kind: 'flow' });
  });

  test('defaults are filled in', () => {
    expect(flowWith({ a: { type: 'gather', max_digits: 1 } }).nodes.a).toEqual({
      type: 'gather',
      prompt: [],
      max_digits: 1,
      finish_keys: '#',
      timeout_seconds: 5,
      retries: 2,
      branches: {},
    });
  });
});

test.each([undefined, null, 1, 'x', [], {}, { nodes: null }])(
  '%j is refused, not thrown at',
  (input) => {
    expect(readFlow(input)).toMatchObject({ kind: 'faulty' });
  },
);

function flow(nodes: object) {
  return { version: 1, start: Object.keys(nodes)[0], nodes };
}
