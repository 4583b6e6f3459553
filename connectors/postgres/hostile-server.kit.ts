/** A server that keeps to PostgreSQL's protocol until somebody is logged in, and then says what it is told to. */
import type { Socket } from 'node:net';

/** A message of the protocol. */
export function postgresMessage(code: string, body: string | Buffer): Buffer {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5);
  head.write(code);
  head.writeUInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}

/** What follows a login. */
export const ready = [
  postgresMessage('R', Buffer.alloc(4)),
  postgresMessage('K', Buffer.alloc(8)),
  postgresMessage('Z', 'I'),
];

/** Answers every statement with these messages. */
export function answeringStatements(...answer: readonly Buffer[]): (socket: Socket) => void {
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

export function columnsNamed(...names: readonly string[]): Buffer {
  const each = names.map((name) => Buffer.concat([Buffer.from(`${name}\0`), Buffer.alloc(18)]));
  return postgresMessage('T', Buffer.concat([count(names.length), ...each]));
}

export function row(...values: readonly string[]): Buffer {
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

/** The end of a statement. */
export const end = postgresMessage('C', 'SELECT 1\0');
