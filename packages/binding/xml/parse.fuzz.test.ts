import { creditNote } from '@drawbridge/ubl/credit-note.ts';
import { invoice } from '@drawbridge/ubl/invoice.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compile } from '../compile.ts';
import { build } from '../json/build.ts';
import { view } from '../json/view.ts';
import { runs } from '../runs.fixture.ts';
import { emit } from './emit.ts';
import { limits, type ParseOutcome, parse } from './parse.ts';

const binding = compile(invoice);
const bindings = [binding, compile(creditNote)];
const good = emit(
  binding,
  build(binding, {
    number: 'INV-1',
    currency: 'AED',
    notes: ['<&>', 'مرحبا 𝔘'],
    seller: { name: 'A', trn: '1', endpoint: '2', endpoint_scheme: '0235' },
    lines: [{ id: '1', qty: 2, unit: 'H87', tax: { category: 'S', rate: 5 } }],
    totals: { tax: '1', due: '21' },
  }).root,
);

/** Far more than linear time for these documents, and far less than quadratic: of this thread's processor. */
const boundMs = 5_000;

/** Reads a document, shows it and writes it again: nothing may throw. */
function survives(document: Uint8Array | string): ParseOutcome {
  const before = process.threadCpuUsage();
  const outcome = parse(bindings, document);
  if (outcome.kind === 'parsed') {
    view(outcome.root);
    const again = parse(bindings, emit(outcome.binding, outcome.root));
    expect(again.kind, 'what is written is well-formed').toBe('parsed');
  }
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(boundMs);
  return outcome;
}

/** Pieces of markup that a mutation puts in. */
const pieces = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(
    '<',
    '>',
    '&',
    ']]>',
    '<![CDATA[',
    '<!--',
    '-->',
    '<?x ',
    '<!DOCTYPE a [<!ENTITY e "x">]>',
    '&e;',
    '&#0;',
    '&#xD800;',
    '&#x10FFFF;',
    '<cbc:ID a:b="1">',
    '</cbc:ID>',
    '<cac:Party xmlns:cac="urn:x"/>',
    '<cbc:ID xmlns:cbc="">',
    ' xmlns="urn:x"',
    ' xml:lang="en"',
    ' __proto__="x"',
    '<__proto__/>',
    '\u0000',
    '\ufeff',
  ),
);

const mutation = fc.record({
  at: fc.nat(good.length),
  cut: fc.oneof(fc.constant(0), fc.nat(30)),
  put: pieces,
});

describe('any input is read or refused, in bounded time', () => {
  test('random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void survives(bytes)),
      runs(200),
    );
  });

  test('a good document with pieces cut out and put in', () => {
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
        let text = good;
        for (const { at, cut, put } of mutations) {
          text = `${text.slice(0, at)}${put}${text.slice(at + cut)}`;
        }
        survives(text);
        survives(new TextEncoder().encode(text));
      }),
      runs(300),
    );
  });

  test('elements moved into each other', () => {
    const elements = good.match(/<cac:\w+>|<\/cac:\w+>|<cbc:[^>]*>[^<]*<\/cbc:\w+>/g)!;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...elements), { maxLength: 30 }), (chosen) => {
        const open: string[] = [];
        const body = chosen.map((piece) => {
          if (piece.startsWith('</')) return open.length > 0 ? `</${open.pop()}>` : '';
          if (piece.startsWith('<cac:')) open.push(piece.slice(1, -1));
          return piece;
        });
        const end = open.reverse().map((name) => `</${name}>`);
        const head = good.slice(0, good.indexOf('<cbc:'));
        expect(survives(`${head}${[...body, ...end].join('')}</Invoice>`).kind).toBe('parsed');
      }),
      runs(200),
    );
  });
});

describe('large input is read or refused, in bounded time', () => {
  const within = (content: string): string => good.replace('</Invoice>', `${content}</Invoice>`);
  const list = (count: number, each: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => each(index)).join('');

  test.each([
    ['elements that no row binds', within('<a/>'.repeat(100_000)), 'parsed'],
    ['different elements that no row binds', within(list(50_000, (i) => `<a${i}/>`)), 'parsed'],
    ['occurrences of one element', within('<cbc:Note>x</cbc:Note>'.repeat(50_000)), 'parsed'],
    ['groups that a view looks for', within('<cac:TaxTotal/>'.repeat(50_000)), 'parsed'],
    ['attributes', within(`<a ${list(50_000, (i) => ` a${i}=""`)}/>`), 'parsed'],
    ['namespaces', within(`<a ${list(20_000, (i) => ` xmlns:a${i}="u"`)}/>`), 'parsed'],
    [
      'namespaces, and elements that declare one more',
      within(
        `<a${list(20_000, (i) => ` xmlns:a${i}="u"`)}>${'<a xmlns:b="u"/>'.repeat(20_000)}</a>`,
      ),
      'parsed',
    ],
    ['text', within(`<a>${'x'.repeat(5_000_000)}</a>`), 'parsed'],
    ['references', within(`<a>${'&amp;'.repeat(500_000)}</a>`), 'parsed'],
    ['comments', within('<!---->x'.repeat(200_000)), 'parsed'],
    ['a name', within(`<${'x'.repeat(1_000_000)}/>`), 'parsed'],
    ['depth', within('<a>'.repeat(1_000_000)), 'too-deep'],
    ['depth in value', good.replace('INV-1', '<a>'.repeat(limits.depthMax)), 'too-deep'],
    ['elements', within('<a/>'.repeat(limits.nodesMax + 1)), 'too-many-elements'],
    ['everything', ' '.repeat(limits.bytesMax + 1), 'too-large'],
    ['an open tag', within(`<a ${'a="x'.repeat(500_000)}`), 'not-well-formed'],
    ['an open comment', within(`<!-- ${'- '.repeat(500_000)}`), 'not-well-formed'],
  ])('much of %s', (_what, document, outcome) => {
    const found = survives(document);
    expect(found.kind === 'refused' ? found.fault.code : found.kind).toBe(outcome);
  });
});

describe('a document in several pieces is read like its whole text', () => {
  const lines = (count: number, end = ''): string =>
    good.replace(
      '</Invoice>',
      `${'<cbc:Note>é مرحبا 𝔘\r\n</cbc:Note>'.repeat(count)}${end}</Invoice>`,
    );
  const long = 20_000;

  test.each([
    ['text', lines(long)],
    ['a mark before it', `\ufeff${lines(long, '<cbc:Note>\ufeff</cbc:Note>')}`],
    ['comments that hold tags', lines(long, `<!--${'<a>'.repeat(long)}-->`)],
    ['a text that is longer than a piece', lines(1, `<cbc:Note>${'x'.repeat(200_000)}</cbc:Note>`)],
    ['a fault at the end', lines(long, '</cbc:Note>')],
    ['a control character at the end', lines(long, '\u0001')],
  ])('%s', (_what, text) => {
    const inPieces = parse(bindings, new TextEncoder().encode(text));
    const whole = parse(bindings, text.replace('\ufeff', ''));
    expect(inPieces.kind).toBe(whole.kind);
    if (inPieces.kind === 'parsed' && whole.kind === 'parsed') {
      expect(emit(binding, inPieces.root)).toBe(emit(binding, whole.root));
    } else expect(inPieces).toEqual(whole);
  });

  test('bytes that are not UTF-8 are reported, at any place', () => {
    const bytes = Buffer.from(lines(long));
    bytes[bytes.length - 100] = 0xff;
    const outcome = parse(bindings, bytes);
    expect(outcome).toMatchObject({ kind: 'refused', fault: { code: 'not-utf8' } });
  });
});
