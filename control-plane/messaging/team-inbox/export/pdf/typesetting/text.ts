/**
 * Prepares text of strangers for typesetting: splits it into paragraphs with a direction, and
 * prints characters as codes that would be invisible, or would make other text misleading.
 */

/**
 * A run of unchanged text, a code in place of characters that cannot be shown, or null: here a word
 * that is too long for its line may be split.
 */
type Run = string | { readonly code: string } | null;

export interface Paragraph {
  readonly rtl: boolean;
  readonly runs: readonly Run[];
}

/** Whether a font has a glyph for a code point. */
export type Coverage = (codePoint: number) => boolean;

/** The most UTF-16 code units of one text; channels carry much less. */
export const textMax = 200_000;
const emptyLinesMax = 2;
/**
 * The most marks on one letter; some scripts need a few, more would cover the neighbouring lines.
 */
const marksMax = 6;
/** How many letters of a word certainly fit into a line, and into a cell. */
const wordMax = { body: 40, line: 16 } as const;

/** One paragraph for each line; empty ones for empty lines. */
export function paragraphsOf(text: string, covers: Coverage): Paragraph[] {
  if (!/[^\p{Default_Ignorable_Code_Point}\p{White_Space}]/u.test(text)) return [blank(text)];
  const shown = text.length > textMax ? text.slice(0, textMax) : text;
  const lines = shown.replaceAll('\r\n', '\n').split(/[\n\r\u0085\u2028\u2029]/u);
  const paragraphs = collapsed(lines).map((line) =>
    typeof line === 'string'
      ? paragraphOf(line, wordMax.body, covers)
      : { rtl: false, runs: [line] },
  );
  if (shown === text) return paragraphs;
  const code = `${text.length - textMax} more characters`;
  return [...paragraphs, { rtl: false, runs: [{ code }] }];
}

const blankCodesMax = 20;

/**
 * A text without anything visible is described, because otherwise the message would seem missing.
 */
function blank(text: string): Paragraph {
  const stretches: Stretch[] = [];
  const characters = [...text.slice(0, textMax)];
  for (const character of characters) addCode(stretches, codeOf(character));
  const [only] = stretches;
  const codes = only !== undefined && 'codes' in only ? only.codes : [];
  const more = codes.length > blankCodesMax ? ' …' : '';
  const code = codes.length === 0 ? 'empty' : printed(codes.slice(0, blankCodesMax)) + more;
  return { rtl: false, runs: [{ code }] };
}

/** A name or similar: one paragraph, whatever its characters. */
export function lineOf(text: string, covers: Coverage): Paragraph {
  return paragraphOf(
    shortened(text, lineMax).replace(/[\n\r\u0085\u2028\u2029]+/gu, ' '),
    wordMax.line,
    covers,
  );
}

/** Facts in a row, from left to right whatever their script. */
export function factsLine(facts: readonly string[], covers: Coverage): Paragraph {
  const isolated = facts.map((fact) => {
    const short = shortened(fact, factMax);
    return /^[\x20-\x7e]*$/.test(short) ? short : `\u2068${short}\u2069`;
  });
  return { ...lineOf(isolated.join(' · '), covers), rtl: false };
}

const lineMax = 500;
const factMax = 100;

/** The beginning of a text, with a sign that there was more. */
export function shortened(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

/**
 * Turns many empty lines into a few and a count, so that nobody hides text behind an empty page.
 */
function collapsed(lines: readonly string[]): Run[] {
  const kept: Run[] = [];
  let empty = 0;
  const countRest = () => {
    if (empty > emptyLinesMax) kept.push({ code: `${empty - emptyLinesMax} more empty lines` });
    empty = 0;
  };
  for (const line of lines) {
    if (line.trim() === '') {
      empty += 1;
      if (empty <= emptyLinesMax) kept.push('');
      continue;
    }
    countRest();
    kept.push(line);
  }
  countRest();
  return kept;
}

function paragraphOf(line: string, longestWord: number, covers: Coverage): Paragraph {
  const runs = runsOf(line.replaceAll('\t', '    '), covers);
  const cut = runs.flatMap((run) =>
    typeof run === 'string' ? cutRun(run, longestWord) : [null, run, null],
  );
  return { rtl: isRightToLeft(line), runs: cut };
}

/** The direction of the first letter that has one, by UAX #9 (P2, P3). */
function isRightToLeft(line: string): boolean {
  const first = /\p{L}/u.exec(line)?.[0];
  return first !== undefined && rightToLeft.test(first);
}

const rightToLeft =
  /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}\p{sc=Adlam}\p{sc=Samaritan}]/u;

/** Words; scripts that may break without a space are left to the typesetter. */
const word = /[^ \p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]+/gu;
/** Characters as wide as whole words, or wider. */
const wide = /[\u2e3a\u2e3b\ufdf0-\ufdff]/u;
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The text in pieces, with a null wherever a word may be split. */
function cutRun(text: string, longestWord: number): Run[] {
  if (text.length <= longestWord && !wide.test(text)) return [text];
  const pieces = [''];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(word)) {
    const isWide = wide.test(found);
    if (found.length <= longestWord && !isWide) continue;
    pieces[pieces.length - 1] += text.slice(end, index);
    end = index + found.length;
    const letters = [...graphemes.segment(found)].map(({ segment }) => segment);
    const step = isWide ? 1 : longestWord / 2;
    for (let at = 0; at < letters.length; at += step) {
      if (at > 0) pieces.push('');
      pieces[pieces.length - 1] += letters.slice(at, at + step).join('');
    }
  }
  pieces[pieces.length - 1] += text.slice(end);
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [null, piece]));
}

/**
 * The most changes between text and codes in a paragraph; beyond it codes look like text, which is
 * cheap.
 */
const stretchesMax = 200;

/** A run of one kind; each code with its number of repeats. */
type Stretch = { text: string } | { codes: [code: string, count: number][] };

function runsOf(line: string, covers: Coverage): Run[] {
  if (/^[\x20-\x7e]*$/.test(line)) return line === '' ? [] : [line];
  const stretches: Stretch[] = [];
  let marks = 0;
  let flagTags = 0;
  for (const character of line) {
    const isMark = /\p{M}/u.test(character);
    if (!isMark && marks > marksMax) addCode(stretches, `${marks - marksMax} more marks`);
    marks = isMark ? marks + 1 : 0;
    if (marks > marksMax) continue;
    flagTags = character === blackFlag ? flagTagsMax : Math.max(0, flagTags - 1);
    if (isTag(character) ? flagTags > 0 : isShown(character, covers)) addText(stretches, character);
    else addCode(stretches, codeOf(character));
  }
  if (marks > marksMax) addCode(stretches, `${marks - marksMax} more marks`);
  const pieces = stretches.map((each) =>
    'text' in each ? each.text : { code: printed(each.codes) },
  );
  return pieces.length <= stretchesMax ? pieces : [pieces.map(plain).join('')];
}

/** Tag characters after it make the flag of a region; elsewhere they are invisible letters. */
const blackFlag = '\u{1f3f4}';
const flagTagsMax = 8;

function isTag(character: string): boolean {
  return /[\u{e0000}-\u{e007f}]/u.test(character);
}

function plain(piece: string | { readonly code: string }): string {
  return typeof piece === 'string' ? piece : `[${piece.code}]`;
}

function addText(stretches: Stretch[], text: string): void {
  const last = stretches.at(-1);
  if (last !== undefined && 'text' in last) last.text += text;
  else stretches.push({ text });
}

/** Neighbouring codes share a run: a text of nothing but codes must stay cheap to typeset. */
function addCode(stretches: Stretch[], code: string): void {
  const last = stretches.at(-1);
  if (last === undefined || 'text' in last) {
    stretches.push({ codes: [[code, 1]] });
    return;
  }
  const latest = last.codes.at(-1)!;
  if (latest[0] === code) latest[1] += 1;
  else last.codes.push([code, 1]);
}

function printed(codes: readonly (readonly [string, number])[]): string {
  return codes.map(([code, count]) => (count === 1 ? code : `${code} ×${count}`)).join(' ');
}

/**
 * Joiners, selectors and direction marks are invisible and stay. Direction overrides print digits
 * backwards, and so are shown as codes.
 */
function isShown(character: string, covers: Coverage): boolean {
  if (/[\p{Cc}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\u202d\u202e]/u.test(character)) return false;
  if (/[\p{Default_Ignorable_Code_Point}\p{Zs}]/u.test(character)) return true;
  return covers(character.codePointAt(0)!);
}

function codeOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
