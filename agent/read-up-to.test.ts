import { execFile } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFileUpTo } from './read-up-to.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'read-'));
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  { text: '', bytesMax: 0, found: '' },
  { text: 'abc', bytesMax: 3, found: 'abc' },
  { text: 'abcd', bytesMax: 3, found: undefined },
])('of $text at most $bytesMax bytes are read: $found', async ({ text, bytesMax, found }) => {
  const path = join(folder, 'file');
  await writeFile(path, text);
  const bytes = await readFileUpTo(path, bytesMax);
  expect(bytes && Buffer.from(bytes).toString()).toBe(found);
});

test.skipIf(process.platform === 'win32')('a device that never ends is larger', async () => {
  expect(await readFileUpTo('/dev/zero', 1_000_000)).toBeUndefined();
});

test('a file is in memory once', async () => {
  const path = join(folder, 'large');
  const bytes = 300_000_000;
  await writeFile(path, '');
  await truncate(path, bytes);
  const script = `const { readFileUpTo } = await import(${JSON.stringify(join(import.meta.dirname, 'read-up-to.ts'))});
    const read = await readFileUpTo(process.argv[1], ${bytes});
    console.log(JSON.stringify([read.length, process.resourceUsage().maxRSS * 1024]));`;
  const args = ['--input-type=module', '-e', script, path];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const [length, residentBytes] = JSON.parse(stdout) as [number, number];
  expect(length).toBe(bytes);
  expect(residentBytes).toBeLessThan(1.7 * bytes);
});
