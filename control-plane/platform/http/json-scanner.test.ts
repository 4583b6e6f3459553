import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonBounds, type JsonFault, JsonScanner } from './json-scanner.ts';

const wide: JsonBounds = { depthMax: 64, valuesMax: 1_000 };

/** The fault of a text that arrives in pieces of so many bytes. */
function faultOf(text: string | Uint8Array, bounds = wide, pieceBytes = Number.MAX_SAFE_INTEGER) {
  const bytes = Buffer.from(text);
  const scanner = new JsonScanner(bounds);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const fault = scanner.write(bytes.subarray(at, at + pieceBytes));
    if (fault !== undefined) return fault;
  }
  return scanner.end();
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const syntax = (line: number, column: number): JsonFault => ({ kind: 'syntax', line, column });

test.each<[string, JsonFault]>([
  ['', syntax(1, 1)],
  [' \n ', syntax(2, 2)],
  ['{"name":', syntax(1, 9)],
  ['{"name":\n  x}', syntax(2, 3)],
  ['{"a":tru}', syntax(1, 6)],
  ['{"a":truex}', syntax(1, 10)],
  ['[1,]', syntax(1, 4)],
  ['[01]', syntax(1, 3)],
  ['[1.]', syntax(1, 2)],
  ['[-]', syntax(1, 2)],
  ['1 2', syntax(1, 3)],
  ['{"a" 1}', syntax(1, 6)],
  ['{,}', syntax(1, 2)],
  ['{"a":1,}', syntax(1, 8)],
  ['[}', syntax(1, 2)],
  ['["é😀é",x]', syntax(1, 9)],
  ['["é",\n"é" x]', syntax(2, 5)],
  ['["a\nb"]', syntax(1, 2)],
  ['["open', syntax(1, 2)],
  ['["\\x"]', syntax(1, 2)],
  ['["\\u00g0"]', syntax(1, 2)],
  ['["\\u0000"]', { kind: 'unstorable' }],
  ['["\\ud800"]', { kind: 'unstorable' }],
  ['["\\ud800x"]', { kind: 'unstorable' }],
  ['["\\ud800\\n"]', { kind: 'unstorable' }],
  ['["\\ud800\\ud800"]', { kind: 'unstorable' }],
  ['["\\udc00"]', { kind: 'unstorable' }],
  ['{"\\udc00":1}', { kind: 'unstorable' }],
])('%j is refused', (text, fault) => {
  expect(faultOf(text)).toEqual(fault);
  expect(faultOf(text, wide, 1)).toEqual(fault);
});

test.each([
  '\ufeff{"a":1}',
  '[-0, 0.5, -1.25e+10, 1E5, 2e-3]',
  '["\\ud83d\\ude00", "\\"\\\\\\/\\b\\f\\n\\r\\t", "😀", ""]',
  ' { "a" : [ ] , "b" : { } , "a" : null } \r\n',
  '7',
])('%j is JSON', (text) => {
  expect(faultOf(text)).toBeUndefined();
  expect(faultOf(text, wide, 1)).toBeUndefined();
});

describe('bounds hold before the text has ended', () => {
  test.each<[string, string, Partial<JsonBounds>, JsonFault | undefined]>([
    ['as deep as may be', '[[{}]]', { depthMax: 3 }, undefined],
    ['deeper', '[[{"a":[', { depthMax: 3 }, { kind: 'depth' }],
    ['as many values as may be', '[1,"a",{"b":null}]', { valuesMax: 5 }, undefined],
    ['one more', '[1,"a",{"b":n', { valuesMax: 4 }, { kind: 'values' }],
    ['many empty ones', '[[],[],[],[', { valuesMax: 4 }, { kind: 'values' }],
  ])('%s', (_, text, bounds, fault) => {
    expect(faultOf(text, { ...wide, ...bounds })).toEqual(fault);
  });
});

/** Bytes that the attacks on a service were made of. */
const attacks: readonly [string, string][] = [
  ['a text of escapes that does not end', `{"xml":"${'\\n'.repeat(9_500_000)}`],
  ['broken at its end', `{"a":[${'1,'.repeat(9_500_000)}x]}`],
  ['empty lists', `{"invoice":{"lines":[${'[],'.repeat(6_000_000)}[]]}}`],
  ['one deep nest', '['.repeat(18_000_000)],
];

test.each(attacks)('19 MB of %s are refused', (_, text) => {
  expect(faultOf(text, { depthMax: 64, valuesMax: 500_000 }, 65_536)).toBeDefined();
});

test('a syntax fault is told at the first character that cannot continue the text', () => {
  const marks = fc.constantFrom(...'{}[]:,"x\\1-.eE \n\u007f\té😀');
  const text = fc.json({ maxDepth: 4 });
  fc.assert(
    fc.property(text, fc.nat(), marks, fc.nat({ max: 3 }), (json, n, mark, more) => {
      const at = n % (json.length + 1);
      const broken = json.slice(0, at) + mark + json.slice(at);
      const fault = faultOf(broken, wide, 1 + more);
      if (fault?.kind === 'unstorable') return;
      expect(fault === undefined).toBe(isJson(broken));
      if (fault?.kind !== 'syntax') return;
      const offset = offsetOf(broken, fault);
      const before = broken.slice(0, offset);
      // What stands before it is JSON, or is JSON cut short: it goes wrong at its very end.
      const cut = faultOf(before);
      const isCutShort = cut?.kind === 'syntax' && offsetOf(before, cut) === before.length;
      expect(isJson(before) || isCutShort).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

function offsetOf(text: string, { line, column }: { line: number; column: number }): number {
  const earlier = text.split('\n').slice(0, line - 1);
  return earlier.reduce((sum, { length }) => sum + length + 1, column - 1);
}
