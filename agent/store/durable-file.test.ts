import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mountSmallDisk, type SmallDisk } from '../../test/kit/small-disk.ts';
import { canWriteIn } from './disk-space.ts';
import { writeDurably } from './durable-file.ts';

let disk: SmallDisk;

beforeEach((context) => {
  const mounted = mountSmallDisk(1);
  if (mounted === undefined) return context.skip('only root may mount a small disk');
  disk = mounted;
});
afterEach(() => disk?.unmount());

test('a file for which the disk has only half the room stays as it was', () => {
  const file = join(disk.path, 'mapping.yaml');
  writeDurably(file, Buffer.from('as it was'));
  writeFileSync(join(disk.path, 'room'), Buffer.alloc(8_192));
  disk.fill();
  writeFileSync(join(disk.path, 'room'), '');
  expect(() => writeDurably(file, Buffer.alloc(20_000, 'x'))).toThrow('ENOSPC');
  expect(readFileSync(file, 'utf8')).toBe('as it was');
  expect(readdirSync(disk.path).filter((name) => name.endsWith('.new'))).toEqual([]);
});

test('a folder with room for half a write has none', () => {
  writeFileSync(join(disk.path, 'room'), Buffer.alloc(600_000));
  disk.fill();
  writeFileSync(join(disk.path, 'room'), '');
  expect(canWriteIn(disk.path)).toBe(false);
});
