/** A server that keeps to MySQL's protocol until somebody is logged in, and then says what it is told to. */
import type { Socket } from 'node:net';

/** Bytes of a packet without its head, by what a client sent. */
export interface MysqlAnswers {
  readonly prepare: readonly Buffer[];
  readonly execute: readonly Buffer[];
}

const commands = { quit: 0x01, prepare: 0x16, execute: 0x17, close: 0x19 } as const;

export const okPacket = Buffer.from([0, 0, 0, 2, 0, 0, 0]);
export const endPacket = Buffer.from([0xfe, 0, 0, 2, 0]);

/** The capabilities that a driver asks for: protocol 4.1, transactions, login by plugin. */
const greeting = Buffer.concat([
  Buffer.from('\x0a8.0.36\0\x01\0\0\0abcdefgh\0', 'latin1'),
  Buffer.from([0x0f, 0xa2, 0x2d, 0x02, 0x00, 0x0a, 0x00, 21]),
  Buffer.alloc(10),
  Buffer.from('abcdefghijkl\0mysql_native_password\0', 'latin1'),
]);

/** Answers each prepared statement and each execution so. */
export function answeringMysql({ prepare, execute }: MysqlAnswers): (socket: Socket) => void {
  return (socket) => {
    let unread = Buffer.alloc(0);
    let isLoggedIn = false;
    let sequence = 0;
    const say = (packets: readonly Buffer[]) => {
      for (const packet of packets) socket.write(framed(packet, (sequence = (sequence + 1) % 256)));
    };
    socket.write(framed(greeting, 0));
    socket.on('data', (chunk) => {
      unread = Buffer.concat([unread, chunk]);
      while (unread.length >= 4) {
        const bytes = 4 + unread.readUIntLE(0, 3);
        if (unread.length < bytes) return;
        sequence = unread[3]!;
        const command = unread[4];
        unread = unread.subarray(bytes);
        if (!isLoggedIn) {
          isLoggedIn = true;
          say([okPacket]);
        } else if (command === commands.prepare) say(prepare);
        else if (command === commands.execute) say(execute);
        else if (command === commands.quit) socket.end();
        else if (command !== commands.close) say([okPacket]);
      }
    });
  };
}

function framed(packet: Buffer, sequence: number): Buffer {
  const head = Buffer.alloc(4);
  head.writeUIntLE(packet.length, 0, 3);
  head[3] = sequence;
  return Buffer.concat([head, packet]);
}

/** What is said of a statement: how many parameters it has, and which columns. */
export function prepared(parameters: number, ...columns: readonly string[]): readonly Buffer[] {
  const head = Buffer.from([0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16LE(columns.length, 5);
  head.writeUInt16LE(parameters, 7);
  const named = Array.from({ length: parameters }, () => column('?'));
  return [
    head,
    ...(parameters === 0 ? [] : [...named, endPacket]),
    ...(columns.length === 0 ? [] : [...columns.map((name) => column(name)), endPacket]),
  ];
}

/** A column of texts, or of another type. */
export function column(name: string, type = 0xfd): Buffer {
  const texts = ['def', '', '', '', name, name].map(text);
  return Buffer.concat([
    ...texts,
    Buffer.from([0x0c, 0x2d, 0, 0xff, 0xff, 0xff, 0x7f, type, 0, 0, 0, 0, 0]),
  ]);
}

/** A result with these columns and rows. */
export function result(columns: readonly string[], ...rows: readonly Buffer[]): readonly Buffer[] {
  return [
    Buffer.from([columns.length]),
    ...columns.map((name) => column(name)),
    endPacket,
    ...rows,
    endPacket,
  ];
}

/** A row of a prepared statement. */
export function binaryRow(...values: readonly string[]): Buffer {
  const nulls = Buffer.alloc(Math.floor((values.length + 9) / 8));
  return Buffer.concat([Buffer.from([0]), nulls, ...values.map(text)]);
}

/** A text with its length before it. */
function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  if (bytes.length < 251) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const head = Buffer.alloc(9);
  head[0] = 0xfe;
  head.writeBigUInt64LE(BigInt(bytes.length), 1);
  return Buffer.concat([head, bytes]);
}

/** An error with a message of that many bytes. */
export function errorPacket(bytes: number): Buffer {
  return Buffer.concat([
    Buffer.from([0xff, 0x28, 0x04]),
    Buffer.from('#42000'),
    Buffer.alloc(bytes, 'x'),
  ]);
}

/** Asks the client for a file of its machine. */
export const askForFile = Buffer.from('\xfb/etc/hostname', 'latin1');
