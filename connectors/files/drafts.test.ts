import { mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Connector } from '../contract.ts';
import { importCommand } from '../drafts.suite.ts';
import { files } from './connector.ts';

const never = new AbortController().signal;
let folder: string;
let connector: Connector;
let now: Date;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-drafts-'));
  now = new Date('2999-01-01T00:00:00Z');
  connector = await files.open(files.settings.parse({ folder, subfolders: true }), {
    clock: () => now,
    allowedRoots: [folder],
  });
});
afterEach(async () => {
  await connector.close();
  await rm(folder, { recursive: true });
});

const put = (id = 'rcv_1') => connector.importDraft!(importCommand(id), never);
const undo = (id = 'rcv_1') =>
  connector.importDraft!(importCommand(id, { action: 'undo', idempotencyKey: 'other' }), never);
const drafts = async () =>
  (await readdir(path.join(folder, 'received'))).filter((name) => !name.startsWith('.')).sort();
const journal = async () => {
  const place = path.join(folder, 'received', '.written');
  return (await readdir(place)).map((name) => path.join(place, name));
};

test('a draft stands beside the document as it came, and neither is read as a document', async () => {
  expect(await put()).toEqual({ kind: 'written', target: 'received/L-2026-17-rcv_1.json' });
  expect(await drafts()).toEqual(['L-2026-17-rcv_1.json', 'L-2026-17-rcv_1.xml']);
  const xml = await readFile(path.join(folder, 'received/L-2026-17-rcv_1.xml'), 'utf8');
  expect(xml).toBe('<Invoice/>');
  expect(await connector.list(undefined, never)).toMatchObject({ kind: 'page', refs: [] });
});

test('a draft that the ERP has taken away is not written again, and not undone', async () => {
  await put();
  for (const name of await drafts()) {
    await rename(path.join(folder, 'received', name), path.join(folder, `taken-${name}`));
  }
  expect((await put()).kind).toBe('already');
  expect(await drafts()).toEqual([]);
  expect(await undo()).toMatchObject({ kind: 'conflict', found: expect.stringContaining('taken') });
});

test('a file of somebody else of that name is not overwritten', async () => {
  await put('rcv_2');
  const file = path.join(folder, 'received/L-2026-17-rcv_1.json');
  await writeFile(file, 'mine');
  expect((await put()).kind).toBe('conflict');
  expect(await readFile(file, 'utf8')).toBe('mine');
});

test.each([
  ['before its file came', true],
  ['after its file came', false],
])('a process that ended %s doubles nothing', async (_, isRemoved) => {
  await put();
  const [entry] = await journal();
  const written = JSON.parse(await readFile(entry!, 'utf8'));
  await writeFile(entry!, JSON.stringify({ ...written, state: 'begun' }));
  if (isRemoved) {
    for (const name of await drafts()) await rm(path.join(folder, 'received', name));
  }
  // It may be at work still, and a program of the ERP may have taken the file.
  const outcome = await put();
  expect(outcome.kind).toBe(isRemoved ? 'conflict' : 'written');
  expect(await drafts()).toHaveLength(isRemoved ? 0 : 2);
  now = new Date();
  if (isRemoved) expect(await put()).toMatchObject({ fault: { code: 'busy', retry: 'later' } });
});

test('an undoing that was broken off is finished, and the draft can come again', async () => {
  await put();
  const [entry] = await journal();
  const written = JSON.parse(await readFile(entry!, 'utf8'));
  await writeFile(entry!, JSON.stringify({ ...written, state: 'undoing' }));
  await rm(path.join(folder, 'received/L-2026-17-rcv_1.xml'));
  expect((await undo()).kind).toBe('written');
  expect(await drafts()).toEqual([]);
  expect((await put()).kind).toBe('written');
});

test('a folder that is a link to elsewhere is refused', async () => {
  const elsewhere = await mkdtemp(path.join(tmpdir(), 'drawbridge-elsewhere-'));
  await symlink(elsewhere, path.join(folder, 'received'));
  expect(await put()).toMatchObject({ kind: 'unreachable', fault: { code: 'not_a_folder' } });
  expect(await readdir(elsewhere)).toEqual([]);
  await rm(elsewhere, { recursive: true });
});

test('a connector that takes no drafts says so', async () => {
  const without = files.settings.parse({ folder, drafts: { mode: 'none' } });
  const closed = await files.open(without, { clock: () => now, allowedRoots: [folder] });
  expect(await closed.importDraft!(importCommand('rcv_1'), never)).toEqual({ kind: 'unsupported' });
  await closed.close();
});
