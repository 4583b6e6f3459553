import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { transform, transformSchema } from './transform.ts';

const text = readFileSync(new URL('../../docs/mapping.md', import.meta.url), 'utf8');
const rows = [
  ...text.matchAll(/^\| `([^`]*)` \| `(\{.*\})` \| (?:`([^`]*)`|refused: (\S+)) \|$/gm),
];

test.each(rows.map(([, value = '', step = '', result, fault]) => ({ value, step, result, fault })))(
  'docs/mapping.md: $value by $step is $result$fault',
  ({ value, step, result, fault }) => {
    const read = transformSchema.parse(parse(step));
    const outcome = transform(value, [read], (by) => ('value' in by ? by.value : 'Dubai'));
    expect('fault' in outcome ? outcome.fault.code : outcome.value).toBe(fault ?? result);
  },
);

test('docs/mapping.md has an example of each step', () => {
  const kinds = transformSchema.options.map(({ shape }) => shape.kind.value);
  expect(new Set(rows.map(([, , step = '']) => parse(step).kind))).toEqual(new Set(kinds));
});
