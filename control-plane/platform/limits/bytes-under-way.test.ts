import { expect, test } from 'vitest';
import { BytesUnderWay } from './bytes-under-way.ts';

test('a tenant has its share, all together have the whole, and what is given back can be taken', () => {
  const bytes = new BytesUnderWay({ tenantMax: 100, allMax: 150 });
  expect(bytes.take('acme', 60)).toBe('taken');
  expect(bytes.take('acme', 41)).toBe('tenant');
  expect(bytes.take('acme', 40)).toBe('taken');
  expect(bytes.take('other', 51)).toBe('all');
  expect(bytes.take('other', 50)).toBe('taken');
  bytes.giveBack('acme', 60);
  expect(bytes.take('other', 50)).toBe('taken');
  expect(bytes.take('acme', 10)).toBe('taken');
});
