import { expect, test } from 'vitest';
import { textOfFile } from './text-file.ts';

const text = '{ "password": "Zoë" }';

test.each([
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with its mark', Buffer.from(`\ufeff${text}`)],
  ['UTF-16 as Windows writes it', Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['the other UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
])('%s', (_, bytes) => {
  expect(textOfFile(bytes)).toBe(text);
});
