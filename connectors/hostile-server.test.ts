import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { eventually } from '../test/kit/eventually.ts';
import { startHostileServer } from './hostile-server.kit.ts';
import { postgresMessage, ready } from './postgres/hostile-server.kit.ts';

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

const refusal = postgresMessage('E', 'SFATAL\0C28000\0Mno\0\0');
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
  const settings =
    name === 'imap'
      ? { tls: 'off', writeBack: { mode: 'none' } }
      : { sections: { header: { table: 'invoice', key: 'id', match: 'number' } } };
  const server = await startHostileServer(name, serve, { settings });
  try {
    const tested = await server.connector.test(AbortSignal.timeout(30_000));
    expect(tested).toMatchObject({ kind: 'failed' });
    await eventually(() => expect(server.open.size).toBe(0));
    // What stands in buffers of the system counts too.
    expect(server.bytesSent()).toBeLessThan(64 * 1_048_576);
  } finally {
    await server.close();
  }
});
