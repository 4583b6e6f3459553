import { expect, test } from 'vitest';
import { BytesUnderWay } from './bytes-under-way.ts';

test('a tenant has its share, all together have the whole, and what is given back can be taken', () => {
  const bytes = new BytesUnderWay({ tenantMax: 100, allMax: 200 });
  expect(bytes.take('acme', 60)).toBe('taken');
  expect(bytes.take('acme', 41)).toBe('tenant');
  expect(bytes.take('acme', 40)).toBe('taken');
  expect(bytes.take('other', 76)).toBe('all');
  expect(bytes.take('other', 75)).toBe('taken');
  bytes.giveBack('acme', 60);
  expect(bytes.take('other', 25)).toBe('taken');
  expect(bytes.take('acme', 10)).toBe('taken');
});

test('however many tenants hold what they may, the next has something', () => {
  const allMax = 256_000_000;
  const bytes = new BytesUnderWay({ tenantMax: allMax / 4, allMax });
  for (let tenant = 0; tenant < 6; tenant += 1) {
    while (bytes.take(`tenant ${tenant}`, 100_000) === 'taken');
  }
  expect(bytes.take('next', 100_000)).toBe('taken');
});
