import { expect, test } from 'vitest';
import { isProgram } from './visitors.ts';

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 ' +
  '(KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
const android =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/130.0.0.0 Mobile Safari/537.36';

test.each([
  ['a phone', 'GET', { 'user-agent': phone }, false],
  ['another phone', 'GET', { 'user-agent': android }, false],
  ['HEAD', 'HEAD', { 'user-agent': phone }, true],
  ['the preview of WhatsApp', 'GET', { 'user-agent': 'WhatsApp/2.24.20.89 A' }, true],
  ['the preview of Telegram', 'GET', { 'user-agent': 'TelegramBot (like TwitterBot)' }, true],
  ['curl', 'GET', { 'user-agent': 'curl/8.9.1' }, true],
  ['fetching ahead', 'GET', { 'user-agent': android, 'sec-purpose': 'prefetch;prerender' }, true],
  ['nobody', 'GET', {}, true],
])('%s', (_, method, headers, is) => {
  expect(isProgram({ method, headers })).toBe(is);
});
