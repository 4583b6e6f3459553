/** MS-TDS 2.2.6.4 and 2.2.6.5: what is said before and with the login. */
import { Duplex, Transform } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';
import { packet, packetTypes } from './packets.kit.ts';

/** Values of the option ENCRYPTION of PRELOGIN. */
export const encryption = { off: 0, on: 1, notSupported: 2, required: 3 } as const;

const preloginTokens = { version: 0, encryption: 1, instance: 2, thread: 3, mars: 4 } as const;
const terminator = 0xff;

/** The option ENCRYPTION that a client sent. */
export function preloginEncryption(data: Buffer): number {
  for (let at = 0; data[at] !== terminator && at + 5 <= data.length; at += 5) {
    if (data[at] === preloginTokens.encryption) return data[data.readUInt16BE(at + 1)] ?? 0;
  }
  return encryption.notSupported;
}

/** The answer to a PRELOGIN, in the version of SQL Server 2016. */
export function preloginAnswer(encrypted: number): Buffer {
  const options: readonly (readonly [token: number, data: Buffer])[] = [
    [preloginTokens.version, Buffer.from([13, 0, 0x10, 0, 0, 0])],
    [preloginTokens.encryption, Buffer.from([encrypted])],
    [preloginTokens.instance, Buffer.from([0])],
    [preloginTokens.thread, Buffer.alloc(0)],
    [preloginTokens.mars, Buffer.from([0])],
  ];
  let offset = options.length * 5 + 1;
  const heads = options.map(([token, data]) => {
    const head = Buffer.alloc(5);
    head.writeUInt8(token, 0);
    head.writeUInt16BE(offset, 1);
    head.writeUInt16BE(data.length, 3);
    offset += data.length;
    return head;
  });
  return Buffer.concat([...heads, Buffer.from([terminator]), ...options.map(([, data]) => data)]);
}

const applicationData = 0x17;

/**
 * TLS as TDS 7 has it: its handshake travels in packets of type PRELOGIN, all that follows without.
 * TLS 1.2 at most, whose records say which is which.
 */
export function secured(socket: Duplex, key: string, cert: string): TLSSocket {
  const outgoing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const isData = chunk[0] === applicationData;
      done(null, isData ? chunk : packet(packetTypes.prelogin, chunk));
    },
  });
  let rest: Buffer = Buffer.alloc(0);
  let isRaw = false;
  const incoming = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      rest = Buffer.concat([rest, chunk]);
      while (!isRaw && rest[0] === packetTypes.prelogin && rest.length >= 8) {
        const length = rest.readUInt16BE(2);
        if (rest.length < length) return done();
        this.push(rest.subarray(8, length));
        rest = rest.subarray(length);
      }
      isRaw ||= rest[0] === applicationData;
      if (isRaw) {
        this.push(rest);
        rest = Buffer.alloc(0);
      }
      done();
    },
  });
  socket.pipe(incoming);
  outgoing.pipe(socket);
  const channel = joined(incoming, outgoing);
  const secureContext = createSecureContext({ key, cert, maxVersion: 'TLSv1.2' });
  return new TLSSocket(channel as never, { isServer: true, secureContext });
}

function joined(incoming: Transform, outgoing: Transform): Duplex {
  const channel = new Duplex({
    read: () => incoming.resume(),
    write: (chunk: Buffer, _encoding, done) => void outgoing.write(chunk, () => done()),
    final: (done) => void outgoing.end(() => done()),
  });
  incoming.on('data', (chunk: Buffer) => {
    if (!channel.push(chunk)) incoming.pause();
  });
  incoming.on('end', () => channel.push(null));
  return channel;
}

/** What a client says of itself and wants. */
export interface Login {
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly appName: string;
  readonly packetBytes: number;
  readonly isReadOnly: boolean;
  /** How a login by Windows begins, in place of user and password. */
  readonly sspi: Buffer | undefined;
}

const fixed = {
  packetSize: 8,
  optionFlags2: 25,
  typeFlags: 26,
  user: 40,
  password: 44,
  app: 48,
  database: 68,
  sspi: 78,
};

const integratedSecurity = 0x80;

const readOnlyIntent = 0x20;

/** Reads LOGIN7. */
export function readLogin(data: Buffer): Login {
  const part = (at: number) => {
    const offset = data.readUInt16LE(at);
    return data.subarray(offset, offset + 2 * data.readUInt16LE(at + 2));
  };
  const text = (at: number) => part(at).toString('utf16le');
  const isIntegrated = (data.readUInt8(fixed.optionFlags2) & integratedSecurity) !== 0;
  const at = data.readUInt16LE(fixed.sspi);
  return {
    user: text(fixed.user),
    password: Buffer.from(part(fixed.password).map(unscrambled)).toString('utf16le'),
    database: text(fixed.database),
    appName: text(fixed.app),
    packetBytes: data.readUInt32LE(fixed.packetSize),
    isReadOnly: (data.readUInt8(fixed.typeFlags) & readOnlyIntent) !== 0,
    sspi: isIntegrated ? data.subarray(at, at + data.readUInt16LE(fixed.sspi + 2)) : undefined,
  };
}

/** Passwords are not encrypted, only mixed up: halves swapped, then XOR 0xA5. */
function unscrambled(byte: number): number {
  const mixed = byte ^ 0xa5;
  return ((mixed << 4) | (mixed >> 4)) & 0xff;
}
