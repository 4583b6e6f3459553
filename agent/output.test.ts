import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Outcome } from './outcome.ts';
import { present } from './output.ts';

const hostile = 'a\u001b]0;title\u0007b\rc\u009b2Jd\u202egpj.exe\u2066e';
const wanted = 'a\ufffd]0;title\ufffdb\ufffdc\ufffd2Jd\ufffdgpj.exe\ufffde';

function shown(outcome: Outcome): string {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  present(outcome, { json: false, quiet: false, color: false }, { stdout, stderr });
  return `${stdout.read() ?? ''}${stderr.read() ?? ''}`;
}

test.each<[string, Outcome]>([
  ['a sentence', { kind: 'done', data: {}, shown: hostile }],
  ['one of several parts', { kind: 'done', data: {}, shown: ['first', hostile] }],
  ['a title', { kind: 'done', data: {}, shown: { title: hostile, head: ['a'], rows: [['b']] } }],
  ['a cell', { kind: 'done', data: {}, shown: { head: ['a'], rows: [[hostile]] } }],
  ['the head of a table', { kind: 'done', data: {}, shown: { head: [hostile], rows: [['b']] } }],
  [
    'what stands for no rows',
    { kind: 'done', data: {}, shown: { head: [], rows: [], none: hostile } },
  ],
  ['a cause', { kind: 'failed', error: 'usage', cause: hostile }],
])('nothing of %s acts on the terminal', (_, outcome) => {
  expect(shown(outcome)).toContain(wanted);
});

test('Arabic with its marks stays as it is', () => {
  const name = 'شركة النور \u200fABC\u200e\n٢';
  expect(shown({ kind: 'done', data: {}, shown: name })).toBe(`${name}\n`);
});
