import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encode } from './codec.ts';
import { limits } from './limits.ts';
import { createJoiner, split } from './parts.ts';

function join(parts: readonly string[]) {
  const joiner = createJoiner();
  return parts.map((text, index) => joiner(index, index === parts.length - 1, text)).at(-1);
}

test('a text of any length is joined completely', () => {
  const edge = fc.constantFrom(-1, 0, 1);
  fc.assert(
    fc.property(fc.nat(3), edge, fc.string({ unit: 'binary' }), (count, offset, tail) => {
      const length = Math.max(0, count * limits.partLengthMax + offset);
      const text = '€'.repeat(length) + tail;
      expect(join(split(text))).toEqual({ kind: 'whole', text });
    }),
    { numRuns: 30 },
  );
});

test('a part of the characters with the longest escapes fits a frame', () => {
  const text = '\u0001'.repeat(limits.partLengthMax);
  expect(encode({ kind: 'result', id: 'x'.repeat(64), part: 1, last: false, text })).toBeDefined();
});

test.each([
  { what: 'skipped', parts: [0, 2] },
  { what: 'repeated', parts: [0, 0] },
  { what: 'late', parts: [1] },
])('a part that is $what is refused', ({ parts }) => {
  const joiner = createJoiner();
  const last = parts.map((part) => joiner(part, false, 'x')).at(-1);
  expect(last).toEqual({ kind: 'refused', close: 'unexpected' });
});

test('empty parts are limited', () => {
  expect(createJoiner()(0, false, '')).toEqual({ kind: 'refused', close: 'unexpected' });
});

test('a result over the limit is refused at the part that exceeds it', () => {
  const joiner = createJoiner();
  const text = 'x'.repeat(limits.partLengthMax);
  const partsMax = limits.resultLengthMax / limits.partLengthMax;
  for (let part = 0; part < partsMax; part += 1)
    expect(joiner(part, false, text).kind).toBe('more');
  expect(joiner(partsMax, true, 'x')).toEqual({ kind: 'refused', close: 'oversized' });
});
