import { describe, expect, test } from 'vitest';
import { flowWith, menu } from './flow.sample.ts';
import type { CallFlow } from './flow.ts';
import {
  type Advance,
  type FlowEvent,
  initialState,
  missingVariables,
  nextSegment,
  unknownVariables,
} from './machine.ts';

/** The call after these events; fails when an event is refused. */
function after(flow: CallFlow, values: Record<string, string>, ...events: FlowEvent[]) {
  let advance: Advance = { kind: 'refused', reason: 'nothing happened' };
  let state = initialState(flow, values);
  for (const event of [{ kind: 'answered' } as const, ...events]) {
    advance = nextSegment(flow, state, event);
    if (advance.kind === 'refused') throw new Error(advance.reason);
    state = advance.state;
  }
  if (advance.kind === 'refused') throw new Error(advance.reason);
  return { ...advance.segment, state };
}

const digits = (pressed: string, node = 'menu'): FlowEvent => ({
  kind: 'gathered',
  node,
  digits: pressed,
});

describe('a gather', () => {
  test.each<[pressed: string, steps: number, end: string | undefined]>([
    ['1', 1, 'sales'],
    ['1#', 1, 'sales'],
    ['2', 1, 'message'],
    ['3', 1, 'room'],
    ['', 0, 'menu'],
    ['9', 0, 'menu'],
    ['toString', 0, 'menu'],
    ['__proto__', 0, 'menu'],
  ])('digits %j: %s steps, then the node %s', (pressed, steps, node) => {
    const segment = after(menu, {}, digits(pressed));
    expect([segment.steps.length, segment.state.node]).toEqual([steps, node]);
  });

  test('the question is repeated as often as the flow says, then `otherwise` follows', () => {
    expect(after(menu, {}, digits('')).state).toMatchObject({ node: 'menu', attempts: 1 });
    expect(after(menu, {}, digits(''), digits('7')).state).toMatchObject({ attempts: 2 });
    expect(after(menu, {}, digits(''), digits('7'), digits(''))).toMatchObject({
      end: { kind: 'hangup' },
      state: { isOver: true },
    });
  });

  test('a second visit of the menu counts its tries from zero', () => {
    const back: FlowEvent[] = [
      digits(''),
      digits('2'),
      { kind: 'recorded', node: 'message' },
      { kind: 'continued', node: 'again' },
    ];
    expect(after(menu, {}, ...back).state).toMatchObject({ node: 'menu', attempts: 0 });
  });

  test('digits are stored without the finish key, and spoken later', () => {
    const flow = flowWith({
      ask: { type: 'gather', max_digits: 4, finish_keys: '*#', save_as: 'pin', next: 'tell' },
      tell: { type: 'say', text: 'You pressed {{pin}}' },
    });
    const { steps, state } = after(flow, {}, digits('12*3', 'ask'));
    expect(steps).toMatchObject([{ text: 'You pressed 12' }]);
    expect(state.values).toEqual({ pin: '12' });
  });
});

describe('a dial', () => {
  const dialed = (result: 'answered' | 'busy' | 'no_answer' | 'failed'): FlowEvent => ({
    kind: 'dialed',
    node: 'sales',
    result,
  });

  test('one by one: after no answer comes the next number, then the branch', () => {
    expect(after(menu, {}, digits('1')).end).toMatchObject({ to: ['+919800000001'] });
    expect(after(menu, {}, digits('1'), dialed('busy')).end).toMatchObject({
      to: ['sip:desk@pbx.example.test'],
    });
    expect(after(menu, {}, digits('1'), dialed('busy'), dialed('busy')).end).toMatchObject({
      node: 'message',
    });
    expect(after(menu, {}, digits('1'), dialed('busy'), dialed('failed')).end).toEqual({
      kind: 'hangup',
    });
  });

  test('an answer ends the dial, though numbers are left', () => {
    expect(after(menu, {}, digits('1'), dialed('answered')).end).toEqual({ kind: 'hangup' });
  });

  test('an invalid number is skipped: the next rings, or the dial counts as failed', () => {
    const flow = flowWith(
      {
        hello: { type: 'say', text: 'One moment', next: 'desk' },
        desk: {
          type: 'dial',
          to: ['{{x}}', '+919800000001', '{{x}}'],
          branches: { failed: 'desk' },
          next: 'bye',
        },
        bye: { type: 'dial', to: ['{{x}}'] },
      },
      { variables: { x: {} } },
    );
    const failed: FlowEvent = { kind: 'dialed', node: 'desk', result: 'failed' };
    const first = after(flow, { x: '{{x}}' });
    expect(first).toMatchObject({
      steps: [{ text: 'One moment' }],
      end: { to: ['+919800000001'] },
      undialable: [{ node: 'desk', to: '{{x}}' }],
    });
    expect(first.state).toMatchObject({ node: 'desk', leg: 1 });
    // No number is left: `failed` leads back to the same node, and this must not loop for ever.
    expect(after(flow, { x: '1' }, failed).end).toEqual({ kind: 'hangup' });
    const busy: FlowEvent = { kind: 'dialed', node: 'desk', result: 'busy' };
    expect(after(flow, { x: '+919800000002' }, failed, busy, busy).end).toMatchObject({
      node: 'bye',
    });
  });

  test('together: all in one step', () => {
    const flow = flowWith({
      all: { type: 'dial', to: ['+919800000001', '+919800000002'], order: 'together' },
    });
    expect(after(flow, {}).end).toMatchObject({ to: ['+919800000001', '+919800000002'] });
  });
});

describe('variables', () => {
  test('values come from the call, else from the flow; braces in a value mean nothing', () => {
    expect(after(menu, {}, digits('1')).steps).toMatchObject([{ text: 'One moment, friend' }]);
    expect(after(menu, { name: '{{name}}' }, digits('1')).steps).toMatchObject([
      { text: 'One moment, {{name}}' },
    ]);
  });

  test('a value cannot leave its part of an address; control characters are dropped', () => {
    const flow = flowWith(
      {
        a: { type: 'play', url: 'https://cdn.example.test/{{v}}.mp3', next: 'b' },
        b: { type: 'say', text: '{{v}}' },
      },
      { variables: { v: {} } },
    );
    expect(after(flow, { v: '../a?b\u0000' }).steps).toMatchObject([
      { url: 'https://cdn.example.test/..%2Fa%3Fb%20.mp3' },
      { text: '../a?b' },
    ]);
  });

  test.each([
    ['..', '__'],
    ['.', '_'],
    ['...', '...'],
    ['a.b', 'a.b'],
    ['%2e%2e', '%252e%252e'],
  ])('a value of %s in an address is written as %s, and leads nowhere else', (v, written) => {
    const url = 'https://cdn.example.test/a/{{v}}/b.mp3';
    const flow = flowWith({ a: { type: 'play', url } }, { variables: { v: {} } });
    const [step] = after(flow, { v }).steps;
    expect(step).toMatchObject({ url: `https://cdn.example.test/a/${written}/b.mp3` });
    expect(new URL(url.replace('{{v}}', written)).pathname).toBe(`/a/${written}/b.mp3`);
  });

  test('a text that becomes blank is not said', () => {
    const flow = flowWith(
      {
        a: { type: 'say', text: ' {{v}}', next: 'b' },
        b: { type: 'gather', max_digits: 1, prompt: [{ type: 'say', text: '{{v}}' }] },
      },
      { variables: { v: {} } },
    );
    expect(after(flow, { v: ' ' })).toMatchObject({ steps: [], end: { prompt: [] } });
  });

  test('variables without a value are named', () => {
    const flow = flowWith({ a: { type: 'say', text: '{{x}}' } }, { variables: { x: {}, y: {} } });
    expect(missingVariables(flow, { x: '1' })).toEqual(['y']);
    expect(missingVariables(menu, {})).toEqual([]);
    expect(unknownVariables(flow, { x: '1', z: '2' })).toEqual(['z']);
  });
});

describe('an event that does not fit changes nothing', () => {
  test.each<[name: string, event: FlowEvent]>([
    ['a second answer', { kind: 'answered' }],
    ['an answer to another node', { kind: 'recorded', node: 'message' }],
    ['an answer of another kind', { kind: 'left', node: 'menu' }],
  ])('%s', (_name, event) => {
    const { state } = after(menu, {});
    expect(nextSegment(menu, state, event)).toMatchObject({ kind: 'refused' });
  });

  test('nothing follows the end', () => {
    const { state } = after(menu, {}, digits(''), digits(''), digits(''));
    expect(nextSegment(menu, state, digits(''))).toMatchObject({ kind: 'refused' });
  });
});

test('a call in an endless loop ends at the limit of documents', () => {
  const flow = flowWith(
    { a: { type: 'gather', max_digits: 1, retries: 0, otherwise: 'a' } },
    { limits: { documents: 3 } },
  );
  const round = digits('', 'a');
  expect(after(flow, {}, round, round).end.kind).toBe('gather');
  expect(after(flow, {}, round, round, round)).toMatchObject({
    end: { kind: 'hangup' },
    state: { isOver: true },
  });
});
