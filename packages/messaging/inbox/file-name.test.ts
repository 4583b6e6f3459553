import { expect, test } from 'vitest';
import { fileNameMax, fileNameOf } from './file-name.ts';
import { mediaTypes } from './media-type.ts';

const text = 'text/plain; charset=utf-8';

test.each([
  ['receipt.png', 'image/png', 'receipt.png'],
  ['Scan.JPEG', 'image/jpeg', 'Scan.JPEG'],
  ['list.csv', text, 'list.csv'],
  ['list.csv', 'constructor', 'list.csv.bin'],
  ['../../etc/passwd', text, 'passwd.txt'],
  ['C:\\temp\\a.txt', text, 'a.txt'],
  ['invoice.hta', text, 'invoice.hta.txt'],
  ['invoice.pdf.js', text, 'invoice.pdf.js.txt'],
  ['page.html', text, 'page.html.txt'],
  ['setup.exe', 'image/png', 'setup.exe.png'],
  ['run.bat.', text, 'run.bat..txt'],
  ['a.txt:run.exe', text, 'a.txt_run.exe.txt'],
  ['inv\u202egpj.exe', 'application/pdf', 'invgpj.exe.pdf'],
  ['a\r\nx-evil: 1\0.txt', text, 'ax-evil_ 1.txt'],
  ['.txt', text, 'file.txt'],
  ['..', text, '...txt'],
  ['كشف-حساب.pdf', 'application/pdf', 'كشف-حساب.pdf'],
  ['   ', 'image/png', 'file.png'],
  ['', 'audio/mpeg', 'file.mp3'],
  [undefined, 'audio/ogg', 'file.ogg'],
])('%j, %s, is kept as %s', (given, type, name) => {
  expect(fileNameOf(given, type)).toBe(name);
});

test.each(['😀'.repeat(300), `a${'😀'.repeat(300)}.txt`, `${'é'.repeat(400)}.csv`])(
  'a name that is too long is cut between letters, and keeps its extension',
  (given) => {
    const name = fileNameOf(given, text);
    expect(name.length).toBeLessThanOrEqual(fileNameMax);
    expect(name.isWellFormed()).toBe(true);
    expect(name).toMatch(/\.(txt|csv)$/);
  },
);

test('each accepted type has an extension', () => {
  for (const type of mediaTypes) expect(fileNameOf('x', type)).not.toBe('x.bin');
});
