import { createHash } from 'node:crypto';
import { type FileHandle, link, lstat, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { confirmationValues, decideSlot, type SlotContent } from '../confirmation-slot.ts';
import type { WriteBackCommand, WriteBackOutcome } from '../contract.ts';
import { errorCode, fault } from '../fault.ts';
import { parseJson } from '../json.ts';
import { inTurn } from '../turns.ts';
import { filesFault } from './errors.ts';
import { statusFolders } from './folder.ts';

const attemptsMax = 5;
const statusBytesMax = 65_536;

/** Drops the confirmation as a JSON file, whole or not at all, never over another invoice's. */
export async function writeStatus(
  folder: string,
  command: WriteBackCommand,
): Promise<WriteBackOutcome> {
  const status = statusFolders[command.environment];
  const name = statusFileName(command.confirmation.sourceRef);
  const target = path.join(folder, status, name);
  return inTurn(`file ${target}`, async () => {
    try {
      const refusal = await ensureFolder(path.join(folder, status));
      if (refusal !== undefined) return refusal;
      for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
        const outcome = await writeOnce(target, `${status}/${name}`, command);
        if (outcome !== 'collided') return outcome;
      }
      const message = `Others kept changing ${status}/${name}; try again.`;
      return { kind: 'unreachable', fault: fault('busy', message, 'later') };
    } catch (error) {
      return { kind: 'unreachable', fault: filesFault(error, `${status}/${name}`) };
    }
  });
}

/** Readable, and different for each ref: a ref may hold what a file name may not. */
export function statusFileName(ref: string): string {
  const readable = ref.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 80);
  const digest = createHash('sha256').update(ref).digest('hex').slice(0, 16);
  return `${readable}-${digest}.json`;
}

async function ensureFolder(folder: string): Promise<WriteBackOutcome | undefined> {
  await mkdir(folder).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
  // A link would take the confirmations to wherever it points.
  if ((await lstat(folder)).isDirectory()) return undefined;
  const message = `${folder} is not a folder of its own.`;
  return { kind: 'unreachable', fault: fault('not_a_folder', message, 'never') };
}

async function writeOnce(
  target: string,
  shown: string,
  command: WriteBackCommand,
): Promise<WriteBackOutcome | 'collided'> {
  const current = await readSlot(target);
  if (current === 'unreadable') return { kind: 'conflict', found: `an unreadable ${shown}` };
  const decision = decideSlot(current, command);
  if (decision.kind === 'conflict') return decision;
  if (decision.kind === 'already') return { kind: 'already', target: shown };
  const temporary = `${target}.${process.pid}.tmp`;
  await writeDurably(temporary, `${JSON.stringify(confirmationValues(command), null, 2)}\n`);
  if (current === undefined) {
    if (!(await putNew(temporary, target))) return 'collided';
  } else {
    await rename(temporary, target);
  }
  await syncFolder(path.dirname(target));
  return { kind: 'written', target: shown };
}

async function readSlot(target: string): Promise<SlotContent | undefined | 'unreadable'> {
  const text = await readText(target);
  if (text === undefined) return undefined;
  // Not JSON means that somebody edited the file: a conflict, for a person to look at.
  const parsed = text.length > statusBytesMax ? undefined : parseJson(text);
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

async function readText(target: string): Promise<string | undefined> {
  try {
    return await readFile(target, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
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
async function putNew(temporary: string, target: string): Promise<boolean> {
  try {
    await link(temporary, target);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') {
      await rm(temporary, { force: true });
      return false;
    }
    // Some shares know no links: there a second process could still slip in between.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code ?? '')) throw error;
    await rename(temporary, target);
    return true;
  }
  await rm(temporary, { force: true });
  return true;
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder; its file system writes names through.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
