/**
 * Reads sources in a thread of its own: connecting, decrypting and parsing what a source answers takes
 * no time of the thread that serves. Documents come back in pieces.
 */
import { Worker } from 'node:worker_threads';
import type { Connector } from '@drawbridge/connectors/contract.ts';
import { fault } from '@drawbridge/connectors/fault.ts';
import type { Clock } from '../../../platform/ids.ts';
import { whole } from '../../document-checks/large-outcomes.ts';
import type {
  SourceMethod,
  SourceOpening,
  SourceRequest,
  ThreadAnswer,
  ThreadRequest,
} from './messages.ts';

/** What a call may take beyond the limit of its source; then the thread is taken for stuck and ended. */
const graceMs = 20_000;
/** Of the heap of the thread: several documents are read at once. */
const heapMiBMax = 2_048;

/** Answers a call whose thread has ended. */
const lost = Symbol('lost');

/** A request without the number that its sender gives it. */
type Unnumbered<Request> = Request extends unknown ? Omit<Request, 'call'> : never;

interface RunningThread {
  readonly worker: Worker;
  readonly calls: Map<number, PromiseWithResolvers<unknown>>;
}

/** Opens sources in one thread, which is started for the first and again when it has ended. */
export class SourceThread {
  readonly #clock: Clock;
  #running: RunningThread | undefined;
  #last = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** As `ConnectorKind.open`: its methods answer `unreachable` when the thread ends meanwhile, and once it is closed. */
  async open(opening: SourceOpening): Promise<Connector> {
    let thread = this.#thread();
    let source = this.#next();
    const openIn = () => {
      const nowMs = this.#clock().getTime();
      return this.#ask(thread, { kind: 'open', source, opening, nowMs }, opening.timeoutMs);
    };
    let opened = openIn();
    const methods = await opened;
    if (methods === lost) throw new Error('the thread of the sources ended before it opened one');

    let isClosed = false;
    const call = async (method: SourceMethod, given: unknown[], signal: AbortSignal) => {
      if (isClosed) return unanswered(method, given);
      if (thread !== this.#running) {
        thread = this.#thread();
        source = this.#next();
        opened = openIn();
      }
      const [asked, id] = [thread, source];
      if ((await opened) === lost) return unanswered(method, given);
      // Meanwhile it may have been closed, and the thread knows it no more.
      if (isClosed) return unanswered(method, given);
      const nowMs = this.#clock().getTime();
      const request = { kind: 'call', source: id, method, given, nowMs } as const;
      const result = await this.#ask(asked, request, opening.timeoutMs, signal);
      return result === lost ? unanswered(method, given) : whole(result);
    };
    const own = (methods as readonly SourceMethod[]).map((method) => [
      method,
      (...given: unknown[]) => call(method, given, given.pop() as AbortSignal),
    ]);
    const close = async () => {
      isClosed = true;
      if (thread !== this.#running) return;
      await this.#ask(thread, { kind: 'close', source }, opening.timeoutMs);
    };
    // Which confirmations it takes the source says in its thread.
    return { ...Object.fromEntries(own), takesInvalid: true, close } as Connector;
  }

  /** Ends the thread, and what it does. */
  async close(): Promise<void> {
    const running = this.#running;
    if (running !== undefined) await this.#end(running);
  }

  #next(): number {
    this.#last += 1;
    return this.#last;
  }

  #thread(): RunningThread {
    this.#running ??= this.#start();
    return this.#running;
  }

  #start(): RunningThread {
    const worker = new Worker(new URL('./program.ts', import.meta.url), {
      // Without our environment variables, which hold secrets.
      env: {},
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: heapMiBMax },
    });
    const running: RunningThread = { worker, calls: new Map() };
    const ended = () => void this.#end(running);
    worker.on('error', ended).on('exit', ended);
    worker.on('message', (answer: ThreadAnswer) => {
      const waiting = running.calls.get(answer.call);
      if ('error' in answer) waiting?.reject(answer.error);
      else waiting?.resolve(answer.result);
    });
    worker.unref();
    return running;
  }

  async #end(running: RunningThread): Promise<void> {
    if (this.#running === running) this.#running = undefined;
    for (const waiting of running.calls.values()) waiting.resolve(lost);
    await running.worker.terminate();
  }

  async #ask(
    running: RunningThread,
    request: Unnumbered<SourceRequest>,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<unknown> {
    if (running !== this.#running) return lost;
    const call = this.#next();
    const answered = Promise.withResolvers<unknown>();
    running.calls.set(call, answered);
    const post = (message: ThreadRequest) => running.worker.postMessage(message);
    const abort = () => post({ kind: 'abort', call });
    const stuck = setTimeout(() => void this.#end(running), timeoutMs + graceMs);
    try {
      post({ ...request, call } as SourceRequest);
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
      return await answered.promise;
    } finally {
      clearTimeout(stuck);
      signal?.removeEventListener('abort', abort);
      running.calls.delete(call);
    }
  }
}

function unanswered(method: SourceMethod, [first]: readonly unknown[]): unknown {
  const message = 'What reads the source ended before it answered.';
  const cause = fault('process_ended', message, 'later');
  if (method === 'test') return { kind: 'failed', fault: cause };
  const outcome = { kind: 'unreachable', fault: cause };
  return method === 'readMany' ? (first as readonly string[]).map(() => outcome) : outcome;
}
