/** A small name server (RFC 1035, UDP) that answers what a test tells it to. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

type Answer =
  | { readonly txt: readonly string[] }
  | { readonly address: string }
  | 'silent'
  | 'broken'
  /** An answer that cannot be read. */
  | 'garbled';

export interface NameServer {
  /** `127.0.0.1:port` */
  readonly address: string;
  /** What was asked, such as `TXT _drawbridge.acme.example`. */
  readonly asked: string[];
  /** What is known of a name; undefined: it does not exist. */
  set(name: string, answer: Answer | undefined): void;
  close(): Promise<void>;
}

const types: Readonly<Record<number, string>> = { 1: 'A', 16: 'TXT', 28: 'AAAA' };

export async function startNameServer(): Promise<NameServer> {
  const names = new Map<string, Answer>();
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    asked.push(`${types[type] ?? type} ${name}`);
    const known = names.get(name);
    if (known === 'silent') return;
    if (known === 'garbled') {
      socket.send(
        Buffer.concat([query.subarray(0, 2), Buffer.from('81800001ffff', 'hex')]),
        port,
        address,
      );
      return;
    }
    const records = typeof known === 'object' ? recordsOf(known, type) : [];
    const code = known === 'broken' ? 2 : known === undefined ? 3 : 0;
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180 | code, 2);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, query.subarray(12, end), ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    set: (name, answer) => {
      if (answer === undefined) names.delete(name);
      else names.set(name, answer);
    },
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function recordsOf(known: { txt: readonly string[] } | { address: string }, type: number) {
  if ('txt' in known)
    return type === 16 ? known.txt.map((text) => record(type, strings(text))) : [];
  return type === 1 ? [record(type, Buffer.from(known.address.split('.').map(Number)))] : [];
}

/** A TXT record is a row of strings of at most 255 bytes. */
function strings(text: string): Buffer {
  const parts = text.match(/[\s\S]{1,255}/g) ?? [''];
  return Buffer.concat(parts.map((part) => Buffer.from([part.length, ...Buffer.from(part)])));
}

function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0); // the name of the question
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
