import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { openVault, prepareHome, type VaultPlace } from './vault.ts';

let place: VaultPlace;
const schema = z.object({ password: z.string() });

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-vault-'));
  const home = join(folder, 'home');
  place = { home, keyFile: join(home, 'key'), random: (length) => randomBytes(length) };
  prepareHome(place);
});
afterEach(() => rmSync(join(place.home, '..'), { recursive: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

test('what is written reads back, and lies sealed on disk', () => {
  const vault = openVault(place, 'secrets', schema);
  expect(vault.read()).toEqual({ kind: 'absent' });
  vault.write({ password: 'swordfish' });
  expect(openVault(place, 'secrets', schema).read()).toEqual({
    kind: 'content',
    value: { password: 'swordfish' },
  });
  expect(readFileSync(join(place.home, 'secrets.sealed')).includes('swordfish')).toBe(false);
});

test('folder, key and vault are for their owner only, also when they were found open', () => {
  openVault(place, 'secrets', schema).write({ password: 'x' });
  chmodSync(place.home, 0o755);
  chmodSync(place.keyFile, 0o644);
  prepareHome(place);
  expect(modeOf(place.home)).toBe(0o700);
  expect(modeOf(place.keyFile)).toBe(0o600);
  expect(modeOf(join(place.home, 'secrets.sealed'))).toBe(0o600);
});

test.each([
  { what: 'another key', harm: () => writeFileSync(place.keyFile, randomBytes(32)) },
  { what: 'an empty key', harm: () => writeFileSync(place.keyFile, '') },
  { what: 'an empty file', harm: () => writeFileSync(join(place.home, 'secrets.sealed'), '') },
  {
    what: 'one changed byte',
    harm() {
      const file = join(place.home, 'secrets.sealed');
      const bytes = readFileSync(file);
      bytes[bytes.length - 1]! ^= 1;
      writeFileSync(file, bytes);
    },
  },
])('a vault with $what is unreadable, not empty', ({ harm }) => {
  openVault(place, 'secrets', schema).write({ password: 'x' });
  harm();
  expect(openVault(place, 'secrets', schema).read()).toEqual({ kind: 'unreadable' });
});
