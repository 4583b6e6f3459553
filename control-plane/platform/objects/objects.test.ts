import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Objects } from './objects.ts';
import { openObjects } from './open-objects.ts';
import { startBucket, type TestBucket } from './s3.kit.ts';

let bucket: TestBucket;
let home: string;
const stores = {} as Record<'folder' | 's3', Objects>;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'objects-'));
  bucket = await startBucket();
  stores.folder = openObjects({ home });
  stores.s3 = openObjects({ home, url: bucket.url, key: bucket.key });
});
afterAll(async () => {
  bucket.close();
  await rm(home, { recursive: true });
});

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
