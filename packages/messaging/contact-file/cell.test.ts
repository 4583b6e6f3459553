import { expect, test } from 'vitest';
import { cleanCell } from './cell.ts';

test.each([
  ['\u200e+971501234567\u00a0', '+971501234567'],
  ['é \u200b', 'é'],
  ['\u200b \u200b', ''],
  ['="+60123"', '+60123'],
  ["'=1", '=1'],
])('%j holds %j', (cell, text) => {
  expect(cleanCell(cell)).toBe(text);
});

test('a cell that is full of spaces is read as fast as any', () => {
  const cell = `é${' '.repeat(300_000)}é`;
  const begunAt = process.cpuUsage().user;
  expect(cleanCell(cell)).toBe(cell);
  expect(process.cpuUsage().user - begunAt).toBeLessThan(2_000_000);
});
