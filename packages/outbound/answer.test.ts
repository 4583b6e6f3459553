import { expect, test } from 'vitest';
import { plainHeaders, readUpTo } from './answer.ts';

async function* chunks(texts: readonly string[], error?: Error) {
  for (const text of texts) yield Buffer.from(text);
  if (error !== undefined) throw error;
}

const reset = Object.assign(new Error('secret'), { code: 'ECONNRESET' });

test.each([
  ['a whole body', chunks(['ab', 'cd']), 'abcd', undefined],
  ['none', chunks([]), '', undefined],
  ['a longer body', chunks(['ab', 'cde', 'f']), 'abcd', 'too-long'],
  ['a body that breaks off', chunks(['ab'], reset), 'ab', 'broken-off'],
])('%s is read up to the limit', async (_, body, text, fault) => {
  const read = await readUpTo(body, 4);
  expect(String(read.body)).toBe(text);
  expect(read.bodyFault?.kind).toBe(fault);
  expect(read.bodyFault?.reason ?? '').not.toContain('secret');
});

test('headers have one value each, under names in lower case', () => {
  expect(plainHeaders({ 'Retry-After': '7', 'set-cookie': ['a', 'b'], none: undefined })).toEqual({
    'retry-after': '7',
    'set-cookie': 'a, b',
    none: '',
  });
});
