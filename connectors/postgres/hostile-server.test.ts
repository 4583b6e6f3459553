import { test } from 'vitest';
import { expectLittle, fourNames, many } from '../hostile-server.kit.ts';
import {
  answeringStatements,
  columnsNamed,
  end,
  postgresMessage,
  row,
} from './hostile-server.kit.ts';

const four = columnsNamed(...fourNames);

test.each<[string, readonly Buffer[]]>([
  [
    'says that there are more rows than any',
    [four, postgresMessage('C', `SELECT ${'9'.repeat(400)}\0`)],
  ],
  ['counts rows in words', [four, row('public', 'invoice', 'many', 'text'), end]],
  ['counts less than no rows', [four, row('public', 'invoice', '-1', 'text'), end]],
  [
    'has another number of values than of columns',
    [four, row('a'), row(...'abcdefgh'), row(), end],
  ],
  ['has rows without columns', [columnsNamed(), row('a', 'b', 'c', 'd'), end]],
  ['has rows that it has not described', [postgresMessage('n', ''), row('a', 'b', 'c', 'd'), end]],
  [
    'names a table thirty thousand times',
    [four, many(30_000, () => row('public', 'invoice', 'id', 'text')), end],
  ],
  [
    'has thousands of columns and keys',
    [four, many(5_000, (at) => row('public', 'invoice', `c${at}`, 'P')), end],
  ],
  [
    'has names of megabytes',
    [four, many(12, (at) => row('s', `${at}${'invoice'.repeat(150_000)}`, 'c', 'd')), end],
  ],
  [
    'has names that act on terminals',
    [four, row('s\u001b[2J', 'invoice\u202e', '\u0007', '\r'), end],
  ],
  [
    'says that a value is longer than its message',
    [four, postgresMessage('D', Buffer.from([0, 4, 127, 255, 255, 255, 1])), end],
  ],
  ['ends a statement twice', [four, row('a', 'b', 'c', 'd'), end, end, end]],
  ['has no end of a statement', [four, row('a', 'b', 'c', 'd')]],
  [
    'refuses in a megabyte',
    [postgresMessage('E', `SERROR\0C42000\0M${'x'.repeat(900_000)}\0\0`), end],
  ],
])('of a server that %s little is kept', { timeout: 60_000 }, async (_, answer) => {
  await expectLittle('postgres', answeringStatements(...answer));
});
