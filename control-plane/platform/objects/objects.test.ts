import { createHash, createHmac } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Objects } from './objects.ts';
import { openObjects } from './open-objects.ts';

const secret = 'bucket/secret+key';
const held = new Map<string, Buffer>();
let server: Server;
let home: string;
const stores = {} as Record<'folder' | 's3', Objects>;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'objects-'));
  server = createServer((request, response) => {
    void serveS3(request).then(([status, body = '']) => {
      response.writeHead(status, { 'content-length': Buffer.byteLength(body) }).end(body);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `s3://files/messaging?endpoint=${endpoint}&region=eu-test-1`;
  stores.folder = openObjects({ home });
  stores.s3 = openObjects({ home, url, key: `key-id:${secret}` });
});
afterAll(async () => {
  server.close();
  await rm(home, { recursive: true });
});

/** A store that takes what is signed as Amazon's documentation says, and nothing else. */
async function serveS3(request: IncomingMessage): Promise<[number, (Buffer | string)?]> {
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

const source = (text: string, more: { bytes?: number; sha256?: string } = {}) => ({
  stream: Readable.from([Buffer.from(text)]),
  bytes: Buffer.byteLength(text),
  sha256: createHash('sha256').update(text).digest('hex'),
  ...more,
});

describe.each(['folder', 's3'] as const)('objects in %s', (kind) => {
  const text = async (key: string) => {
    const found = await stores[kind].get(key);
    return found === undefined ? undefined : (await buffer(found.stream)).toString();
  };

  test('what is put is there, also in place of another, until it is removed', async () => {
    expect(await text('a/b.wav')).toBeUndefined();
    await stores[kind].put('a/b.wav', source('one'));
    await stores[kind].put('a/b.wav', source('two, longer'));
    expect(await text('a/b.wav')).toBe('two, longer');
    expect((await stores[kind].get('a/b.wav'))?.bytes).toBe(11);
    await stores[kind].remove('a/b.wav');
    await stores[kind].remove('a/b.wav');
    expect(await text('a/b.wav')).toBeUndefined();
  });

  test('a part of it can be read', async () => {
    await stores[kind].put('a/part', source('0123456789'));
    const found = await stores[kind].get('a/part', { first: 3, last: 6 });
    expect([(await buffer(found!.stream)).toString(), found!.bytes]).toEqual(['3456', 4]);
    expect(await stores[kind].get('a/none', { first: 0, last: 1 })).toBeUndefined();
  });

  test('what is not as announced is not kept', async () => {
    await expect(stores[kind].put('c', source('one', { sha256: '00' }))).rejects.toThrow();
    expect(await text('c')).toBeUndefined();
  });

  test.each(['../x', 'a/../x', '/x', 'a//b', 'a/.', 'a b', '', 'x'.repeat(501)])(
    'the key %j is a bug',
    async (key) => {
      await expect(stores[kind].put(key, source('one'))).rejects.toThrow();
      await expect(stores[kind].get(key)).rejects.toThrow();
    },
  );
});

test('a folder keeps no half of a file that broke off', async () => {
  const broken = Readable.from(
    (function* () {
      yield Buffer.from('half');
      throw new Error('the line broke');
    })(),
  );
  const { bytes, sha256 } = source('half and half');
  await expect(stores.folder.put('d/e', { stream: broken, bytes, sha256 })).rejects.toThrow('line');
  await expect(stores.folder.put('d/f', source('more than said', { bytes: 2 }))).rejects.toThrow();
  expect(await readdir(join(home, 'objects/d'))).toEqual([]);
});

test('a bucket is not opened by another secret', async () => {
  const url = new URL(stores.s3.place);
  const other = openObjects({ home, url: `s3://files?endpoint=${url.origin}`, key: 'key-id:no' });
  await expect(other.get('a')).rejects.toThrow('403');
  await expect(other.put('a', source('x'))).rejects.toThrow('403');
});
