import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LenientCsv } from './lenient-csv.ts';
import { LineReader } from './text-lines.ts';

/** The records of a file whose bytes come in pieces. */
function recordsOf(pieces: readonly Uint8Array[], width?: number) {
  const lines = new LineReader();
  const csv = new LenientCsv({ separator: ',' });
  csv.width = width;
  const texts = pieces.map((piece) => {
    const outcome = lines.push(piece);
    if (outcome.kind === 'unreadable') throw new Error(outcome.error.message);
    return outcome;
  });
  return [...texts.flatMap((text) => [...csv.push(text)]), ...csv.push(lines.end()), ...csv.end()];
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const cell = fc.string({
  unit: fc.constantFrom('a', ' ', '"', ',', '\n', 'é', '٣', ';'),
  maxLength: 6,
});

test('what is quoted right is read as it was, wherever its bytes are cut', () => {
  const rows = fc.array(fc.tuple(fc.constantFrom('+1', '+2'), cell, cell), { maxLength: 8 });
  fc.assert(
    fc.property(
      rows,
      fc.array(fc.nat(200), { maxLength: 4 }),
      fc.boolean(),
      (all, cuts, isWide) => {
        const text = all.map((row) => row.map(quoted).join(',')).join('\n');
        const encoding = isWide ? 'utf16le' : 'utf8';
        const bytes = Buffer.from(`\ufeffphone,a,b\n${text}`, encoding);
        const places = [...new Set([20, ...cuts.map((at) => at + 20)])].sort((a, b) => a - b);
        const ends = places.filter((at) => at < bytes.length);
        const pieces = [0, ...ends].map((from, at) =>
          bytes.subarray(from, ends[at] ?? bytes.length),
        );
        const found = recordsOf(pieces).slice(1);
        expect(found.map(({ fields }) => fields)).toEqual(all);
        expect(found.map(({ problem }) => problem)).toEqual(all.map(() => undefined));
      },
    ),
  );
});

test('whatever a line holds, the good rows around it are read', () => {
  const bad = fc.string({ unit: fc.constantFrom('"', ',', 'a', ' ', "'"), maxLength: 12 });
  fc.assert(
    fc.property(fc.array(bad, { maxLength: 5 }), (middle) => {
      const lines = ['first,1,x', ...middle, 'last,2,y'];
      const found = recordsOf([Buffer.from(lines.join('\n'))], 3);
      const good = found.filter(({ problem }) => problem === undefined);
      expect(good[0]?.fields).toEqual(['first', '1', 'x']);
      expect(good.map(({ fields }) => fields.at(-3))).toContain('last');
    }),
  );
});

describe('the bounds', () => {
  test('a line without an end is refused', () => {
    const lines = new LineReader();
    lines.push(Buffer.from('phone\n'));
    expect(lines.push(Buffer.alloc(70_000, 'a'))).toMatchObject({ kind: 'unreadable' });
  });

  test('a file of nothing but opened quotes costs no more than its length', () => {
    const line = 'x,"a\n';
    const rows = recordsOf([Buffer.from(line.repeat(20_000))], 2);
    expect(rows.filter(({ problem }) => problem !== undefined).length).toBeGreaterThan(19_000);
  });
});
