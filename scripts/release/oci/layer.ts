/** A layer of an image: a folder, packed so that the same content gives the same bytes. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';

const run = promisify(execFile);
/** Small pieces would take half as long again. */
const chunkBytes = 2 ** 20;

export interface LayerContent {
  readonly folder: string;
  /** Paths in the folder; default: all. */
  readonly paths?: readonly string[];
  /** Patterns of tar that are left out. */
  readonly exclude?: readonly string[];
  /** Below which folder of the image it is put, such as `opt/drawbridge`. */
  readonly below?: string;
  /** Who owns it; default: root. */
  readonly owner?: number;
}

export interface Layer {
  /** Of the tar, before it is compressed. */
  readonly diffId: string;
  readonly digest: string;
  readonly size: number;
}

/** Packs a layer into the folder of blobs. */
export async function makeLayer(
  content: LayerContent,
  epochSeconds: number,
  blobs: string,
): Promise<Layer> {
  const { folder, paths = ['.'], exclude = [], below, owner = 0 } = content;
  const tar = join(blobs, 'layer.tar');
  const form = ['--format=gnu', '--sort=name', `--mtime=@${epochSeconds}`, '--numeric-owner'];
  const owned = [`--owner=${owner}`, `--group=${owner}`, '--mode=u=rwX,go=rX'];
  const moved = below === undefined ? [] : [`--transform=flags=r;s,^\\(\\./\\)\\?,${below}/,`];
  const left = exclude.map((pattern) => `--exclude=${pattern}`);
  await run('tar', ['-cf', tar, ...form, ...owned, ...moved, ...left, '-C', folder, ...paths], {
    maxBuffer: 10_000_000,
  });
  const [diffHash, hash] = [createHash('sha256'), createHash('sha256')];
  const gzipped = join(blobs, 'layer.tar.gz');
  let size = 0;
  const observed = (seen: (chunk: Buffer) => void) => new PassThrough().on('data', seen);
  await pipeline(
    createReadStream(tar, { highWaterMark: chunkBytes }),
    observed((chunk) => diffHash.update(chunk)),
    createGzip({ level: 6, chunkSize: chunkBytes }),
    observed((chunk) => {
      hash.update(chunk);
      size += chunk.length;
    }),
    createWriteStream(gzipped),
  );
  await rm(tar);
  const digest = hash.digest('hex');
  await rename(gzipped, join(blobs, digest));
  return { diffId: `sha256:${diffHash.digest('hex')}`, digest: `sha256:${digest}`, size };
}
