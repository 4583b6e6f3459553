import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { KeyedQueue } from '@drawbridge/concurrency/keyed-queue.ts';
import type { ImportCommand, WriteBackOutcome } from '../contract.ts';
import { errorCode, fault } from '../fault.ts';
import { parseJson } from '../json.ts';
import { draftFields, draftLineFields, headerValue, lineValue } from '../sql/draft-values.ts';
import { filesFault } from './errors.ts';
import { draftFolders, type OpenFolder, openOwnFolder } from './folder.ts';
import { removeStaleFiles } from './stale-files.ts';
import { putNew, writeDurably } from './status.ts';

/** What is known of a draft that was written, whoever has taken its file since. */
interface Written {
  readonly state: 'begun' | 'written' | 'undoing';
  /** SHA-256 of each file, by its name. */
  readonly files: Readonly<Record<string, string>>;
}

/** Beside the drafts, so that one which was taken is not written again. */
const journalFolder = '.written';
/** Another process may be at work on a draft that was begun so short a time ago. */
const underWayMs = 60_000;
const journalBytesMax = 65_536;
/** Keyed by path: files hold against other processes only. */
const writes = new KeyedQueue();

/**
 * Puts a draft into the folder as a JSON file, beside the document as it came, or takes both out again as
 * long as nobody has changed or taken them. A file gets its name when it is whole, and over no other. What
 * was written is remembered, as programs of the ERP take files away.
 */
export async function putDraft(
  folder: OpenFolder,
  command: ImportCommand,
  now: Date,
): Promise<WriteBackOutcome> {
  const drafts = draftFolders[command.environment];
  const shown = `${drafts}/${draftName(command)}.json`;
  return writes.run(path.join(folder.real, shown), async () => {
    const opened: OpenFolder[] = [];
    try {
      const target = await openOwnFolder(folder, drafts);
      if (target !== undefined) opened.push(target);
      const journal = target && (await openOwnFolder(target, journalFolder));
      if (journal !== undefined) opened.push(journal);
      if (target === undefined || journal === undefined) {
        const message = `${path.join(folder.real, drafts)} is not a folder of its own.`;
        return { kind: 'unreachable', fault: fault('not_a_folder', message, 'never') };
      }
      const place = { target, journal, shown };
      return command.action === 'import'
        ? await write(place, command, now)
        : await takeOut(place, command);
    } catch (error) {
      return { kind: 'unreachable', fault: filesFault(error, shown) };
    } finally {
      for (const each of opened) await each.close();
    }
  });
}

interface Place {
  readonly target: OpenFolder;
  readonly journal: OpenFolder;
  /** As people know it. */
  readonly shown: string;
}

/** A readable name, the same each time; the id tells drafts apart. */
function draftName({ document: { id, draft } }: ImportCommand): string {
  const readable = draft.number.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 60);
  return `${readable}-${id.replace(/[^A-Za-z0-9_-]/g, '_')}`;
}

async function write(place: Place, command: ImportCommand, now: Date): Promise<WriteBackOutcome> {
  const { target, journal, shown } = place;
  const texts = textsOf(command);
  const entry = path.join(journal.path, `${draftName(command)}.json`);
  const known = await readJournal(entry);
  if (known === 'unreadable') return { kind: 'conflict', found: `an unreadable ${shown}` };
  if (known?.state === 'written' || known?.state === 'undoing') {
    return { kind: 'already', target: shown };
  }
  const files = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, hash(text)]));
  if (known === undefined) {
    if (!(await saveNew(entry, { state: 'begun', files }))) return busy(shown);
    await journal.sync();
  } else if (!(await isThere(target, known.files))) {
    const { mtimeMs } = await lstat(entry);
    if (now.getTime() - mtimeMs < underWayMs) return busy(shown);
    // Whoever began it ended before it was finished: the file came, or did not, and may be taken.
    const found = `${shown} was begun and is not there: it may have been taken. Remove ${journalFolder}/${path.basename(entry)} in that folder to have it written`;
    return { kind: 'conflict', found };
  }
  for (const [name, text] of Object.entries(texts)) {
    const file = path.join(target.path, name);
    if ((await hashOf(file)) === hash(text)) continue;
    const temporary = path.join(journal.path, `${name}.${process.pid}.tmp`);
    await writeDurably(temporary, text);
    await removeStaleFiles(journal, temporary);
    if (!(await putNew(temporary, file))) {
      await rm(entry, { force: true });
      return { kind: 'conflict', found: `another file that is called ${shown}` };
    }
  }
  await target.sync();
  await save(entry, { state: 'written', files });
  await journal.sync();
  return { kind: 'written', target: shown };
}

/** The document first, the draft last: who sees the draft finds both. */
function textsOf({ document }: ImportCommand): Readonly<Record<string, string>> {
  const name = draftName({ document } as ImportCommand);
  const header = Object.fromEntries(
    draftFields
      .filter((field) => field !== 'xml')
      .map((field) => [field, headerValue(document, field)]),
  );
  const lines = document.draft.lines.map((_, at) =>
    Object.fromEntries(draftLineFields.map((field) => [field, lineValue(document, field, at + 1)])),
  );
  const draft = `${JSON.stringify({ status: 'draft', ...header, lines }, null, 2)}\n`;
  return {
    ...(document.xml === undefined ? {} : { [`${name}.xml`]: document.xml }),
    [`${name}.json`]: draft,
  };
}

async function takeOut(
  { target, journal, shown }: Place,
  command: ImportCommand,
): Promise<WriteBackOutcome> {
  const name = `${draftName(command)}.json`;
  const entry = path.join(journal.path, name);
  const known = await readJournal(entry);
  if (known === undefined) return { kind: 'already', target: shown };
  if (known === 'unreadable') return { kind: 'conflict', found: `an unreadable ${shown}` };
  if (known.state !== 'undoing') {
    const why = await goneOn(target, name, known);
    if (why !== undefined) return { kind: 'conflict', found: `${shown}: ${why}` };
    await save(entry, { ...known, state: 'undoing' });
  }
  for (const file of Object.keys(known.files)) {
    await rm(path.join(target.path, file), { force: true });
  }
  await target.sync();
  await rm(entry);
  await journal.sync();
  return { kind: 'written', target: shown };
}

/** How somebody has gone on with the draft; undefined when nobody has. */
async function goneOn(
  target: OpenFolder,
  name: string,
  { files }: Written,
): Promise<string | undefined> {
  for (const [file, wanted] of Object.entries(files)) {
    const found = await hashOf(path.join(target.path, file));
    if (found === wanted) continue;
    if (found === undefined) return 'somebody has taken it, or it was never finished';
    const text = file === name ? await readText(path.join(target.path, file)) : undefined;
    const parsed = text === undefined ? undefined : parseJson(text);
    const status = (parsed as { readonly status?: unknown } | undefined)?.status;
    return typeof status === 'string' && status !== 'draft'
      ? `somebody has gone on with it, for status is "${status.slice(0, 100)}" and not "draft"`
      : 'somebody has changed it';
  }
  return undefined;
}

async function isThere(target: OpenFolder, files: Written['files']): Promise<boolean> {
  for (const [file, wanted] of Object.entries(files)) {
    if ((await hashOf(path.join(target.path, file))) !== wanted) return false;
  }
  return true;
}

function busy(shown: string): WriteBackOutcome {
  const message = `Another process is at work on ${shown}; try again.`;
  return { kind: 'unreachable', fault: fault('busy', message, 'later') };
}

async function readJournal(entry: string): Promise<Written | undefined | 'unreadable'> {
  const text = await readText(entry, journalBytesMax);
  if (text === undefined) return undefined;
  const parsed = parseJson(text) as Partial<Written> | undefined;
  const isWritten =
    typeof parsed?.files === 'object' &&
    parsed.files !== null &&
    ['begun', 'written', 'undoing'].includes(parsed.state ?? '');
  return isWritten ? (parsed as Written) : 'unreadable';
}

async function saveNew(entry: string, written: Written): Promise<boolean> {
  const temporary = `${entry}.${process.pid}.tmp`;
  await writeDurably(temporary, JSON.stringify(written));
  return putNew(temporary, entry);
}

async function save(entry: string, written: Written): Promise<void> {
  const temporary = `${entry}.${process.pid}.tmp`;
  await writeDurably(temporary, JSON.stringify(written));
  await rename(temporary, entry);
}

async function hashOf(file: string): Promise<string | undefined> {
  const text = await readText(file);
  return text === undefined ? undefined : hash(text);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const draftBytesMax = 67_108_864;

/** Undefined when it is not there; what is no file of ours reads as empty. */
async function readText(file: string, bytesMax = draftBytesMax): Promise<string | undefined> {
  try {
    const handle = await open(
      file,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    try {
      const stats = await handle.stat();
      return !stats.isFile() || stats.size > bytesMax ? '' : await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    if (errorCode(error) === 'ELOOP') return '';
    throw error;
  }
}
