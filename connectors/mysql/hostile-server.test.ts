import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { expectLittle, forged, fourNames } from '../hostile-server.kit.ts';
import {
  answeringMysql,
  askForFile,
  binaryRow,
  column,
  endPacket,
  errorPacket,
  type MysqlAnswers,
  okPacket,
  prepared,
  result,
} from './hostile-server.kit.ts';

test.each<[string, MysqlAnswers]>([
  ['has no end of a statement', { prepare: [], execute: [] }],
  [
    'says that a statement has more columns than it names',
    { prepare: [forged(0, 1, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0)], execute: [] },
  ],
  [
    'names sixty thousand parameters',
    { prepare: prepared(60_000, ...fourNames), execute: result(fourNames) },
  ],
  [
    'has more columns than it has said',
    { prepare: prepared(0, ...fourNames), execute: [forged(0xfe, ...Array(8).fill(0xff))] },
  ],
  [
    'says that a value is longer than its packet',
    {
      prepare: prepared(0, ...fourNames),
      execute: result(fourNames, forged(0, 0, 0xfe, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0, 1)),
    },
  ],
  [
    'has another number of values than of columns',
    {
      prepare: prepared(0, ...fourNames),
      execute: result(fourNames, binaryRow('a'), binaryRow(...'abcdefgh'), binaryRow()),
    },
  ],
  ['has rows without columns', { prepare: prepared(0), execute: result([], binaryRow('a')) }],
  [
    'has columns of types that there are not',
    {
      prepare: prepared(0, ...fourNames),
      execute: [forged(1), column('a', 0xee), endPacket, binaryRow('a'), endPacket],
    },
  ],
  [
    'names a table thirty thousand times',
    {
      prepare: prepared(0, ...fourNames),
      execute: result(fourNames, ...Array(30_000).fill(binaryRow('erp', 'invoice', 'id', 'text'))),
    },
  ],
  [
    'has names of megabytes',
    {
      prepare: prepared(0, ...fourNames),
      execute: result(fourNames, binaryRow('s', 'invoice'.repeat(150_000), 'c', 'd')),
    },
  ],
  [
    'has names that act on terminals',
    {
      prepare: prepared(0, ...fourNames),
      execute: result(fourNames, binaryRow('s\u001b[2J', 'invoice\u202e', '\u0007', '\r')),
    },
  ],
  ['refuses in a megabyte', { prepare: [errorPacket(900_000)], execute: [] }],
  ['says nothing in many packets', { prepare: Array(5_000).fill(Buffer.alloc(0)), execute: [] }],
  [
    'ends a statement twice',
    { prepare: prepared(0, ...fourNames), execute: [...result(fourNames), endPacket, okPacket] },
  ],
])('of a server that %s little is kept', { timeout: 60_000 }, async (_, answers) => {
  await expectLittle('mysql', answeringMysql(answers));
});

test('a server that asks for a file gets none', { timeout: 60_000 }, async () => {
  let said = '';
  const answers = { prepare: [askForFile], execute: [askForFile] };
  await expectLittle('mysql', (socket) => {
    socket.on('data', (chunk) => {
      said += chunk.toString('latin1');
    });
    answeringMysql(answers)(socket);
  });
  expect(said).not.toContain(hostname());
});
