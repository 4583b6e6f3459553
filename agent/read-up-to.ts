import { open } from 'node:fs/promises';

/**
 * The bytes of a stream; undefined when there are more. What somebody carries here on a disk may never end, such as
 * a link to a device.
 */
export async function readUpTo(
  stream: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** As `readUpTo`, of a file: it is in memory once, where a stream's pieces and their whole are twice. */
export async function readFileUpTo(
  path: string,
  bytesMax: number,
): Promise<Uint8Array | undefined> {
  const file = await open(path);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) {
      return await readUpTo(file.createReadStream({ autoClose: false }), bytesMax);
    }
    return stat.size > bytesMax ? undefined : await file.readFile();
  } finally {
    await file.close();
  }
}
