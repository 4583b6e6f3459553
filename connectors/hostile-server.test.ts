import { once } from 'node:events';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { hostname } from 'node:os';
import { methods } from '@drawbridge/link/methods.ts';
import { expect, test } from 'vitest';
import { eventually } from '../test/kit/eventually.ts';
import {
  answeringMssql,
  type MssqlAnswers,
  routing,
  rowOf,
  statementEnd,
  textColumns,
  textRow,
  typedColumn,
} from './mssql/hostile-server.kit.ts';
import {
  columnMetadata,
  done,
  doneTokens,
  environment,
  loginAck,
  serverMessage,
  sspi,
} from './mssql/tds/tokens.kit.ts';
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
} from './mysql/hostile-server.kit.ts';
import { connectorKind } from './registry.ts';

/** Servers that are no databases, or hostile ones: whoever named them must not fill the memory or hold the thread. */

const pieceBytes = 65_536;

/** Says the same without end, as fast as it is read. */
function endless(piece: Buffer): (socket: Socket) => void {
  return (socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', more);
    more();
  };
}

/** Takes the first bytes for a login, and says this; nothing ends it. */
function answering(...messages: readonly Buffer[]): (socket: Socket) => void {
  return (socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat(messages));
      socket.resume();
    });
  };
}

function postgresMessage(code: string, body: string | Buffer): Buffer {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5);
  head.write(code);
  head.writeUInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}

const refusal = postgresMessage('E', 'SFATAL\0C28000\0Mno\0\0');
const ready = [
  postgresMessage('R', Buffer.alloc(4)),
  postgresMessage('K', Buffer.alloc(8)),
  postgresMessage('Z', 'I'),
];
const rows = Buffer.concat([
  postgresMessage('T', Buffer.concat([Buffer.from([0, 1]), Buffer.from('a\0'), Buffer.alloc(18)])),
  ...Array.from({ length: 4_000 }, () =>
    postgresMessage('D', Buffer.from([0, 1, 0, 0, 0, 1, 0x61])),
  ),
]);
/** A part of an answer that never has its last part. */
const tdsPacket = Buffer.alloc(4_096, 0x20);
tdsPacket.set([0x04, 0x00, 0x10, 0x00, 0x00, 0x00, 0x01, 0x00]);
const mysqlRefusal = Buffer.from('\x09\0\0\0\xff\x15\x04#28000', 'latin1');

test.each<[string, string, (socket: Socket) => void]>([
  ['postgres', 'says one thing without end', endless(Buffer.alloc(pieceBytes, 'N'))],
  ['postgres', 'says what is no message', endless(Buffer.alloc(pieceBytes))],
  ['postgres', 'refuses and stays', answering(refusal)],
  [
    'postgres',
    'has rows without end for every command',
    (socket) => {
      answering(...ready)(socket);
      socket.once('data', () => socket.once('data', () => endless(rows)(socket)));
    },
  ],
  ['mysql', 'says one thing without end', endless(Buffer.alloc(pieceBytes, 'N'))],
  ['imap', 'has lines without end', endless(Buffer.from('* OK [ALERT] more\r\n'.repeat(3_000)))],
  ['mssql', 'answers in packets without end', endless(tdsPacket)],
  ['mysql', 'refuses and stays', (socket) => void socket.resume().write(mysqlRefusal)],
])('%s: a server that %s is left', { timeout: 60_000 }, async (name, _, serve) => {
  const open = new Set<Socket>();
  let sent = 0;
  const server = createServer((socket) => {
    open.add(socket.on('error', () => undefined));
    socket.on('close', () => {
      open.delete(socket);
      sent += socket.bytesWritten;
    });
    serve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const kind = connectorKind(name)!;
  const settings = kind.settings.parse({
    host: '127.0.0.1',
    port,
    user: 'reader',
    password: 'secret',
    ...(name === 'imap'
      ? { tls: 'off', writeBack: { mode: 'none' } }
      : {
          database: 'erp',
          sections: { header: { table: 'invoice', key: 'id', match: 'number' } },
        }),
  });
  const connector = await kind.open(settings, { clock: () => new Date(), allowedRoots: [] });
  try {
    expect(await connector.test(AbortSignal.timeout(30_000))).toMatchObject({ kind: 'failed' });
    await eventually(() => expect(open.size).toBe(0));
    // What stands in buffers of the system counts too.
    expect(sent).toBeLessThan(64 * 1_048_576);
  } finally {
    for (const socket of open) socket.destroy();
    server.close();
    await connector.close();
  }
});

/** A server that keeps to PostgreSQL's protocol and answers every statement with these messages. */
function answeringStatements(...answer: readonly Buffer[]): (socket: Socket) => void {
  const replies: Readonly<Record<string, readonly Buffer[]>> = {
    Q: [postgresMessage('C', 'SET\0'), postgresMessage('Z', 'T')],
    P: [postgresMessage('1', '')],
    B: [postgresMessage('2', '')],
    D: answer.slice(0, 1),
    E: answer.slice(1),
    S: [postgresMessage('Z', 'T')],
  };
  return (socket) => {
    let unread = Buffer.alloc(0);
    let isLoggedIn = false;
    socket.on('data', (chunk) => {
      unread = Buffer.concat([unread, chunk]);
      for (;;) {
        const headBytes = isLoggedIn ? 1 : 0;
        if (unread.length < headBytes + 4) return;
        const bytes = headBytes + unread.readUInt32BE(headBytes);
        if (unread.length < bytes) return;
        const code = unread.toString('latin1', 0, headBytes);
        unread = unread.subarray(bytes);
        for (const each of isLoggedIn ? (replies[code] ?? []) : ready) socket.write(each);
        isLoggedIn = true;
      }
    });
  };
}

function columnsNamed(...names: readonly string[]): Buffer {
  const each = names.map((name) => Buffer.concat([Buffer.from(`${name}\0`), Buffer.alloc(18)]));
  return postgresMessage('T', Buffer.concat([count(names.length), ...each]));
}

function row(...values: readonly string[]): Buffer {
  const each = values.map((value) => {
    const bytes = Buffer.from(value);
    const length = Buffer.alloc(4);
    length.writeInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  });
  return postgresMessage('D', Buffer.concat([count(values.length), ...each]));
}

function count(number: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(number);
  return bytes;
}

const many = (length: number, of: (at: number) => Buffer) =>
  Buffer.concat(Array.from({ length }, (_, at) => of(at)));
const end = postgresMessage('C', 'SELECT 1\0');
const four = columnsNamed('a', 'b', 'c', 'd');

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
])('postgres: of a server that %s little is kept', { timeout: 60_000 }, async (_, answer) => {
  await expectLittle('postgres', answeringStatements(...answer));
});

const fourNames = ['a', 'b', 'c', 'd'];
const forged = (...bytes: readonly number[]) => Buffer.from(bytes);

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
])('mysql: of a server that %s little is kept', { timeout: 60_000 }, async (_, answers) => {
  await expectLittle('mysql', answeringMysql(answers));
});

test('mysql: a server that asks for a file gets none', { timeout: 60_000 }, async () => {
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
])('mssql: of a server that %s little is kept', { timeout: 60_000 }, async (_, answers) => {
  await expectLittle('mssql', answeringMssql(answers), { tls: 'off' });
});

test('mssql: a server that sends on and on is followed a few times, by the sockets of the caller', async () => {
  const open = new Set<Socket>();
  let [answered, made] = [0, 0];
  const serve = answeringMssql({ statement: [], login: (port) => [routing(port, '127.0.0.1')] });
  const server = createServer((socket) => {
    answered += 1;
    open.add(socket.on('error', () => undefined));
    socket.on('close', () => open.delete(socket));
    serve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const kind = connectorKind('mssql')!;
  const settings = kind.settings.parse({
    host: '127.0.0.1',
    port,
    user: 'reader',
    password: 'secret',
    database: 'erp',
    tls: 'off',
  });
  const socket = () => {
    made += 1;
    return new Socket();
  };
  const connector = await kind.open(settings, {
    clock: () => new Date(),
    allowedRoots: [],
    socket,
  });
  try {
    expect(await connector.test(AbortSignal.timeout(30_000))).toMatchObject({ kind: 'failed' });
    await eventually(() => expect(open.size).toBe(0));
    expect(answered).toBe(3);
    // The last may have been made for the server after it.
    expect(made).toBeGreaterThanOrEqual(answered);
  } finally {
    server.close();
    await connector.close();
  }
});

/** What is carried to the control plane and shown on a terminal is little, and nothing ends the process. */
async function expectLittle(
  name: string,
  serve: (socket: Socket) => void,
  more: object = {},
): Promise<void> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    serve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const kind = connectorKind(name)!;
  const settings = kind.settings.parse({
    host: '127.0.0.1',
    port,
    user: 'reader',
    password: 'secret',
    database: 'erp',
    ...more,
  });
  const context = { clock: () => new Date(), allowedRoots: [], timeoutMs: 5_000 };
  const connector = await kind.open(settings, context);
  try {
    const outcome = await connector.discover!({}, AbortSignal.timeout(4_000));
    expect(JSON.stringify(outcome).length).toBeLessThan(2_000_000);
    methods['connector.discover'].result.parse(JSON.parse(JSON.stringify(outcome)));
    expect(await connector.test(AbortSignal.timeout(1_000))).toMatchObject({
      kind: expect.any(String),
    });
  } finally {
    server.close();
    await connector.close();
  }
}
