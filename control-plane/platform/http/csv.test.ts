import { expect, test } from 'vitest';
import { csvCell, quotedCsvCell } from './csv.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(1)', "'@SUM(1)"],
  ['\t=1', "'\t=1"],
  ['＝1+1', "'＝1+1"],
  ['＠SUM(1)', "'＠SUM(1)"],
  ['a=1', 'a=1'],
])('no spreadsheet runs %j', (text, cell) => {
  expect(csvCell(text)).toBe(cell);
  expect(quotedCsvCell(text)).toBe(`"${cell}"`);
});

test('a cell that begins with a new line, and then a formula, is a text', () => {
  expect(csvCell('\n=1+1')).toBe(`"'\n=1+1"`);
});
