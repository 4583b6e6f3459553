/** For tests: a store of objects that speaks S3 and takes what is signed as Amazon's documentation says. */
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const secret = 'bucket/secret+key';

export interface TestBucket {
  /** For `openObjects`. */
  readonly url: string;
  readonly key: string;
  /** What it holds, by path. */
  readonly held: Map<string, Buffer>;
  close(): void;
}

export async function startBucket(): Promise<TestBucket> {
  const held = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    void serveS3(request, held).then(([status, body = '']) => {
      response.writeHead(status, { 'content-length': Buffer.byteLength(body) }).end(body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `s3://files/messaging?endpoint=${endpoint}&region=eu-test-1`,
    key: `key-id:${secret}`,
    held,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function serveS3(
  request: IncomingMessage,
  held: Map<string, Buffer>,
): Promise<[number, (Buffer | string)?]> {
  const body = await buffer(request);
  if (!isSigned(request)) return [403, 'SignatureDoesNotMatch'];
  const announced = request.headers['x-amz-content-sha256'];
  const path = request.url!;
  if (request.method === 'PUT') {
    if (announced !== createHash('sha256').update(body).digest('hex')) return [400, 'BadDigest'];
    held.set(path, body);
    return [200];
  }
  if (request.method === 'DELETE') {
    held.delete(path);
    return [204];
  }
  const found = held.get(path);
  if (found === undefined) return [404, 'NoSuchKey'];
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  return first === undefined
    ? [200, found]
    : [206, found.subarray(Number(first), Number(last) + 1)];
}

function isSigned({ method, url, headers }: IncomingMessage): boolean {
  const [, scope = '', names = '', offered] =
    /Credential=key-id\/(\S+), SignedHeaders=(\S+), Signature=(\w+)/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (!names.split(';').includes('x-amz-content-sha256')) return false;
  const lines = names.split(';').map((name) => `${name}:${String(headers[name])}\n`);
  const canonical = [method, url, '', lines.join(''), names, headers['x-amz-content-sha256']];
  const hash = createHash('sha256').update(canonical.join('\n')).digest('hex');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash].join('\n');
  const key = scope
    .split('/')
    .reduce<Buffer | string>((by, part) => hmac(by, part), `AWS4${secret}`);
  return hmac(key, text).toString('hex') === offered;
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
