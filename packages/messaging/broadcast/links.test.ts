import { expect, test } from 'vitest';
import { isTrackable, rewriteLinks } from './links.ts';

test.each([
  ['See https://shop.test/a?b=1.', 'See <https://shop.test/a?b=1>.'],
  ['(https://shop.test/a)', '(<https://shop.test/a>)'],
  ['https://shop.test/a_(b)', '<https://shop.test/a_(b)>'],
  ['http://a.test, https://b.test!', '<http://a.test>, <https://b.test>!'],
  ['HTTPS://SHOP.TEST/x', '<HTTPS://SHOP.TEST/x>'],
  ['no address: shop.test or ftp://x.test', 'no address: shop.test or ftp://x.test'],
  [
    '请看https://a.test/x谢谢，或https://b.test/y。',
    '请看<https://a.test/x>谢谢，或<https://b.test/y>。',
  ],
  ['https://a.test/x، شكرا', '<https://a.test/x>، شكرا'],
  ['https://a.test/x। धन्यवाद', '<https://a.test/x>। धन्यवाद'],
  ['https://a.test:8443/x…', '<https://a.test:8443/x>…'],
  ['https://a.test/x😀', '<https://a.test/x>😀'],
  ['https://a.test/منتج و', '<https://a.test/منتج> و'],
  ['https://a.test/café?q=ü!', '<https://a.test/café?q=ü>!'],
  ['“https://a.test/”', '“<https://a.test/>”'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
  ['https://', 'https://'],
  [`https://a.test/${'x'.repeat(2_000)}`, `https://a.test/${'x'.repeat(2_000)}`],
])('%s', (text, rewritten) => {
  expect(rewriteLinks(text, (url) => `<${url}>`)).toBe(rewritten);
});

test('only an address that can be opened counts', () => {
  expect(isTrackable('https://shop.test/')).toBe(true);
  expect(isTrackable('shop.test')).toBe(false);
  expect(isTrackable('javascript://shop.test/%0aalert(1)')).toBe(false);
});
