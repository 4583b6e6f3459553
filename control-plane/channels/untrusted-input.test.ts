import { expect, test } from 'vitest';
import { fieldsOf, textOf } from './untrusted-input.ts';

test.each([
  ['a form', 'https://a.example/', 'text=a%00b'],
  ['the query', 'https://a.example/?text=a%00b', ''],
])('a field of %s is without what the database cannot store', (_, url, form) => {
  expect(fieldsOf(url, Buffer.from(form)).get('text')).toBe('ab');
});

test('a field of a form stands before one of the query', () => {
  expect(fieldsOf('https://a.example/?a=1&b=2', Buffer.from('b=3')).getAll('b')).toEqual(['3']);
});

test.each([
  ['a\0b', 'ab'],
  ['a\ud83d', 'a\ufffd'],
])('a text is without what the database cannot store: %j', (text, stored) => {
  expect(textOf(text)).toBe(stored);
});
