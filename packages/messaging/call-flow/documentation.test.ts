import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { faultCodes, readFlow } from './check.ts';
import { diagnosticCodes } from './diagnostic.ts';
import { callFlow } from './flow.ts';

const text = readFileSync(new URL('../../../docs/call-flows.md', import.meta.url), 'utf8');

test('the flow shown in docs/call-flows.md is one', () => {
  const shown = /```json\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  expect(readFlow(JSON.parse(shown))).toMatchObject({ kind: 'flow' });
});

test('docs/call-flows.md names every code and every node', () => {
  const named = [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!);
  const nodes = callFlow.shape.nodes.valueType.options.map(({ shape }) => shape.type.value);
  expect(new Set(named)).toEqual(
    new Set([...nodes, ...Object.keys(faultCodes), ...Object.keys(diagnosticCodes)]),
  );
});
