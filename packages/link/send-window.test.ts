import { expect, test } from 'vitest';
import { limits } from './limits.ts';
import { SendWindow } from './send-window.ts';

test('an acknowledgement covers all messages up to its number, each once', () => {
  const window = new SendWindow<string>();
  expect(['a', 'b', 'c'].map((each) => window.add(each))).toEqual([1, 2, 3]);
  expect(window.acknowledge(2)).toEqual(['a', 'b']);
  expect(window.acknowledge(2)).toEqual([]);
  expect(window.acknowledge(3)).toEqual(['c']);
});

test('an acknowledgement of a message that was never sent is refused', () => {
  const window = new SendWindow<string>();
  window.add('a');
  expect(window.acknowledge(2)).toBeUndefined();
  expect(window.acknowledge(1)).toEqual(['a']);
});

test('only acknowledgements make room', () => {
  const window = new SendWindow<number>();
  while (window.room > 0) window.add(0);
  expect(window.acknowledge(1)).toHaveLength(1);
  expect(window.room).toBe(1);
  expect(window.add(0)).toBe(limits.windowMax + 1);
});
