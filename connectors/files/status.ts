import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { KeyedQueue } from '@drawbridge/concurrency/keyed-queue.ts';
import type { WriteBackCommand, WriteBackOutcome } from '../contract.ts';
import { errorCode, fault } from '../fault.ts';
import { parseJson } from '../json.ts';
import {
  confirmationValues,
  decideConfirmation,
  type StoredConfirmation,
} from '../stored-confirmation.ts';
import { filesFault } from './errors.ts';
import { type OpenFolder, openOwnFolder, statusFolders } from './folder.ts';
import { removeStaleFiles } from './stale-files.ts';

const attemptsMax = 5;
const statusBytesMax = 65_536;
/** Keyed by path: a lock of the file system holds against other processes only. */
const writes = new KeyedQueue();

/** Writes the confirmation as a JSON file, whole or not at all. */
export async function writeStatus(
  folder: OpenFolder,
  command: WriteBackCommand,
): Promise<WriteBackOutcome> {
  const status = statusFolders[command.environment];
  const name = statusFileName(command.confirmation.sourceRef);
  const shown = `${status}/${name}`;
  return writes.run(path.join(folder.real, status, name), async () => {
    try {
      const target = await openOwnFolder(folder, status);
      if (target === undefined) return linked(path.join(folder.real, status));
      try {
        return await writeRepeatedly(target, name, shown, command);
      } finally {
        await target.close();
      }
    } catch (error) {
      return { kind: 'unreachable', fault: filesFault(error, shown) };
    }
  });
}

async function writeRepeatedly(
  folder: OpenFolder,
  name: string,
  shown: string,
  command: WriteBackCommand,
): Promise<WriteBackOutcome> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const outcome = await writeOnce(folder, name, shown, command);
    if (outcome !== 'collided') return outcome;
  }
  const message = `Others kept changing ${shown}; try again.`;
  return { kind: 'unreachable', fault: fault('busy', message, 'later') };
}

/** A readable file name, different for each ref; a ref may hold characters that a name may not. */
export function statusFileName(ref: string): string {
  const readable = ref.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 80);
  const digest = createHash('sha256').update(ref).digest('hex').slice(0, 16);
  return `${readable}-${digest}.json`;
}

function linked(folder: string): WriteBackOutcome {
  const message = `${folder} is not a folder of its own.`;
  return { kind: 'unreachable', fault: fault('not_a_folder', message, 'never') };
}

async function writeOnce(
  folder: OpenFolder,
  name: string,
  shown: string,
  command: WriteBackCommand,
): Promise<WriteBackOutcome | 'collided'> {
  const target = path.join(folder.path, name);
  const current = await readStored(target);
  if (current === 'unreadable') return { kind: 'conflict', found: `an unreadable ${shown}` };
  const decision = decideConfirmation(current, command);
  if (decision.kind === 'conflict') return decision;
  if (decision.kind === 'already') return { kind: 'already', target: shown };
  const temporary = `${target}.${process.pid}.tmp`;
  await writeDurably(temporary, `${JSON.stringify(confirmationValues(command), null, 2)}\n`);
  await removeStaleFiles(folder, temporary);
  if (current === undefined) {
    if (!(await putNew(temporary, target))) return 'collided';
  } else {
    await rename(temporary, target);
  }
  await folder.sync();
  return { kind: 'written', target: shown };
}

async function readStored(target: string): Promise<StoredConfirmation | undefined | 'unreadable'> {
  const text = await readText(target);
  if (text === undefined) return undefined;
  // It is not JSON, so somebody edited the file: a conflict that a person must look at.
  const parsed = parseJson(text);
  if (typeof parsed !== 'object' || parsed === null) return 'unreadable';
  const values = parsed as Readonly<Record<string, unknown>>;
  const member = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined);
  const invoiceId = member('invoice_id');
  if (invoiceId === undefined) return 'unreadable';
  return {
    invoiceId,
    status: member('status'),
    settledAt: member('settled_at'),
    idempotencyKey: member('idempotency_key'),
  };
}

/** The confirmation of a document that was written after `sinceNs`; undefined when there is none. */
export async function statusSince(
  folder: OpenFolder,
  ref: string,
  sinceNs: bigint,
): Promise<StoredConfirmation | undefined> {
  const status = await openOwnFolder(folder, statusFolders.live);
  if (status === undefined) return undefined;
  try {
    const file = path.join(status.path, statusFileName(ref));
    const stats = await lstat(file, { bigint: true }).catch(() => undefined);
    if (stats === undefined || stats.ctimeNs < sinceNs) return undefined;
    const stored = await readStored(file);
    return stored === 'unreadable' ? undefined : stored;
  } finally {
    await status.close();
  }
}

async function readText(target: string): Promise<string | undefined> {
  try {
    const file = await open(target, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const { size } = await file.stat();
      return size > statusBytesMax ? '' : await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    // A link is not what was written here.
    if (errorCode(error) === 'ELOOP') return '';
    throw error;
  }
}

/** Writes a new file so that it is there after a power failure; the caller syncs the folder. */
export async function writeDurably(file: string, text: string): Promise<void> {
  // A crash may have left one of the same name.
  await rm(file, { force: true });
  const handle: FileHandle = await open(file, 'wx', 0o644);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Gives the file its name unless the name is taken; false when another process was faster. */
export async function putNew(temporary: string, target: string): Promise<boolean> {
  try {
    await link(temporary, target);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') {
      await rm(temporary, { force: true });
      return false;
    }
    // Some network shares have no links; there two processes at once may both write.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code ?? '')) throw error;
    await rename(temporary, target);
    return true;
  }
  await rm(temporary, { force: true });
  return true;
}
