import { expect, test } from 'vitest';
import { wrapText } from './text-wrapping.ts';

test.each([
  ['one two three', 7, ' ', 'one two\nthree'],
  ['one\ntwo three', 80, ' ', 'one\ntwo three'],
  ['immeasurable of', 5, ' ', 'immeasurable\nof'],
  ['/a/bb/ccc', 6, '/', '/a/bb/\nccc'],
  ['', 5, ' ', ''],
])('%j in lines of %d', (text, width, mark, lines) => {
  expect(wrapText(text, width, mark)).toBe(lines);
});
