import { methods } from '@drawbridge/link/methods.ts';
import { expect, test } from 'vitest';
import { importCommand } from '../drafts.suite.ts';
import { fittingImport } from './fitting-import.ts';

const commandOf = (changes: object, xml = '<Invoice/>') => {
  const { document, ...command } = importCommand('rcv_1');
  return { ...command, document: { ...document, xml, ...changes } };
};
const draftOf = (lines: number, length: number) => {
  const { draft } = importCommand('rcv_1').document;
  const name = 'n'.repeat(length);
  return {
    ...draft,
    lines: Array.from({ length: lines }, (_, at) => ({ line: String(at), name })),
  };
};

test.each([
  ['an ordinary one', commandOf({}), true],
  ['a long text', commandOf({ draft: draftOf(1, 3_000) }), true],
  [
    'a long name of its file',
    commandOf({ networkId: `${'r'.repeat(512)}#0123456789abcdef` }),
    true,
  ],
  ['a document that does not fit beside its draft', commandOf({}, '"'.repeat(600_000)), false],
  ['a thousand lines of long texts', commandOf({ draft: draftOf(1_000, 1_500) }), true],
])('%s is carried as the link takes it', (_, command, hasXml) => {
  const fitting = fittingImport('erp', command)!;
  const read = methods['connector.import'].params.safeParse({ connector: 'erp', command: fitting });
  expect(read.error).toBeUndefined();
  expect(fitting.document.xml !== undefined).toBe(hasXml);
});

test('a draft that fits in no way is not carried', () => {
  expect(fittingImport('erp', commandOf({ draft: draftOf(10_000, 200) }))).toBeUndefined();
});
