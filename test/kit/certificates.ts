/**
 * X.509 certificates for tests, made with Node's own crypto, which can sign but cannot make
 * certificates: EC P-256 keys, with the DER of RFC 5280 written here.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface Certificate {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
  readonly name: string;
}

export interface CertificateOptions {
  readonly name: string;
  /** The certificate whose key signs it; self-signed without one. */
  readonly issuer?: Certificate;
  readonly isAuthority?: boolean;
  /** Names and addresses (of IPv6 only `::1`) for which it is valid. */
  readonly hosts?: readonly string[];
  /** Days from now until it expires; negative when it has expired. */
  readonly daysLeft?: number;
}

const dayMs = 86_400_000;
const ecdsaWithSha256 = '1.2.840.10045.4.3.2';
const commonName = '2.5.4.3';
const subjectAltName = '2.5.29.17';
const basicConstraints = '2.5.29.19';

let serial = 1;

/** A new key and a certificate for it. */
export function createCertificate(options: CertificateOptions): Certificate {
  const { name, issuer, isAuthority = false, hosts = [], daysLeft = 30 } = options;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const end = Date.now() + daysLeft * dayMs;
  serial += 1;
  const algorithm = sequence(objectId(ecdsaWithSha256));
  const body = sequence(
    tagged(0xa0, integer(2)), // version 3
    integer(serial),
    algorithm,
    distinguishedName(issuer?.name ?? name),
    sequence(time(new Date(end - 365 * dayMs)), time(new Date(end))),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(constraintsOf(isAuthority), namesOf([name, ...hosts]))),
  );
  const signer: KeyObject = issuer === undefined ? privateKey : createPrivateKey(issuer.key);
  const signature = tagged(0x03, Buffer.from([0]), sign('sha256', body, signer));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: pem(sequence(body, algorithm, signature)),
    name,
  };
}

function constraintsOf(isAuthority: boolean): Buffer {
  const value = isAuthority ? sequence(tagged(0x01, Buffer.from([0xff]))) : sequence();
  return extension(basicConstraints, value);
}

function namesOf(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) => {
    if (host === '::1') return tagged(0x87, Buffer.from([...Array(15).fill(0), 1]));
    if (!/^[\d.]+$/.test(host)) return tagged(0x82, Buffer.from(host));
    return tagged(0x87, Buffer.from(host.split('.').map(Number)));
  });
  return extension(subjectAltName, sequence(...names));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(objectId(id), tagged(0x04, value));
}

function distinguishedName(name: string): Buffer {
  const attribute = sequence(objectId(commonName), tagged(0x0c, Buffer.from(name)));
  return sequence(tagged(0x31, attribute));
}

function time(at: Date): Buffer {
  const digits = at.toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return tagged(0x17, Buffer.from(`${digits}Z`));
}

function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) bytes.unshift((left & 0x7f) | 0x80);
  return bytes;
}

function integer(value: number): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return tagged(0x02, bytes[0]! < 0x80 ? bytes : Buffer.concat([Buffer.from([0]), bytes]));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
