import { expect, test } from 'vitest';
import { z } from 'zod';
import { namesKnownFields, toldIssues, wordsOf } from './issue-words.ts';

const told = (schema: z.ZodType, value: unknown) =>
  toldIssues(schema.safeParse(value).error?.issues ?? []).map(
    (issue) => `${issue.path.join('.')} ${wordsOf(issue)}`,
  );

const shape = z.discriminatedUnion('type', [
  z.object({ type: z.literal('circle') }),
  z.object({ type: z.literal('square') }),
]);

const cases: readonly (readonly [z.ZodType, unknown, string])[] = [
  [shape, { type: 'line' }, 'type must be one of circle, square'],
  [z.object({ a: z.string() }), {}, 'a is required'],
  [z.object({ a: z.string() }), { a: 1 }, 'a must be a text'],
  [z.object({ a: z.int() }), { a: 1.5 }, 'a must be a whole number'],
  [z.strictObject({}), { b: 1 }, ' is not a known field'],
  [z.strictObject({}, { error: () => 'stands elsewhere' }), { b: 1 }, ' stands elsewhere'],
  [z.enum(['x', 'y']), 'z', ' must be one of x, y'],
  [z.literal('x'), 'z', ' must be x'],
  [z.string().min(1), '', ' must have at least 1 character'],
  [z.string().length(3), 'ab', ' must have exactly 3 characters'],
  [z.array(z.string()).max(2), ['a', 'b', 'c'], ' must have at most 2 items'],
  [z.number().max(9), 10, ' must be at most 9'],
  [z.number().gt(0), 0, ' must be more than 0'],
  [z.email(), 'x', ' must be an e-mail address'],
  [z.iso.datetime(), 'x', ' must be an instant such as 2026-01-31T08:00:00Z'],
  [z.string().regex(/a/), 'b', ' has a form that is not accepted'],
  [z.string().regex(/a/, 'must hold an a'), 'b', ' must hold an a'],
  [z.union([z.string(), z.number()]), true, ' must be a text or a number'],
  [z.union([z.string(), z.object({ a: z.number() })]), { a: 'x' }, 'a must be a number'],
];

test.each(cases)('case %#', (schema, value, words) => {
  expect(told(schema, value)).toEqual([words]);
});

test('a field that is not known names those that there are, at every depth', () => {
  const inner = z.strictObject({ a: z.int().optional(), b: z.int().optional() });
  const given = { x: { c: 1 }, y: 2 };
  const parsed = z
    .strictObject({ x: inner.optional() })
    .safeParse(given, { error: namesKnownFields });
  expect(parsed.error?.issues.map(wordsOf)).toEqual([
    'is not a known field: there are a, b',
    'is not a known field: there are x',
  ]);
});
