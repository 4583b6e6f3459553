import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMigratedPostgres, type TestPostgres } from '../../test/kit/postgres.ts';
import { controlPlaneMain } from '../../test/kit/programs.ts';
import { openMigratedDatabase } from '../installation/migrated-database.ts';
import { signFile } from '../messaging/team-inbox/export/pdf/signing/signature.ts';
import { openPdfSigners } from '../messaging/team-inbox/export/pdf/signing/signer.ts';
import { createLog } from '../platform/log/log.ts';
import { openSecrets } from '../platform/secrets/secrets.ts';
import { readSettings } from '../settings.ts';

let postgres: TestPostgres;
let home: string;
let file: string;
let key: string;

beforeAll(async () => {
  postgres = await startMigratedPostgres();
  home = await mkdtemp(join(tmpdir(), 'verify-pdf-'));
  file = join(home, 'conversation.pdf');
  key = (await cli('pdf-key')).text;
  await writeFile(file, '%PDF-1.7\n%%EOF\n');
  await writeFile(`${file}.sig`, JSON.stringify(await signedHere(await readFile(file))));
});
afterAll(async () => {
  await postgres.stop();
  await rm(home, { recursive: true });
});

const environment = () => ({ DATABASE_URL: postgres.url, DRAWBRIDGE_HOME: home });

interface Ran {
  readonly code: number;
  readonly text: string;
}

function cli(...args: string[]): Promise<Ran> {
  const env = { ...process.env, ...environment() };
  return new Promise((resolve) => {
    execFile(process.execPath, [controlPlaneMain, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), text: `${stdout}${stderr}`.trim() });
    });
  });
}

/** Signs as another node of the same installation does. */
async function signedHere(bytes: Uint8Array) {
  const log = createLog({ level: 'error' });
  const { db, close } = await openMigratedDatabase(readSettings(environment()), log);
  try {
    const secrets = await openSecrets({ home });
    const signers = await openPdfSigners({
      db,
      secrets,
      clock: () => new Date(),
      random: () => Buffer.alloc(16),
    });
    return await signFile(bytes, await signers.current());
  } finally {
    await close();
  }
}

test('the key is made once, and is the same for every node', async () => {
  expect(Buffer.from(key, 'base64')).toHaveLength(32);
  expect((await cli('pdf-key')).text).toBe(key);
  expect(JSON.parse(await readFile(`${file}.sig`, 'utf8')).public_key).toBe(key);
});

test('with the key in the command line it proves who signed', async () => {
  const { code, text } = await cli('verify-pdf', file, '--key', key);
  expect(code).toBe(0);
  expect(text).toMatch(/^VERIFIED: the owner of the key you named signed this file/);
  expect(JSON.parse((await cli('verify-pdf', file, '--key', key, '--json')).text)).toMatchObject({
    verified: true,
    key_pinned: true,
    public_key: key,
  });
});

test('without a key, it says that who signed is not proved', async () => {
  const { code, text } = await cli('verify-pdf', file);
  expect({ code, text }).toEqual({
    code: 0,
    text: expect.stringMatching(/^CONSISTENT: .*NOT proved/),
  });
  expect(JSON.parse((await cli('verify-pdf', file, '--json')).text).key_pinned).toBe(false);
});

test('a changed byte is refused with exit code 1', async () => {
  const changed = join(home, 'changed.pdf');
  await writeFile(changed, '%PDF-1.6\n%%EOF\n');
  const args = ['verify-pdf', changed, '--signature', `${file}.sig`];
  const { code, text } = await cli(...args);
  expect({ code, text }).toEqual({ code: 1, text: expect.stringMatching(/^REFUSED: .*SHA-256/) });
  expect(JSON.parse((await cli(...args, '--json')).text)).toMatchObject({ verified: false });
});

test('a signature of another key is refused', async () => {
  const other = Buffer.alloc(32, 7).toString('base64');
  const { code, text } = await cli('verify-pdf', file, '--key', other);
  expect({ code, text }).toEqual({ code: 1, text: expect.stringContaining('another key') });
});

test.each([
  ['a file that is missing', ['/nowhere/a.pdf'], 2, /ENOENT/],
  ['a signature that is none', ['FILE', '--signature', 'FILE'], 2, /no signature file/],
  ['a key that is none', ['FILE', '--key', 'abc'], 1, /public key is needed/],
])('%s: exit code, and why', async (_, args, code, why) => {
  const ran = await cli('verify-pdf', ...args.map((arg) => (arg === 'FILE' ? file : arg)));
  expect(ran).toEqual({ code, text: expect.stringMatching(why) });
});

test('the database holds no key that could sign without the sealing key', async () => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query('select * from document_signing_key');
  await client.end();
  expect(rows).toHaveLength(1);
  expect(rows[0].sealed_private_jwk).toMatch(/^v1\./);
  expect(JSON.stringify(rows[0].public_jwk)).not.toContain('"d"');
});

test('a new key signs from when it is made, and the earlier one still verifies its signatures', async () => {
  const log = createLog({ level: 'error' });
  const { db, close } = await openMigratedDatabase(readSettings(environment()), log);
  let offsetMs = 0;
  const node = await openPdfSigners({
    db,
    secrets: await openSecrets({ home }),
    random: () => Buffer.alloc(16),
    clock: () => new Date(Date.now() + offsetMs),
  });
  const made = (await cli('pdf-key', '--new')).text;
  expect(made).not.toBe(key);
  expect((await cli('pdf-key')).text).toBe(made);
  expect((await cli('pdf-key', '--all')).text.split('\n')).toEqual([made, key]);
  offsetMs = 2_000;
  const newer = join(home, 'newer.pdf');
  await writeFile(newer, '%PDF-1.7\n%%EOF\n');
  const signature = await signFile(await readFile(newer), await node.current());
  await close();
  await writeFile(`${newer}.sig`, JSON.stringify(signature));
  expect((await cli('verify-pdf', newer, '--key', made)).code).toBe(0);
  expect((await cli('verify-pdf', newer, '--key', key)).code).toBe(1);
  expect((await cli('verify-pdf', file, '--key', made)).code).toBe(1);
  expect((await cli('verify-pdf', file, '--key', made, '--key', key)).text).toMatch(/^VERIFIED/);
}, 60_000);
