import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Keyring, openKeyring } from './keyring.ts';
import { prepareHome, type VaultLocation } from './vault.ts';

let location: VaultLocation;
let keyring: Keyring;
const inSystem = new Map<string, string>();

beforeEach(() => {
  const home = mkdtempSync(join(tmpdir(), 'keyring-'));
  location = { home, keyFile: join(home, 'key'), random: (length) => randomBytes(length) };
  prepareHome(location);
  inSystem.clear();
  keyring = openKeyring(location, {
    read: (name) => inSystem.get(name),
    write: (name, secret) => inSystem.set(name, secret) !== undefined,
    remove: (name) => inSystem.delete(name),
  });
});
afterEach(() => rmSync(location.home, { recursive: true }));

test('a secret is kept in one place, read from it and removed', () => {
  expect(keyring.write('erp', 'one', 'sealed-file')).toBe('written');
  expect([keyring.read('erp'), keyring.names()]).toEqual(['one', ['erp']]);
  expect(keyring.write('erp', 'two', 'system')).toBe('written');
  expect([keyring.read('erp'), keyring.names()]).toEqual(['two', []]);
  expect([keyring.remove('erp'), keyring.remove('erp')]).toEqual(['removed', 'absent']);
});

test('a file that the key does not open is not written over', () => {
  keyring.write('erp', 'one', 'sealed-file');
  const key = readFileSync(location.keyFile);
  writeFileSync(location.keyFile, randomBytes(32));
  expect(keyring.write('mail', 'two', 'sealed-file')).toBe('unreadable');
  expect([keyring.remove('erp'), keyring.names(), keyring.read('erp')]).toEqual([
    'unreadable',
    undefined,
    undefined,
  ]);
  expect(keyring.write('mail', 'two', 'system')).toBe('written');
  expect(keyring.read('mail')).toBe('two');
  writeFileSync(location.keyFile, key);
  expect(keyring.read('erp')).toBe('one');
});
