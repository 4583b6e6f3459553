import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { eventually } from '../../test/kit/eventually.ts';
import {
  expectLittle,
  forged,
  fourNames,
  many,
  startHostileServer,
} from '../hostile-server.kit.ts';
import {
  answeringMssql,
  type MssqlAnswers,
  routing,
  rowOf,
  statementEnd,
  textColumns,
  textRow,
  typedColumn,
} from './hostile-server.kit.ts';
import {
  columnMetadata,
  done,
  doneTokens,
  environment,
  loginAck,
  serverMessage,
  sspi,
} from './tds/tokens.kit.ts';

const fourTexts = textColumns(...fourNames);
const longText = 'invoice'.repeat(150_000);

test.each<[string, MssqlAnswers]>([
  ['has no end of a statement', { statement: [fourTexts, textRow(...fourNames)] }],
  ['says nothing at all', { statement: [] }],
  ['says what is no token', { statement: [forged(0x01, 0x02, 0x03), statementEnd] }],
  [
    'names more columns than it has',
    { statement: [forged(0x81, 0xf0, 0xff, 0, 0, 0, 0, 1, 0), statementEnd] },
  ],
  ['has rows before columns', { statement: [textRow(...fourNames), statementEnd] }],
  ['has rows without columns', { statement: [columnMetadata([]), textRow('a'), statementEnd] }],
  [
    'has another number of values than of columns',
    { statement: [fourTexts, textRow('a'), textRow(...'abcdefgh'), statementEnd] },
  ],
  [
    'has columns of types that there are not',
    { statement: [typedColumn(0xee, 1, 2, 3), rowOf(1, 2, 3), statementEnd] },
  ],
  [
    'says that a value is longer than its packet',
    { statement: [typedColumn(0xe7, 0xf0, 0xff, 9, 4, 0xd0, 0, 0x34), rowOf(0xf0, 0xff, 1)] },
  ],
  [
    'says that a value is longer than any memory',
    {
      statement: [
        textColumns('a'),
        rowOf(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f, 1, 0),
      ],
    },
  ],
  [
    'has a number of more places than any',
    {
      statement: [
        typedColumn(0x6c, 17, 255, 255),
        rowOf(5, 1, 0xff, 0xff, 0xff, 0xff),
        statementEnd,
      ],
    },
  ],
  [
    'has a number of no size that there is',
    { statement: [typedColumn(0x6c, 17, 38, 2), rowOf(3, 1, 2, 3), statementEnd] },
  ],
  [
    'has a day beyond all days',
    { statement: [typedColumn(0x28), rowOf(3, 0xff, 0xff, 0xff), statementEnd] },
  ],
  [
    'has a moment of more places than any',
    {
      statement: [typedColumn(0x2b, 99), rowOf(10, ...Array(10).fill(0xff)), statementEnd],
    },
  ],
  [
    'says that there are more rows than any',
    { statement: [fourTexts, Buffer.concat([statementEnd.subarray(0, 5), Buffer.alloc(8, 0xff)])] },
  ],
  [
    'names a table thirty thousand times',
    {
      statement: [
        fourTexts,
        many(30_000, () => textRow('dbo', 'invoice', 'id', 'int')),
        statementEnd,
      ],
    },
  ],
  [
    'has thousands of columns and keys',
    {
      statement: [
        fourTexts,
        many(5_000, (at) => textRow('dbo', 'invoice', `c${at}`, 'P')),
        statementEnd,
      ],
    },
  ],
  [
    'has names of megabytes',
    { statement: [fourTexts, textRow('s', longText, 'c', 'd'), statementEnd] },
  ],
  [
    'has names that act on terminals',
    {
      statement: [fourTexts, textRow('s\u001b[2J', 'invoice\u202e', '\u0007', '\r'), statementEnd],
    },
  ],
  [
    'refuses without end',
    {
      statement: Array(3_000).fill(
        serverMessage({ number: 208, severity: 16, message: 'x'.repeat(2_000) }),
      ),
    },
  ],
  [
    'ends a statement twice',
    { statement: [fourTexts, textRow(...fourNames), statementEnd, statementEnd, fourTexts] },
  ],
  [
    'ends transactions that were not begun',
    { statement: [environment.rolledBack(Buffer.alloc(8)), done(doneTokens.procedure)] },
  ],
  ['logs in again and again', { statement: [loginAck(), loginAck(), statementEnd] }],
  ['asks for a proof of Windows', { statement: [sspi(Buffer.alloc(3)), statementEnd] }],
  ['changes what there is not', { statement: [forged(0xe3, 3, 0, 99, 1, 1), statementEnd] }],
  ['sends on to itself', { statement: [], login: (port) => [routing(port, '127.0.0.1')] }],
  [
    'has packets of no size from the login on',
    { statement: [], login: () => [environment.packetSize(0, 4_096)] },
  ],
  ['has packets of no size', { statement: [environment.packetSize(0, 4_096), statementEnd] }],
  [
    'has packets larger than any',
    { statement: [environment.packetSize(1e9, 4_096), statementEnd] },
  ],
  [
    'answers with rows when nothing was asked',
    { settings: [fourTexts, textRow(...fourNames), statementEnd], statement: [] },
  ],
])('of a server that %s little is kept', { timeout: 60_000 }, async (_, answers) => {
  await expectLittle('mssql', answeringMssql(answers), { tls: 'off' });
});

test('a server that sends on and on is followed a few times, by the sockets of the caller', async () => {
  let made = 0;
  const socket = () => {
    made += 1;
    return new Socket();
  };
  const server = await startHostileServer(
    'mssql',
    answeringMssql({ statement: [], login: (port) => [routing(port, '127.0.0.1')] }),
    { settings: { tls: 'off' }, context: { socket } },
  );
  try {
    const tested = await server.connector.test(AbortSignal.timeout(30_000));
    expect(tested).toMatchObject({ kind: 'failed' });
    await eventually(() => expect(server.open.size).toBe(0));
    expect(server.connections()).toBe(3);
    // The last may have been made for the server after it.
    expect(made).toBeGreaterThanOrEqual(3);
  } finally {
    await server.close();
  }
});
