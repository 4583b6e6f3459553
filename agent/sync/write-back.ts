import type { ConnectorFault, WriteBackOutcome } from '@drawbridge/connectors/contract.ts';
import { methods } from '@drawbridge/link/methods.ts';
import { type BackoffLimits, fullJitter } from '@drawbridge/retry/backoff.ts';
import type { PendingCommand, Store } from '../store/store.ts';
import type { Sources } from './sources.ts';

export interface WriteBackEdge {
  readonly store: Pick<Store, 'connectorsWithPending' | 'oldestPending' | 'complete'>;
  readonly sources: Pick<Sources, 'use'>;
  /** Told after each command that ended: its outcome waits in the outbox. */
  completed(): void;
  readonly clock: () => Date;
  readonly random: () => number;
  readonly backoff: BackoffLimits;
}

/** How long a command waits for its source before it is given back, unwritten. */
export const patienceMs = 72 * 3_600_000;
const writeTimeoutMs = 60_000;

/** Does the commands of the inbox: in order within a connector, side by side across connectors. */
export class WriteBack {
  readonly #edge: WriteBackEdge;
  readonly #stopping = new AbortController();
  readonly #working = new Map<string, Promise<void>>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #failures = new Map<string, number>();

  constructor(edge: WriteBackEdge) {
    this.#edge = edge;
  }

  /** Looks for commands to do; call it at the start and whenever one was accepted. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    for (const connector of this.#edge.store.connectorsWithPending()) {
      if (this.#working.has(connector) || this.#timers.has(connector)) continue;
      const work = this.#work(connector).finally(() => this.#working.delete(connector));
      this.#working.set(connector, work);
    }
  }

  /** Starts nothing new and resolves when what was begun is done. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#working.values());
  }

  async #work(connector: string): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const command = this.#edge.store.oldestPending(connector);
      if (command === undefined) return;
      // Dying here, after the source took it and before we know, is harmless: it is done again with
      // the
      // same key, and the connector answers `already`.
      const outcome = await this.#write(command);
      if (outcome.kind === 'unreachable' && this.#isWorthWaiting(command, outcome.fault)) {
        return this.#retryLater(connector, outcome.fault);
      }
      this.#failures.delete(connector);
      this.#edge.store.complete(command.id, outcome);
      this.#edge.completed();
    }
  }

  async #write({ connector, body }: PendingCommand): Promise<WriteBackOutcome> {
    const params = methods['connector.writeBack'].params.safeParse(JSON.parse(body));
    if (!params.success) {
      const message = 'The command does not read as a write-back.';
      return { kind: 'unreachable', fault: { code: 'params_invalid', message, retry: 'never' } };
    }
    const signal = AbortSignal.timeout(writeTimeoutMs);
    const { command } = params.data;
    const used = await this.#edge.sources.use(connector, (one) => one.writeBack(command, signal));
    return used.kind === 'used' ? used.value : { kind: 'unreachable', fault: used.fault };
  }

  #isWorthWaiting({ receivedAt }: PendingCommand, { retry }: ConnectorFault): boolean {
    const ageMs = this.#edge.clock().getTime() - Date.parse(receivedAt);
    return retry !== 'never' && ageMs < patienceMs;
  }

  #retryLater(connector: string, { retry }: ConnectorFault): void {
    const failures = this.#failures.get(connector) ?? 0;
    this.#failures.set(connector, failures + 1);
    const askedMs = typeof retry === 'object' ? retry.afterSeconds * 1_000 : 0;
    const delayMs = askedMs + fullJitter(failures, this.#edge.random, this.#edge.backoff);
    const timer = setTimeout(() => {
      this.#timers.delete(connector);
      this.wake();
    }, delayMs);
    this.#timers.set(connector, timer);
  }
}
