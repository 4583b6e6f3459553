import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addKeyInFront, createSecrets, openSecrets } from './secrets.ts';

const [oldKey, newKey] = ['11'.repeat(32), Buffer.alloc(32, 2).toString('base64')];

test('what is sealed opens again, in its own context only', () => {
  const secrets = createSecrets(oldKey);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const sealed = secrets.seal(text, 'a');
      expect(secrets.open(sealed, 'a')).toBe(text);
      expect(() => secrets.open(sealed, 'b')).toThrow();
    }),
  );
  expect(secrets.seal('hunter2', 'a')).not.toBe(secrets.seal('hunter2', 'a'));
});

test('any changed character is noticed', () => {
  const secrets = createSecrets(oldKey);
  const sealed = secrets.seal('hunter2', 'a');
  for (let at = 0; at < sealed.length - 1; at += 1) {
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
    expect(() => secrets.open(changed, 'a')).toThrow();
  }
});

test('a new key seals while the old one still opens', () => {
  const before = createSecrets(oldKey).seal('x', 'a');
  const rotated = createSecrets(`${newKey}, ${oldKey}`);
  expect(rotated.open(before, 'a')).toBe('x');
  expect(rotated.isOutdated(before)).toBe(true);
  expect(rotated.isOutdated(rotated.seal('x', 'a'))).toBe(false);
  expect(() => createSecrets(newKey).open(before, 'a')).toThrow('not here');
});

test.each(['', 'short', '11'.repeat(31)])('the key %j is refused', (key) => {
  expect(() => createSecrets(key)).toThrow('32 bytes');
});

test('a file that has no key is named', async () => {
  const home = await mkdtemp(join(tmpdir(), 'secrets-'));
  await writeFile(join(home, 'secret.key'), 'no key');
  await expect(openSecrets({ home })).rejects.toMatchObject({
    code: 'no_sealing_key',
    message: expect.stringContaining(join(home, 'secret.key')),
  });
  await rm(home, { recursive: true });
});

test('a key that is put into the file opens for who runs already, and seals for who comes next', async () => {
  const home = await mkdtemp(join(tmpdir(), 'secrets-'));
  const running = await openSecrets({ home });
  const before = running.seal('x', 'a');
  await addKeyInFront(join(home, 'secret.key'));
  const next = await openSecrets({ home });
  expect(next.isOutdated(before)).toBe(true);
  expect(next.open(before, 'a')).toBe('x');
  expect(running.open(next.seal('y', 'a'), 'a')).toBe('y');
  expect((await stat(join(home, 'secret.key'))).mode & 0o777).toBe(0o600);
  await rm(home, { recursive: true });
});

test('without a key, one is made once and kept private', async () => {
  const home = await mkdtemp(join(tmpdir(), 'secrets-'));
  const [first, second] = await Promise.all([openSecrets({ home }), openSecrets({ home })]);
  expect(second.open(first.seal('x', 'a'), 'a')).toBe('x');
  expect((await stat(join(home, 'secret.key'))).mode & 0o777).toBe(0o600);
  await rm(home, { recursive: true });
});
