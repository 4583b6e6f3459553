import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

const memoryFolder = '/dev/shm';
/** Several times what the databases of a run hold at once, with their log. */
const memoryBytesMin = 4 * 2 ** 30;

/** Where databases of tests are: Linux's folder in memory where it has room, as nearly every test file makes one. */
export async function fastFolder(): Promise<string> {
  const found = await statfs(memoryFolder).catch(() => undefined);
  const free = found === undefined ? 0 : found.bavail * found.bsize;
  return free < memoryBytesMin ? tmpdir() : memoryFolder;
}
