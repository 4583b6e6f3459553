import { expect, test } from 'vitest';
import { LineReader } from './text-lines.ts';

/** The bytes of a text in an encoding of which each character is one or two bytes. */
function bytesIn(encoding: string, text: string): Uint8Array {
  const decoder = new TextDecoder(encoding);
  const known = new Map<string, number[]>();
  for (let first = 0x80; first <= 0xff; first += 1) {
    known.set(decoder.decode(Uint8Array.of(first)), [first]);
    for (let second = 0x80; second <= 0xff; second += 1) {
      known.set(decoder.decode(Uint8Array.of(first, second)), [first, second]);
    }
  }
  return Uint8Array.from(
    [...text].flatMap((sign) => (sign < '\x80' ? sign.charCodeAt(0) : known.get(sign)!)),
  );
}

test.each([
  ['windows-1256', 'windows-1256', 'no;buyer\n1;شركة النور للتجارة\n2;مؤسسة الخليج\n'],
  ['windows-1256', 'windows-1256', 'no;buyer\n1;دار السلام\n'],
  ['gb18030', 'gb18030', 'no,buyer\n1,深圳市华强电子有限公司\n2,北京天龙贸易\n'],
  ['gb18030', 'gb18030', 'no,buyer\n1,Huawei 华为技术\n'],
  ['windows-1252', 'windows-1252', 'no;buyer\n1;Müller & Söhne\n2;Société Générale à Liège\n'],
  ['windows-1252', 'windows-1252', 'no;buyer\n1;ÖÄ GmbH\n2;Crème brûlée\n'],
  ['windows-1251', 'windows-1252', 'no;buyer\n1;ООО РОМАШКА\n2;Торговый дом Весна\n'],
  ['windows-1253', 'windows-1252', 'no;buyer\n1;Ελληνική Εταιρεία\n'],
])('a text of %s is read as %s: %j', (encoding, guessed, text) => {
  const reader = new LineReader();
  const read = reader.push(bytesIn(encoding, text));
  if (read.kind !== 'lines') throw new Error(read.error.message);
  expect(reader.encoding).toBe(guessed);
  if (encoding === guessed) expect(read.lines).toEqual(text.split('\n').slice(0, -1));
  else expect(reader.isEncodingCertain).toBe(false);
});
