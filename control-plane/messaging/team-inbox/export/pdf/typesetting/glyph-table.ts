/**
 * Reads the `cmap` table of a TrueType file: which code points have a glyph (OpenType 1.9, cmap).
 */

/** Sets the bit of each code point for which the font has a glyph. */
export function markGlyphs(font: Buffer, bits: Uint8Array): void {
  const start = tableStart(font, 'cmap');
  const subtables = font.readUInt16BE(start + 2);
  for (let index = 0; index < subtables; index++) {
    const at = start + font.readUInt32BE(start + 4 + 8 * index + 4);
    for (const [first, last] of rangesOf(font, at)) {
      for (let point = first; point <= last; point++) bits[point >> 3]! |= 1 << (point & 7);
    }
  }
}

type Range = readonly [first: number, last: number];

function tableStart(font: Buffer, tag: string): number {
  const tables = font.readUInt16BE(4);
  for (let index = 0; index < tables; index++) {
    const record = 12 + 16 * index;
    if (font.toString('latin1', record, record + 4) === tag) return font.readUInt32BE(record + 8);
  }
  throw new Error(`the font has no ${tag} table`);
}

/** Formats 4 and 12 cover all of Unicode; the others repeat parts of it. */
function rangesOf(font: Buffer, at: number): Range[] {
  const format = font.readUInt16BE(at);
  if (format === 4) {
    const doubled = font.readUInt16BE(at + 6);
    return counted(doubled / 2, (n): Range => {
      const last = font.readUInt16BE(at + 14 + 2 * n);
      // The last segment is a sentinel.
      return [font.readUInt16BE(at + 16 + doubled + 2 * n), Math.min(last, 0xfffe)];
    });
  }
  if (format !== 12) return [];
  return counted(font.readUInt32BE(at + 12), (n): Range => {
    const group = at + 16 + 12 * n;
    return [font.readUInt32BE(group), font.readUInt32BE(group + 4)];
  });
}

function counted<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
