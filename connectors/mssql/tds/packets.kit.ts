/** MS-TDS 2.2.3: messages in packets of eight bytes of header and some data. */
import type { Duplex } from 'node:stream';

export const packetTypes = {
  sqlBatch: 0x01,
  rpc: 0x03,
  tabularResult: 0x04,
  attention: 0x06,
  transactionManager: 0x0e,
  login7: 0x10,
  sspi: 0x11,
  prelogin: 0x12,
} as const;

const headerBytes = 8;
const endOfMessage = 0x01;
/** No test sends more; a length field that lies shall not fill the memory. */
const messageBytesMax = 64 * 1_048_576;

/** A whole message of a client. */
export interface Message {
  readonly type: number;
  readonly data: Buffer;
}

/** Calls `receive` with each message that arrives. */
export function readMessages(stream: Duplex, receive: (message: Message) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  let parts: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= headerBytes && rest.length >= rest.readUInt16BE(2)) {
      const length = rest.readUInt16BE(2);
      if (length < headerBytes || bytes > messageBytesMax) {
        stream.destroy();
        return;
      }
      const [type = 0, status = 0] = rest;
      parts.push(rest.subarray(headerBytes, length));
      bytes += length;
      rest = rest.subarray(length);
      if ((status & endOfMessage) === 0) continue;
      const data = Buffer.concat(parts);
      parts = [];
      bytes = 0;
      receive({ type, data });
    }
  });
}

/** One answer: written in packets as it grows. */
export class Response {
  readonly #stream: Duplex;
  readonly #dataBytesMax: number;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #id = 1;

  constructor(stream: Duplex, packetBytes: number) {
    this.#stream = stream;
    this.#dataBytesMax = packetBytes - headerBytes;
  }

  add(token: Buffer): void {
    this.#waiting.push(token);
    this.#bytes += token.length;
    if (this.#bytes >= this.#dataBytesMax * 4) this.#flush(false);
  }

  end(): void {
    this.#flush(true);
  }

  #flush(isEnd: boolean): void {
    const data = Buffer.concat(this.#waiting);
    let at = 0;
    while (data.length - at > this.#dataBytesMax || (isEnd && at <= data.length)) {
      const part = data.subarray(at, at + this.#dataBytesMax);
      at += part.length;
      const isLast = isEnd && at === data.length;
      this.#stream.write(packet(packetTypes.tabularResult, part, isLast, this.#id));
      this.#id = (this.#id + 1) % 256;
      if (isLast) break;
    }
    const rest = data.subarray(at);
    this.#waiting = [rest];
    this.#bytes = rest.length;
  }
}

/** One packet. */
export function packet(type: number, data: Buffer, isLast = true, id = 1): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt8(type, 0);
  header.writeUInt8(isLast ? endOfMessage : 0, 1);
  header.writeUInt16BE(headerBytes + data.length, 2);
  header.writeUInt8(id, 6);
  return Buffer.concat([header, data]);
}
