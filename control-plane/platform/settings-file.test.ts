import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { readSettingsFile } from './settings-file.ts';

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'settings-file-'));
  path = join(folder, 'authorities.json');
});
afterAll(() => rm(folder, { recursive: true }));

const endpoint = z.strictObject({ baseUrl: z.url(), token: z.string() });
const schema = z.strictObject({ live: z.record(z.string(), endpoint).default({}) });
const read = (file?: string) => readSettingsFile('AUTHORITIES_FILE', file, schema);

test('what it says is read; without a file nothing is said', async () => {
  const live = { peppol: { baseUrl: 'https://ap.example.com', token: 'abc' } };
  await writeFile(path, JSON.stringify({ live }));
  expect(await read(path)).toEqual({ live });
  expect(await read()).toEqual({ live: {} });
});

test.each([
  ['{ "live": { "peppol": "s3cret" ', /^AUTHORITIES_FILE: .*authorities.json is no JSON$/],
  [
    '{ "live": { "peppol": { "baseUrl": "s3cret", "token": "s3cret" } } }',
    /live\.peppol\.baseUrl:/,
  ],
  ['{ "sandbx": {} }', /sandbx: is not a known field/],
  ['[]', /the file: /],
])(
  '%s is refused with setting, file and place, and nothing of it is repeated',
  async (text, said) => {
    await writeFile(path, text);
    const error = await read(path).catch((thrown: Error & { code: string }) => thrown);
    expect(error).toMatchObject({ code: 'settings_file', message: expect.stringMatching(said) });
    expect((error as Error).message).not.toMatch(/s3cret\b/);
  },
);

test('a file that is not there is told', async () => {
  await expect(read(join(folder, 'none.json'))).rejects.toThrow(
    /^AUTHORITIES_FILE: .*none\.json cannot be read \(ENOENT\)$/,
  );
});
