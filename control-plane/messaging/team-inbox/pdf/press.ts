/**
 * Prints in a process of its own: setting type and decoding pictures is native code that works for
 * seconds and may crash, and what it works on comes from strangers. One task at a time; the process
 * starts with the first, ends when idle, and is replaced after a failure.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { DocumentPart } from './document.ts';
import type { Thumbnail } from './thumbnail.ts';

export interface Press {
  /** A PDF file. Fails with `PressError`. */
  print(part: DocumentPart): Promise<Uint8Array>;
  /** A picture of strangers as it is to be printed. Fails with `PressError`. */
  thumbnail(picture: Uint8Array): Promise<Thumbnail>;
  close(): Promise<void>;
}

export interface PressLimits {
  readonly timeoutMs: number;
  readonly pictureTimeoutMs: number;
  /** Resident memory of the process; watched on Linux. */
  readonly memoryBytesMax: number;
  /** A process that holds more after its work is not used again. */
  readonly memoryBytesKept: number;
  /** Tasks that wait or are worked on. */
  readonly waitingMax: number;
  readonly idleMs: number;
}

export const pressLimits: PressLimits = {
  timeoutMs: 120_000,
  pictureTimeoutMs: 30_000,
  memoryBytesMax: 1_536 * 1024 * 1024,
  memoryBytesKept: 768 * 1024 * 1024,
  waitingMax: 64,
  idleMs: 60_000,
};

const messages = {
  busy: 'too many documents are waiting to be printed',
  timeout: 'the document took too long to print',
  memory: 'the document took too much memory to print',
  crashed: 'the typesetter ended while it printed the document',
  refused: 'the document cannot be printed',
  too_large: 'the conversation is too large to print',
  closed: 'printing has ended',
} as const;
export type PressFault = keyof typeof messages;

/** Why there is no document; `busy` is worth another try, and so may be `crashed`. */
export class PressError extends Error {
  readonly code: PressFault;

  constructor(code: PressFault, detail?: string) {
    super(detail === undefined ? messages[code] : `${messages[code]}: ${detail}`);
    this.code = code;
  }
}

export interface PressOptions {
  readonly limits?: Partial<PressLimits>;
  /** What runs in the process. */
  readonly program?: string;
}

export type PressTask = { readonly part: DocumentPart } | { readonly picture: Uint8Array };

/** What the process answers a task with. */
export type PressAnswer = { readonly file: Uint8Array } | { readonly problem: string };

const ownProgram = join(import.meta.dirname, 'typesetter-process.ts');
const memoryCheckMs = 100;

export function openPress({ limits, program = ownProgram }: PressOptions = {}): Press {
  const { timeoutMs, pictureTimeoutMs, waitingMax, idleMs, ...memory } = {
    ...pressLimits,
    ...limits,
  };
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let isClosed = false;

  async function ask(task: PressTask): Promise<PressAnswer> {
    if (isClosed) throw new PressError('closed');
    clearTimeout(idle);
    child ??= started();
    try {
      const bounds = { ...memory, timeoutMs: 'part' in task ? timeoutMs : pictureTimeoutMs };
      const answer = await answerOf(child, task, bounds);
      if ((await residentBytes(child)) > memory.memoryBytesKept) await stop();
      return answer;
    } catch (error) {
      await stop();
      throw error;
    } finally {
      idle = setTimeout(() => void stop(), idleMs).unref();
    }
  }

  function inTurn(task: PressTask): Promise<PressAnswer> {
    if (waiting >= waitingMax) return Promise.reject(new PressError('busy'));
    waiting += 1;
    const answer = last.then(() => ask(task));
    last = answer.then(
      () => (waiting -= 1),
      () => (waiting -= 1),
    );
    return answer;
  }

  function started(): ChildProcess {
    const fresh = start(program);
    fresh.on('exit', () => {
      if (child === fresh) child = undefined;
    });
    // Whoever waits for an answer hears of it; with nobody there it would end us.
    fresh.on('error', () => {});
    return fresh;
  }

  async function stop(): Promise<void> {
    const ending = child;
    child = undefined;
    if (ending !== undefined) await end(ending);
  }

  return {
    print: async (part) => {
      const answer = await inTurn({ part });
      if ('problem' in answer) throw new PressError('refused', answer.problem);
      return answer.file;
    },
    thumbnail: (picture) => inTurn({ picture }),
    close: async () => {
      isClosed = true;
      clearTimeout(idle);
      await stop();
      await last;
    },
  };
}

/** Without our environment: it needs none of our secrets. */
function start(program: string): ChildProcess {
  const child = fork(program, {
    ...{ serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env: {} },
    execArgv: ['--max-old-space-size=768', '--disable-warning=ExperimentalWarning'],
  });
  child.unref();
  child.channel?.unref();
  (child.stderr as Socket | null)?.unref();
  return child;
}

const lastWordsMax = 2_000;

/** The line in which a process says why it ends; its host may read it, no client. */
function lastWordsOf({ stderr }: ChildProcess): () => string | undefined {
  let text = '';
  const keep = (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(0, lastWordsMax);
  };
  stderr?.on('data', keep);
  return () => {
    stderr?.off('data', keep);
    return /^.*(?:Error|panicked).*$/m.exec(text)?.[0].slice(0, 200);
  };
}

type Bounds = Pick<PressLimits, 'timeoutMs' | 'memoryBytesMax'>;

/** What the process answers; fails when it ends first, or does not keep within its bounds. */
async function answerOf(child: ChildProcess, task: PressTask, bounds: Bounds) {
  const { promise, resolve, reject } = Promise.withResolvers<PressAnswer>();
  const lastWords = lastWordsOf(child);
  const crashed = () => reject(new PressError('crashed', lastWords()));
  const timer = setTimeout(() => reject(new PressError('timeout')), bounds.timeoutMs);
  const watch = setInterval(() => {
    void residentBytes(child).then((bytes) => {
      if (bytes > bounds.memoryBytesMax) reject(new PressError('memory'));
    });
  }, memoryCheckMs);
  child.once('message', resolve).once('close', crashed).once('error', crashed);
  child.send(task, (error) => error && crashed());
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    child.off('message', resolve).off('close', crashed).off('error', crashed);
    lastWords();
  }
}

/** What a process holds in memory; 0 when nobody can say. */
async function residentBytes({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

async function end(child: ChildProcess): Promise<void> {
  const hasEnded = child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  if (hasEnded) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  child.ref();
  child.kill('SIGKILL');
  await promise;
}
