import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { openVault, prepareHome, type VaultLocation } from './vault.ts';

let location: VaultLocation;
const schema = z.object({ password: z.string() });

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-vault-'));
  const home = join(folder, 'home');
  location = { home, keyFile: join(home, 'key'), random: (length) => randomBytes(length) };
  prepareHome(location);
});
afterEach(() => rmSync(join(location.home, '..'), { recursive: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

test('what is written reads back, and is sealed on disk', () => {
  const vault = openVault(location, 'secrets', schema);
  expect(vault.read()).toEqual({ kind: 'absent' });
  vault.write({ password: 'swordfish' });
  expect(openVault(location, 'secrets', schema).read()).toEqual({
    kind: 'content',
    value: { password: 'swordfish' },
  });
  expect(readFileSync(join(location.home, 'secrets.sealed')).includes('swordfish')).toBe(false);
});

test('only the owner can read folder, key and vault, also when others could before', () => {
  openVault(location, 'secrets', schema).write({ password: 'x' });
  chmodSync(location.home, 0o755);
  chmodSync(location.keyFile, 0o644);
  prepareHome(location);
  expect(modeOf(location.home)).toBe(0o700);
  expect(modeOf(location.keyFile)).toBe(0o600);
  expect(modeOf(join(location.home, 'secrets.sealed'))).toBe(0o600);
});

test.each([
  { what: 'another key', harm: () => writeFileSync(location.keyFile, randomBytes(32)) },
  { what: 'an empty key', harm: () => writeFileSync(location.keyFile, '') },
  { what: 'an empty file', harm: () => writeFileSync(join(location.home, 'secrets.sealed'), '') },
  {
    what: 'one changed byte',
    harm() {
      const file = join(location.home, 'secrets.sealed');
      const bytes = readFileSync(file);
      bytes[bytes.length - 1]! ^= 1;
      writeFileSync(file, bytes);
    },
  },
])('a vault with $what is unreadable, not empty', ({ harm }) => {
  openVault(location, 'secrets', schema).write({ password: 'x' });
  harm();
  expect(openVault(location, 'secrets', schema).read()).toEqual({ kind: 'unreadable' });
});
