import { describe, expect, test } from 'vitest';
import { isStopButton, keywordOf, keywords } from './opt-out.ts';

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
  ['ايقاف', 'stop'],
  ['أيقاف', 'stop'],
  ['إيقـــاف', 'stop'],
  ['توقّف', 'stop'],
  ['إلغاء الإشتراك', 'stop'],
  ['ألغاء الأشتراك.', 'stop'],
  ['إبدأ', 'start'],
  ['बंद', 'stop'],
  ['बन्द', 'stop'],
  ['退订', 'stop'],
  ['Berhenti', 'stop'],
  ['ARRÊT', 'stop'],
  ['ARRE\u0302T', 'stop'],
  ['Desabonner', 'stop'],
  ['Berhenti langganan', 'stop'],
  ['STOP ❤️', 'stop'],
  ['⛔️ STOP', 'stop'],
  ['⛔︎STOP🙏🏽', 'stop'],
  ['#️⃣ STOP', 'stop'],
  ['OPT-OUT', 'stop'],
  ['opt–out', 'stop'],
  ['stop-all', 'stop'],
  ['Un-subscribe!', 'stop'],
  ['S.T.O.P.', 'stop'],
  ['— stop —', 'stop'],
  ['Stop promotions', 'stop'],
  ['opt-in', 'start'],
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
  'stop-it',
  'st op',
  'non-stop',
  '❤️',
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

test.each([
  ['STOP', '', true],
  ['⛔️ Stop', 'b1', true],
  ['No more offers', 'STOP', true],
  ['Berhenti', 'id_2', true],
  ['Stop promotions', 'Stop promotions', true],
  ['Cancel', 'cancel', false],
  ['❌ Cancel', 'order_7', false],
  ['End', 'end', false],
  ['Yes', 'stop_the_alarm', false],
  ['Start', 'start', false],
  ['', '', false],
])('a button %j that sends %j refuses messages: %s', (label, payload, isStop) => {
  expect(isStopButton(label, payload)).toBe(isStop);
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
