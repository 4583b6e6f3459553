import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fingerprintOf, shippedText } from './fingerprint.ts';
import { pictures } from './pictures.ts';

test('a picture has its own fingerprint, which is the same until something of it changes', async () => {
  const all = await Promise.all(pictures.map(fingerprintOf));
  expect(new Set(all).size).toBe(pictures.length);
  const [first] = pictures;
  expect(await fingerprintOf(first!)).toBe(all[0]);
  expect(await fingerprintOf({ ...first!, width: 360 })).not.toBe(all[0]);
});

test('what is sent to browsers counts, and comments, types and forms do not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fingerprint-'));
  const textOf = async (source: string) => {
    const file = join(folder, 'page.tsx');
    await writeFile(file, source);
    return shippedText(file);
  };
  const page = await textOf('export const Page = () => <p>Shown</p>;');
  const commented = `/** A page. */\nexport const Page = (): unknown =>\n  // why\n  <p>Shown</p>;\n`;
  expect(await textOf(commented)).toBe(page);
  expect(await textOf('export const Page = () => <p>Changed</p>;')).not.toBe(page);
  await rm(folder, { recursive: true });
});
