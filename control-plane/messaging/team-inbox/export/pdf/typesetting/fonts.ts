/**
 * The fonts of documents: they are part of the product, so that documents look the same everywhere.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { markGlyphs } from './glyph-table.ts';
import type { Coverage } from './text.ts';

interface Font {
  /** The package name after `@expo-google-fonts/`. */
  readonly name: string;
  /** The family name in the files. */
  readonly family: string;
  readonly faces: readonly string[];
}

const regularAndBold = ['400Regular', '700Bold'] as const;

/**
 * In the order in which a glyph is searched: emoji after all text fonts, because they also have
 * digits.
 */
const fonts: readonly Font[] = [
  { name: 'noto-sans', family: 'Noto Sans', faces: regularAndBold },
  // Noto's Arabic separates dots from their letters, so that no reader can find or copy the words.
  { name: 'vazirmatn', family: 'Vazirmatn', faces: regularAndBold },
  { name: 'noto-sans-arabic', family: 'Noto Sans Arabic', faces: regularAndBold },
  { name: 'noto-sans-hebrew', family: 'Noto Sans Hebrew', faces: regularAndBold },
  { name: 'noto-sans-devanagari', family: 'Noto Sans Devanagari', faces: regularAndBold },
  { name: 'noto-sans-bengali', family: 'Noto Sans Bengali', faces: regularAndBold },
  { name: 'noto-sans-gujarati', family: 'Noto Sans Gujarati', faces: regularAndBold },
  { name: 'noto-sans-gurmukhi', family: 'Noto Sans Gurmukhi', faces: regularAndBold },
  { name: 'noto-sans-tamil', family: 'Noto Sans Tamil', faces: regularAndBold },
  { name: 'noto-sans-telugu', family: 'Noto Sans Telugu', faces: regularAndBold },
  { name: 'noto-sans-kannada', family: 'Noto Sans Kannada', faces: regularAndBold },
  { name: 'noto-sans-malayalam', family: 'Noto Sans Malayalam', faces: regularAndBold },
  { name: 'noto-sans-thai', family: 'Noto Sans Thai', faces: regularAndBold },
  { name: 'noto-sans-sc', family: 'Noto Sans SC', faces: regularAndBold },
  // Hangul, in a twentieth of the size of Noto Sans KR.
  { name: 'nanum-gothic', family: 'NanumGothic', faces: regularAndBold },
  { name: 'noto-color-emoji', family: 'Noto Color Emoji', faces: ['400Regular'] },
  { name: 'noto-sans-symbols-2', family: 'Noto Sans Symbols 2', faces: ['400Regular'] },
];

/** Families in order of preference. */
export const fontFamilies = fonts.map(({ family }) => family);

/** One folder for each face. */
export function fontFolders(): string[] {
  return fonts.flatMap(({ name, faces }) => faces.map((face) => join(folderOf(name), face)));
}

/** The code points for which the regular faces have a glyph; read from the files. */
export function fontCoverage(): Coverage {
  const bits = new Uint8Array(0x110000 / 8);
  for (const { name } of fonts) {
    const file = `${fileStem(name)}_400Regular.ttf`;
    markGlyphs(readFileSync(join(folderOf(name), '400Regular', file)), bits);
  }
  return (codePoint) => (bits[codePoint >> 3]! & (1 << (codePoint & 7))) !== 0;
}

function folderOf(name: string): string {
  const { resolve } = createRequire(import.meta.url);
  return dirname(resolve(`@expo-google-fonts/${name}/package.json`));
}

/** `noto-sans-sc` → `NotoSansSC`. */
function fileStem(name: string): string {
  const words = name.split('-').map((word) => word[0]!.toUpperCase() + word.slice(1));
  return words.join('').replace(/Sc$/, 'SC');
}
