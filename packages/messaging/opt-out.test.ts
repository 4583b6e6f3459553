import { describe, expect, test } from 'vitest';
import { keywordOf, keywords } from './opt-out.ts';

test.each([
  ['STOP', 'stop'],
  [' stop. ', 'stop'],
  ['“Stop”', 'stop'],
  ['StopAll!', 'stop'],
  ['stop \n all', 'stop'],
  ['ＳＴＯＰ', 'stop'],
  ['\u200eSTOP\u200f', 'stop'],
  ['/stop', 'stop'],
  ['إيقاف', 'stop'],
  ['बंद', 'stop'],
  ['退订', 'stop'],
  ['Berhenti', 'stop'],
  ['ARRÊT', 'stop'],
  ['/start', 'start'],
  ['UNSTOP', 'start'],
  ['मदद', 'help'],
  ['INFO?', 'help'],
] as const)('%j is %s', (text, keyword) => {
  expect(keywordOf(text)).toBe(keyword);
});

test.each([
  'please do not stop',
  'stop it',
  'yes',
  'where is the bus stop',
  'nonstop',
  'endless',
  '',
  '///',
  'stop '.repeat(20),
])('%j is a message', (text) => {
  expect(keywordOf(text)).toBeUndefined();
});

describe('the table', () => {
  test('no word means two things, in any two languages', () => {
    for (const language of Object.values(keywords)) {
      for (const keyword of ['stop', 'start', 'help'] as const) {
        for (const word of language[keyword]) expect(keywordOf(word), word).toBe(keyword);
      }
    }
  });
});
