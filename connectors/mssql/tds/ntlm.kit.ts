/** MS-NLMP: the server's side of a login by NTLM, as far as SQL Server asks for it. */
import { createHmac, randomBytes } from 'node:crypto';

/** A user of a Windows domain, with the hash of the password as MS-NLMP 4.2.2.1.2 gives it for "Password". */
export const domainLogin = {
  domain: 'ACME',
  user: 'reader',
  password: 'Password',
  passwordHash: Buffer.from('a4f49c406510bdcab6824ee7c30fd852', 'hex'),
} as const;

const signature = Buffer.from('NTLMSSP\0', 'latin1');
const messageTypes = { negotiate: 1, challenge: 2, authenticate: 3 } as const;
/** UNICODE, NTLM, a target of the type domain with its information, extended session security, 128 bits. */
const flags = 0x1 | 0x200 | 0x10000 | 0x80000 | 0x800000 | 0x20000000;

/** 2.2.1.1: whether a client begins a login by NTLM. */
export function isNegotiate(message: Buffer): boolean {
  return message.subarray(0, 8).equals(signature) && message.readUInt32LE(8) === 1;
}

/** 2.2.1.2: the CHALLENGE_MESSAGE, with the eight bytes that the client is to answer. */
export function challengeMessage(): { readonly nonce: Buffer; readonly message: Buffer } {
  const nonce = randomBytes(8);
  const target = Buffer.from(domainLogin.domain, 'utf16le');
  const information = Buffer.concat([
    attribute(2, target), // the domain's name
    attribute(1, Buffer.from('SQL', 'utf16le')), // the host's name
    attribute(0, Buffer.alloc(0)), // the end
  ]);
  const head = Buffer.alloc(56);
  signature.copy(head);
  head.writeUInt32LE(messageTypes.challenge, 8);
  writeField(head, 12, target.length, head.length);
  head.writeUInt32LE(flags, 20);
  nonce.copy(head, 24);
  writeField(head, 40, information.length, head.length + target.length);
  return { nonce, message: Buffer.concat([head, target, information]) };
}

function attribute(id: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id);
  head.writeUInt16LE(value.length, 2);
  return Buffer.concat([head, value]);
}

function writeField(buffer: Buffer, at: number, length: number, offset: number): void {
  buffer.writeUInt16LE(length, at);
  buffer.writeUInt16LE(length, at + 2);
  buffer.writeUInt32LE(offset, at + 4);
}

/**
 * 2.2.1.3 and 3.3.2: whether an AUTHENTICATE_MESSAGE is of that user of the domain, who knows the password. Held
 * against both of its answers; of the NTLMv2 one the driver tells the length of its first part only.
 */
export function isAuthenticated(message: Buffer, nonce: Buffer): boolean {
  if (!message.subarray(0, 8).equals(signature)) return false;
  if (message.readUInt32LE(8) !== messageTypes.authenticate) return false;
  const domain = field(message, 28).toString('utf16le');
  const user = field(message, 36).toString('utf16le');
  if (domain.toUpperCase() !== domainLogin.domain || user !== domainLogin.user) return false;
  // The name of the domain counts as the client writes it.
  const key = hmac(domainLogin.passwordHash, Buffer.from(user.toUpperCase() + domain, 'utf16le'));
  const lm = field(message, 12);
  const isLm = lm.subarray(0, 16).equals(hmac(key, Buffer.concat([nonce, lm.subarray(16)])));
  const ntAt = message.readUInt32LE(24);
  const proof = message.subarray(ntAt, ntAt + 16);
  const rest = message.subarray(ntAt + 16);
  return isLm && proof.equals(hmac(key, Buffer.concat([nonce, rest])));
}

function field(message: Buffer, at: number): Buffer {
  const offset = message.readUInt32LE(at + 4);
  return message.subarray(offset, offset + message.readUInt16LE(at));
}

function hmac(key: Buffer, data: Buffer): Buffer {
  return createHmac('md5', key).update(data).digest();
}
