import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { factsLine, lineOf, type Paragraph, paragraphsOf, textMax } from './text.ts';

const covers = (codePoint: number) => codePoint !== 0x1_0f80;
const set = (text: string) => paragraphsOf(text, covers);

/** What a reader sees, with codes in brackets. */
function seen({ runs }: Paragraph): string {
  return runs
    .map((run) => (run === null ? '' : typeof run === 'string' ? run : `[${run.code}]`))
    .join('');
}

describe('invisible or misleading characters are printed as their codes', () => {
  test.each([
    ['a\0b', 'a[U+0000]b'],
    ['bell \x07\x07\x07.', 'bell [U+0007 ×3].'],
    ['\x1b[31mred', '[U+001B][31mred'],
    ['del\x7f', 'del[U+007F]'],
    ['high \ud800 alone', 'high [U+D800] alone'],
    ['low \udfff\udfff', 'low [U+DFFF ×2]'],
    ['pay \u202e00.1 DEA', 'pay [U+202E]00.1 DEA'],
    ['\u202dx\u202c', '[U+202D]x\u202c'],
    ['\uffff\ufdd0', '[U+FFFF U+FDD0]'],
    ['\ue000 private', '[U+E000] private'],
    ['no glyph \u{10f80}', 'no glyph [U+10F80]'],
    ['hi\u{e0068}\u{e0069}!', 'hi[U+E0068 U+E0069]!'],
    ['', '[empty]'],
    ['  \t', '[U+0020 ×2 U+0009]'],
    ['\u200b\u200d\u200d', '[U+200B U+200D ×2]'],
    ['\u200b\u200c'.repeat(50), `[${'U+200B U+200C '.repeat(10)}…]`],
  ])('%j', (text, shown) => {
    expect(set(text).map(seen)).toEqual([shown]);
  });

  test.each([
    'plain, 100 %, #import "x": *, $a$ <b> `c` \\ // --',
    'مرحبا AED 1,250.00 \u200f!',
    'क्षण \u200d श्री',
    '👨‍👩‍👧‍👦 5️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    'a\u00a0b\u00adc',
  ])('%j is left as it is', (text) => {
    expect(set(text)).toEqual([{ rtl: /^م/.test(text), runs: [text] }]);
  });
});

test('too many marks on one letter are counted', () => {
  const [paragraph] = set(`Z${'\u0301'.repeat(5_000)}!`);
  expect(seen(paragraph!)).toBe(`Z${'\u0301'.repeat(6)}[4994 more marks]!`);
});

test.each([
  ['one\ntwo', ['one', 'two']],
  ['one\r\ntwo\rthree', ['one', 'two', 'three']],
  ['one\u2028two\u2029three\u0085four', ['one', 'two', 'three', 'four']],
  ['one\n\n\ntwo', ['one', '', '', 'two']],
  [`one${'\n'.repeat(1_001)}two`, ['one', '', '', '[998 more empty lines]', 'two']],
  ['end\n \n \n \n', ['end', '', '', '[2 more empty lines]']],
  ['\tin', ['    in']],
])('%j becomes paragraphs', (text, lines) => {
  expect(set(text).map(seen)).toEqual(lines);
});

test.each([
  ['مرحبا John', true],
  ['123 שלום', true],
  ['John مرحبا', false],
  ['+971 50 123', false],
  ['', false],
])('%j runs from right to left: %s', (text, rtl) => {
  expect(set(text)[0]!.rtl).toBe(rtl);
});

test('a word too long for its line may be split, between letters only', () => {
  const letter = 'é'.normalize('NFD');
  const [{ runs }] = set(`so ${letter.repeat(45)} short`) as [Paragraph];
  expect(runs).toEqual([
    `so ${letter.repeat(20)}`,
    null,
    letter.repeat(20),
    null,
    `${letter.repeat(5)} short`,
  ]);
  expect(set('漢字'.repeat(40))[0]!.runs).toEqual(['漢字'.repeat(40)]);
  expect(lineOf('x'.repeat(17), covers).runs).toEqual([
    'x'.repeat(8),
    null,
    'x'.repeat(8),
    null,
    'x',
  ]);
});

test('a sign as wide as a line may have a line of its own', () => {
  expect(set('a﷽b')[0]!.runs).toEqual(['a', null, '﷽', null, 'b']);
});

test('a text above every channel’s limit is cut, and says by how much', () => {
  const paragraphs = set('a '.repeat(textMax));
  expect(paragraphs).toHaveLength(2);
  expect(seen(paragraphs[1]!)).toBe(`[${textMax} more characters]`);
});

test('a name is one line, whatever its characters', () => {
  expect(seen(lineOf('Eve\n\r\nMallory\u2028x', covers))).toBe('Eve Mallory x');
  expect(seen(lineOf('x y '.repeat(1_000), covers))).toHaveLength(501);
});

test('facts keep their order when one of them runs from right to left', () => {
  const { rtl, runs } = factsLine(['كشف.pdf', '9 kB'], covers);
  expect({ rtl, runs }).toEqual({ rtl: false, runs: ['\u2068كشف.pdf\u2069 · 9 kB'] });
});

test('only line ends, marks and cuts change a text, and no text can imitate a code', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const shown = set(text).flatMap(({ runs }) => runs);
      const plain = shown.filter((run) => typeof run === 'string').join('');
      expect(plain).not.toMatch(/[\p{Cc}\p{Co}\u202d\u202e]/u);
      expect(plain.isWellFormed()).toBe(true);
    }),
  );
});
