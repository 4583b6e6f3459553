import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { checkKey, type ObjectSource, type Objects } from './objects.ts';

/** Objects as files below `home`, for this machine's user alone. */
export function openFolder(home: string): Objects {
  const root = join(home, 'objects');
  const pathOf = (key: string) => join(root, checkKey(key));
  return {
    place: root,
    put: async (key, source) => {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // Written aside and then named, so that a reader sees all of it or nothing.
      const aside = `${path}.${randomBytes(6).toString('hex')}.part`;
      try {
        await writeChecked(aside, source);
        await rename(aside, path);
        await sync(dirname(path)); // the name, which else a power cut may take
      } catch (error) {
        await rm(aside, { force: true });
        throw error;
      }
    },
    get: async (key, part) => {
      const path = pathOf(key);
      const found = await stat(path).catch(missing);
      if (found === undefined) return undefined;
      if (part === undefined) return { stream: createReadStream(path), bytes: found.size };
      const { first, last } = part;
      return {
        stream: createReadStream(path, { start: first, end: last }),
        bytes: last - first + 1,
      };
    },
    remove: (key) => rm(pathOf(key), { force: true }),
  };
}

async function writeChecked(path: string, { stream, bytes, sha256 }: ObjectSource): Promise<void> {
  const sum = createHash('sha256');
  let size = 0;
  const counting = new Transform({
    transform: (chunk: Buffer, _, done) => {
      size += chunk.length;
      sum.update(chunk);
      done(size > bytes ? new Error('the object is larger than announced') : null, chunk);
    },
  });
  await pipeline(stream, counting, createWriteStream(path, { mode: 0o600 }));
  if (size !== bytes || sum.digest('hex') !== sha256) {
    throw new Error('the object is not what was announced');
  }
  await sync(path);
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  await file.sync().finally(() => file.close());
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
