import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readerOfFolder } from './release-source.ts';

test('of a folder no more is read than is expected', { timeout: 20_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-release-'));
  try {
    await writeFile(join(folder, 'whole'), '12345');
    await symlink('/dev/zero', join(folder, 'endless'));
    const read = readerOfFolder(folder);
    expect(await read('whole', 5)).toMatchObject({ kind: 'read', value: Buffer.from('12345') });
    expect(await read('whole', 4)).toMatchObject({ kind: 'larger' });
    expect(await read('endless', 1_000_000)).toMatchObject({ kind: 'larger' });
    expect(await read('none', 5)).toMatchObject({ kind: 'absent' });
  } finally {
    await rm(folder, { recursive: true });
  }
});
