/**
 * SQLite's native addon in an agent that is one file: the addon is inside, and the system loads it
 * from a file of its own only. The build puts this in the place of better-sqlite3's search for it.
 */
import { createHash, randomUUID } from 'node:crypto';
import { lstatSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getAsset, getRawAsset } from 'node:sea';
import { makeFolder } from '@drawbridge/connectors/make-folder.ts';
import { addonAsset, addonHashAsset } from './assets.ts';

let addon: object | undefined;

/** The addon, loaded once. Throws when no folder can hold it, and says what was wrong with each. */
export function getBinding(): object {
  addon ??= load();
  return addon;
}

/** A home may be missing, and a temporary folder may forbid programs: the next one is tried then. */
const folders: readonly (() => string)[] = [
  () => join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'drawbridge'),
  () => join(tmpdir(), `drawbridge-${process.getuid?.() ?? 'cache'}`),
  () => join(dirname(process.execPath), '.drawbridge-cache'),
];

function load(): object {
  const hash = getAsset(addonHashAsset, 'utf8');
  const faults: string[] = [];
  for (const folderOf of folders) {
    try {
      const folder = folderOf();
      ownFolder(folder);
      const file = join(folder, `${hash.slice(0, 16)}-${addonAsset}`);
      if (hashOf(file) !== hash) writeWhole(file);
      const loaded = { exports: {} };
      process.dlopen(loaded, file);
      return loaded.exports;
    } catch (error) {
      faults.push((error as Error).message);
    }
  }
  const next = 'Set XDG_CACHE_HOME to a folder that this user can write to and run programs from.';
  throw new Error(`SQLite cannot be loaded: ${faults.join('; ')}. ${next}`);
}

/**
 * Makes the folder, which nobody else may write to or put another in the place of: whoever does decides what this
 * process runs. Root does not use what a service's user owns.
 */
function ownFolder(folder: string): void {
  const user = process.getuid?.();
  for (let above = dirname(folder); user !== undefined; above = dirname(above)) {
    const owner = statSync(above, { throwIfNoEntry: false })?.uid;
    if (![undefined, user, 0].includes(owner)) throw new Error(`${above} belongs to another user`);
    if (above === dirname(above)) break;
  }
  makeFolder(folder, 0o700);
  const { uid, mode } = lstatSync(folder);
  const isOwn = user === undefined || (uid === user && (mode & 0o22) === 0);
  if (!isOwn) throw new Error(`${folder} can be written to by others`);
}

function hashOf(file: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return undefined;
  }
}

/** Another process that starts at the same time finds the whole file or none. */
function writeWhole(file: string): void {
  const bytes = new Uint8Array(getRawAsset(addonAsset) as ArrayBuffer);
  const part = `${file}.${randomUUID()}`;
  try {
    writeFileSync(part, bytes, { mode: 0o600 });
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true }); // each start would leave one on a full disk
    throw error;
  }
}
