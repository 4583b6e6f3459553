/**
 * Makes PDF files in a child process: typesetting and decoding pictures is native code that runs
 * for seconds and may crash, on input from strangers. The process does one task at a time; it
 * starts with the first task, ends when idle, and is replaced after a failure.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { KeyedQueue } from '@drawbridge/concurrency/keyed-queue.ts';
import type { DocumentPart } from '../document.ts';
import type { Thumbnail } from '../pictures/thumbnail.ts';

export interface PdfWorker {
  /** A PDF file. Fails with `PdfWorkerError`. */
  print(part: DocumentPart): Promise<Uint8Array>;
  /** A picture of a stranger in its printed form. Fails with `PdfWorkerError`. */
  thumbnail(picture: Uint8Array): Promise<Thumbnail>;
  close(): Promise<void>;
}

export interface PdfWorkerLimits {
  readonly timeoutMs: number;
  readonly pictureTimeoutMs: number;
  /** Resident memory of the process; watched on Linux. */
  readonly memoryBytesMax: number;
  /** A process that still uses more than this after a task is replaced. */
  readonly memoryBytesKept: number;
  /** Tasks that wait or run. */
  readonly waitingMax: number;
  readonly idleMs: number;
}

const pdfWorkerLimits: PdfWorkerLimits = {
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
  crashed: 'the typesetter crashed while it printed the document',
  refused: 'the document cannot be printed',
  too_large: 'the conversation is too large to print',
  closed: 'the typesetter is closed',
} as const;
export type PdfWorkerFault = keyof typeof messages;

/** Why there is no document; after `busy`, and perhaps `crashed`, a retry may help. */
export class PdfWorkerError extends Error {
  readonly code: PdfWorkerFault;

  constructor(code: PdfWorkerFault, detail?: string) {
    super(detail === undefined ? messages[code] : `${messages[code]}: ${detail}`);
    this.code = code;
  }
}

export interface PdfWorkerOptions {
  readonly limits?: Partial<PdfWorkerLimits>;
  /** The program that the child process runs. */
  readonly program?: string;
}

export type PdfTask = { readonly part: DocumentPart } | { readonly picture: Uint8Array };

/** The answer of the process to a task. */
export type PdfAnswer = { readonly file: Uint8Array } | { readonly problem: string };

const ownProgram = join(import.meta.dirname, 'worker-process.ts');
const memoryCheckMs = 100;

export function openPdfWorker({ limits, program = ownProgram }: PdfWorkerOptions = {}): PdfWorker {
  const { timeoutMs, pictureTimeoutMs, waitingMax, idleMs, ...memory } = {
    ...pdfWorkerLimits,
    ...limits,
  };
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  const tasks = new KeyedQueue();
  let isClosed = false;

  async function ask(task: PdfTask): Promise<PdfAnswer> {
    if (isClosed) throw new PdfWorkerError('closed');
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

  function inTurn(task: PdfTask): Promise<PdfAnswer> {
    if (tasks.size('') >= waitingMax) return Promise.reject(new PdfWorkerError('busy'));
    return tasks.run('', () => ask(task));
  }

  function started(): ChildProcess {
    const fresh = start(program);
    fresh.on('exit', () => {
      if (child === fresh) child = undefined;
    });
    // A waiting task has its own listener; without any listener the error would end this process.
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
      if ('problem' in answer) throw new PdfWorkerError('refused', answer.problem);
      return answer.file;
    },
    thumbnail: (picture) => inTurn({ picture }),
    close: async () => {
      isClosed = true;
      clearTimeout(idle);
      await stop();
      await tasks.drain();
    },
  };
}

/** Without our environment variables, which hold secrets. */
function start(program: string): ChildProcess {
  const child = fork(program, {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {},
    execArgv: ['--max-old-space-size=768', '--disable-warning=ExperimentalWarning'],
  });
  child.unref();
  child.channel?.unref();
  (child.stderr as Socket | null)?.unref();
  return child;
}

const stderrMax = 2_000;

/** The line of stderr that says why the process ended; it goes to the log, never to a client. */
function lastErrorLineOf({ stderr }: ChildProcess): () => string | undefined {
  let text = '';
  const keep = (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(0, stderrMax);
  };
  stderr?.on('data', keep);
  return () => {
    stderr?.off('data', keep);
    return /^.*(?:Error|panicked).*$/m.exec(text)?.[0].slice(0, 200);
  };
}

type Bounds = Pick<PdfWorkerLimits, 'timeoutMs' | 'memoryBytesMax'>;

/** The answer of the process; fails when it ends first, or exceeds its time or memory. */
async function answerOf(child: ChildProcess, task: PdfTask, bounds: Bounds) {
  const { promise, resolve, reject } = Promise.withResolvers<PdfAnswer>();
  const lastWords = lastErrorLineOf(child);
  const crashed = () => reject(new PdfWorkerError('crashed', lastWords()));
  const timer = setTimeout(() => reject(new PdfWorkerError('timeout')), bounds.timeoutMs);
  const watch = setInterval(() => {
    void residentBytes(child).then((bytes) => {
      if (bytes > bounds.memoryBytesMax) reject(new PdfWorkerError('memory'));
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

/** The resident memory of a process; 0 where `/proc` does not have it. */
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
