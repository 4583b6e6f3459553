import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CompileContext, compileEvery } from './compile.ts';
import { isError, type Target } from './diagnostic.ts';
import { context as plain } from './flow.sample.ts';
import type { CallFlow } from './flow.ts';
import { randomBehaviours, randomFlow, randomValue } from './random-flow.sample.ts';
import { traceDirect, traceOn } from './trace.sample.ts';

const targets: readonly Target[] = ['twiml', 'plivo', 'ncco'];
const runs = 1_000;
const timeMaxMs = 10_000;

test('a flow does the same on every target as on the state machine alone', () => {
  const seen = new Map<string, number>();
  let left = 0;
  fc.assert(
    fc.property(randomFlow, randomBehaviours, randomValue, (flow, behaviours, who) => {
      const context: CompileContext = {
        ...plain,
        sign: (node, event) => `${node}+${event}/=`,
        values: { who },
        callerId: '+918000000001',
      };
      if (targets.some((target) => hasError(flow, target, context))) {
        left += 1;
        return;
      }
      const expected = traceDirect(flow, context, behaviours);
      for (const target of targets) {
        expect(traceOn(target, flow, context, behaviours), target).toEqual(expected);
      }
      for (const { kind } of expected.effects as { kind: string }[]) {
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
      }
    }),
    { numRuns: runs, interruptAfterTimeLimit: timeMaxMs },
  );
  // The property proves nothing about effects that never happened.
  expect([...seen.keys()].sort()).toEqual([
    'collect',
    'conference',
    'dial',
    'hangup',
    'pause',
    'play',
    'record',
    'say',
  ]);
  expect(left).toBeLessThan(runs / 2);
});

function hasError(flow: CallFlow, target: Target, context: CompileContext): boolean {
  return compileEvery(flow, target, context).diagnostics.some(isError);
}
