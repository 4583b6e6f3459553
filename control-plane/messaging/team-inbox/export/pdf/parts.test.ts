import { expect, test } from 'vitest';
import { partLimits, partsOf } from './parts.ts';
import { sampleDocument, sampleEntry } from './sample.fixture.ts';

const entries = (count: number, change = {}) =>
  Array.from({ length: count }, (_, index) => sampleEntry(index, change));

test.each([
  [0, [0]],
  [1, [1]],
  [5_000, [5_000]],
  [5_001, [5_000, 1]],
  [10_001, [5_000, 5_000, 1]],
])('%i entries go into parts of %j', (count, sizes) => {
  const parts = partsOf(sampleDocument({ entries: entries(count) }));
  expect(parts.map((part) => part.entries.length)).toEqual(sizes);
  expect(parts.map(({ number, count: of }) => `${number}/${of}`)).toEqual(
    sizes.map((_, index) => `${index + 1}/${sizes.length}`),
  );
  expect(parts.at(-1)!.firstEntry).toBe(count - sizes.at(-1)! + 1);
  expect(parts.flatMap((part) => part.entries)).toHaveLength(count);
});

test('consents are only in the last part', () => {
  const parts = partsOf(sampleDocument({ entries: entries(5_001) }));
  expect(parts.map(({ consents }) => consents.length)).toEqual([0, 2]);
});

test.each([
  ['ordinary text', 'lorem ipsum ', 1],
  ['Arabic', 'فاطمة', 3],
  ['lines', 'a\n', 52],
  ['codes', 'a\u0001', 12],
])('%s has the weight of its typesetting cost', (_, unit, weight) => {
  const text = unit.repeat(30_000 / unit.length);
  const parts = partsOf(sampleDocument({ entries: entries(200, { text }) }));
  const fitting = parts[0]!.entries.length;
  expect(fitting).toBe(Math.floor(partLimits.text / (30_000 * weight)));
});

test('much text or many pictures make a part end early, and one entry always fits', () => {
  const text = 'x'.repeat(partLimits.text / 2);
  const long = partsOf(sampleDocument({ entries: entries(5, { text }) }));
  expect(long.map((part) => part.entries.length)).toEqual([2, 2, 1]);
  const half = { type: 'image', storedAt: 'somewhere' };
  const media = Array(partLimits.pictures / 2).fill(half);
  const rich = partsOf(sampleDocument({ entries: entries(5, { media }) }));
  expect(rich.map((part) => part.entries.length)).toEqual([2, 2, 1]);
});
