import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('those above it are made too, and one that is there stays', () => {
  const path = join(folder, 'a/b/c');
  makeFolder(path, 0o700);
  makeFolder(path, 0o700);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test('where nothing can be made it fails, and does not try for ever', (context) => {
  if (process.platform !== 'linux') return context.skip('there is no /proc');
  expect(() => makeFolder('/proc/drawbridge/home')).toThrow('/proc/drawbridge');
});

test('a file in its place, or above it, is told', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(() => makeFolder(file)).toThrow('EEXIST');
  expect(() => makeFolder(join(file, 'below'))).toThrow('ENOTDIR');
});
