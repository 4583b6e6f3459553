import type { ConnectorFault, WriteBackOutcome } from '@drawbridge/connectors/contract.ts';
import { commandBody } from '@drawbridge/link/methods.ts';
import { type BackoffLimits, fullJitter } from '@drawbridge/retry/backoff.ts';
import { mayPass } from '../store/disk-space.ts';
import type { PendingCommand, Store } from '../store/store.ts';
import type { Sources } from './sources.ts';

export interface WriteBackContext {
  readonly store: Pick<Store, 'connectorsWithPending' | 'oldestPending' | 'complete'>;
  readonly sources: Pick<Sources, 'use'>;
  /** Called after each command that ended; its outcome is then in the outbox. */
  completed(): void;
  /** Called when a source does not take a command for now, and with no fault when it took one again. */
  waiting(connector: string, fault: ConnectorFault | undefined): void;
  /** Called for what must never happen: nothing is written any more. */
  failed(error: unknown): void;
  readonly clock: () => Date;
  readonly random: () => number;
  readonly backoff: BackoffLimits;
}

/** How long a command waits for its source before it is given back without being written. */
export const giveUpAfterMs = 72 * 3_600_000;
const writeTimeoutMs = 60_000;
const noSpace = { code: 'disk_full', message: 'The disk is full.', retry: 'later' } as const;

/** Executes the commands of the inbox: in order for one connector, concurrently for several. */
export class WriteBackWorker {
  readonly #context: WriteBackContext;
  readonly #stopping = new AbortController();
  readonly #working = new Map<string, Promise<void>>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #failures = new Map<string, number>();

  constructor(context: WriteBackContext) {
    this.#context = context;
  }

  /** Looks for commands to do; call it at the start and after each accepted command. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    for (const connector of this.#context.store.connectorsWithPending()) {
      if (this.#working.has(connector) || this.#timers.has(connector)) continue;
      const work = this.#work(connector)
        .catch(this.#context.failed)
        .finally(() => this.#working.delete(connector));
      this.#working.set(connector, work);
    }
  }

  /** Tries the commands of a connector at once; resolves when they are done, or it waits again. */
  async retry(connector: string): Promise<void> {
    clearTimeout(this.#timers.get(connector));
    this.#timers.delete(connector);
    this.#failures.delete(connector);
    this.wake();
    await this.#working.get(connector);
  }

  /** Resolves when nothing is under way: what is left waits for its source. */
  async idle(): Promise<void> {
    while (this.#working.size > 0) await Promise.all(this.#working.values());
  }

  /** Starts nothing new and resolves when the commands under way are done. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#working.values());
  }

  async #work(connector: string): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const command = this.#context.store.oldestPending(connector);
      if (command === undefined) return;
      // A crash between the source's write and ours is harmless: the command is repeated with the
      // same key, and the connector answers `already`.
      const outcome = await this.#write(command);
      if (outcome.kind === 'unreachable' && this.#isWorthWaiting(command, outcome.fault)) {
        this.#context.waiting(connector, outcome.fault);
        return this.#retryLater(connector, outcome.fault);
      }
      if (!this.#complete(command.id, outcome)) return this.#retryLater(connector, noSpace);
      this.#failures.delete(connector);
      this.#context.waiting(connector, undefined);
      this.#context.completed();
    }
  }

  /** False when the disk has no room for the outcome; at the next try the source says `already`. */
  #complete(id: string, outcome: WriteBackOutcome): boolean {
    try {
      this.#context.store.complete(id, outcome);
      return true;
    } catch (error) {
      if (mayPass(error)) return false;
      throw error;
    }
  }

  async #write({ connector, body }: PendingCommand): Promise<WriteBackOutcome> {
    const params = commandBody.safeParse(JSON.parse(body));
    if (!params.success) {
      const message = 'The command does not read: is this agent older than the control plane?';
      return { kind: 'unreachable', fault: { code: 'params_invalid', message, retry: 'never' } };
    }
    const signal = AbortSignal.timeout(writeTimeoutMs);
    const { command } = params.data;
    const used = await this.#context.sources.use(connector, async (one) => {
      if ('confirmation' in command) return one.writeBack(command, signal);
      const outcome = await one.importDraft?.(command, signal);
      return outcome ?? ({ kind: 'unsupported' } as const);
    });
    return used.kind === 'used' ? used.value : { kind: 'unreachable', fault: used.fault };
  }

  #isWorthWaiting({ receivedAt }: PendingCommand, { retry, code }: ConnectorFault): boolean {
    const ageMs = this.#context.clock().getTime() - Date.parse(receivedAt);
    // An administrator can grant what is lacking, and status says what that is.
    return (retry !== 'never' || code === 'access_denied') && ageMs < giveUpAfterMs;
  }

  #retryLater(connector: string, { retry }: ConnectorFault): void {
    const failures = this.#failures.get(connector) ?? 0;
    this.#failures.set(connector, failures + 1);
    const askedMs = typeof retry === 'object' ? retry.afterSeconds * 1_000 : 0;
    const delayMs = askedMs + fullJitter(failures, this.#context.random, this.#context.backoff);
    const timer = setTimeout(() => {
      this.#timers.delete(connector);
      this.wake();
    }, delayMs);
    this.#timers.set(connector, timer);
  }
}
