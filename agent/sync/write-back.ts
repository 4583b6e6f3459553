import type { ConnectorFault, WriteBackOutcome } from '@drawbridge/connectors/contract.ts';
import { writeConfirmation } from '@drawbridge/connectors/write-confirmation.ts';
import { commandBody } from '@drawbridge/link/methods.ts';
import { type BackoffLimits, fullJitter } from '@drawbridge/retry/backoff.ts';
import { mayPass } from '../store/disk-space.ts';
import type { PendingCommand, Store } from '../store/store.ts';
import type { Sources } from './sources.ts';

export interface WriteBackContext {
  readonly store: Pick<Store, 'connectorsWithPending' | 'nextPending' | 'complete'>;
  readonly sources: Pick<Sources, 'use'>;
  /** Called after each command that ended; its outcome is then in the outbox. */
  completed(): void;
  /** Called with what a source does not take for now and why, and with nothing once it took all. */
  waiting(connector: string, why: string | undefined): void;
  /** Called for what must never happen: nothing is written any more. */
  failed(error: unknown): void;
  readonly clock: () => Date;
  readonly random: () => number;
  readonly backoff: BackoffLimits;
  /**
   * How long documents in a row may fail before the source is left alone for a while; without it a few suffice. Where
   * nobody tries again by himself, those that fail must not keep the others from being tried.
   */
  readonly failingMsMax?: number;
}

/** How long a command waits for its source before it is given back without being written. */
export const giveUpAfterMs = 72 * 3_600_000;
const writeTimeoutMs = 60_000;
const noSpace = { code: 'disk_full', message: 'The disk is full.', retry: 'later' } as const;

/** So many documents in a row that are not taken: the source is away, and is left alone for a while. */
const failuresInARowMax = 3;

/** A command that its source did not take. */
interface Wait {
  readonly connector: string;
  /** The document and why it is not taken. */
  readonly detail: string;
  readonly failures: number;
  /** By the clock that only ever grows. */
  readonly untilMs: number;
}

/** What one pass through the commands of a connector came to. */
interface Pass {
  /** The number of the last command that was looked at. */
  readonly last: number;
  readonly isAnyDone: boolean;
  /** Why the source takes nothing for now, if so. */
  readonly fault: ConnectorFault | undefined;
}

/** When the commands of a connector are looked at again. */
interface Pause {
  readonly timer: NodeJS.Timeout;
  /** Nothing is written before; else only what waits is. */
  readonly isOfSource: boolean;
}

/**
 * Executes the commands of the inbox: in order for one document, one after the other for one connector,
 * concurrently for several. A document that its source does not take holds up no other.
 */
export class WriteBackWorker {
  readonly #context: WriteBackContext;
  readonly #stopping = new AbortController();
  readonly #working = new Map<string, Promise<void>>();
  readonly #pauses = new Map<string, Pause>();
  readonly #failures = new Map<string, number>();
  /** By the id of the command. */
  readonly #waits = new Map<string, Wait>();

  constructor(context: WriteBackContext) {
    this.#context = context;
  }

  /** Looks for commands to do; call it at the start and after each accepted command. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    for (const connector of this.#context.store.connectorsWithPending()) {
      if (this.#working.has(connector) || this.#pauses.get(connector)?.isOfSource === true)
        continue;
      this.#endPause(connector);
      const work = this.#work(connector)
        .catch(this.#context.failed)
        .finally(() => this.#working.delete(connector));
      this.#working.set(connector, work);
    }
  }

  /** Tries the commands of a connector at once; resolves when they are done, or wait again. */
  async retry(connector: string): Promise<void> {
    this.#endPause(connector);
    this.#failures.delete(connector);
    for (const [id, wait] of this.#waits) if (wait.connector === connector) this.#waits.delete(id);
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
    for (const { timer } of this.#pauses.values()) clearTimeout(timer);
    await Promise.all(this.#working.values());
  }

  async #work(connector: string): Promise<void> {
    const { store } = this.#context;
    for (;;) {
      // What was never tried goes first, so that what fails again and again keeps nothing from its turn.
      const fresh = await this.#workThrough(connector, false);
      const tried = fresh.fault ? fresh : await this.#workThrough(connector, true);
      this.#tell(connector);
      if (tried.fault !== undefined) return this.#pauseSource(connector, tried.fault);
      const isMore = store.nextPending(connector, fresh.last) !== undefined;
      if (this.#stopping.signal.aborted || !(tried.isAnyDone || isMore)) break;
    }
    const own = this.#waitsOf(connector);
    if (own.length === 0) return;
    const untilMs = Math.min(...own.map((wait) => wait.untilMs));
    this.#pause(connector, untilMs - performance.now(), false);
  }

  /** Does the commands that were tried before, or those that were not, until the source takes nothing. */
  async #workThrough(connector: string, isTried: boolean): Promise<Pass> {
    const { store } = this.#context;
    /** Documents of which an earlier command waits. */
    const held = new Set<string>();
    let failuresInARow = 0;
    let failingSinceMs = 0;
    let last = 0;
    let isAnyDone = false;
    while (!this.#stopping.signal.aborted) {
      const command = store.nextPending(connector, last);
      if (command === undefined) break;
      last = command.number;
      const wait = this.#waits.get(command.id);
      const isDue = (wait !== undefined) === isTried && performance.now() >= (wait?.untilMs ?? 0);
      if (!isDue || held.has(command.document)) {
        held.add(command.document);
        continue;
      }
      // A crash between the source's write and ours is harmless: the command is repeated with the
      // same key, and the connector answers `already`.
      if (failuresInARow === 0) failingSinceMs = performance.now();
      const outcome = await this.#write(command);
      if (outcome.kind === 'unreachable' && this.#isWorthWaiting(command, outcome.fault)) {
        held.add(command.document);
        this.#wait(command, outcome.fault, wait?.failures ?? 0);
        failuresInARow += 1;
        if (this.#isAway(failuresInARow, failingSinceMs)) {
          return { last, isAnyDone, fault: outcome.fault };
        }
        continue;
      }
      if (!this.#complete(command.id, outcome)) return { last, isAnyDone, fault: noSpace };
      failuresInARow = 0;
      isAnyDone = true;
      this.#waits.delete(command.id);
      this.#failures.delete(connector);
      this.#context.completed();
    }
    return { last, isAnyDone, fault: undefined };
  }

  #isAway(failuresInARow: number, failingSinceMs: number): boolean {
    const { failingMsMax = 0 } = this.#context;
    return (
      failuresInARow >= failuresInARowMax && performance.now() - failingSinceMs >= failingMsMax
    );
  }

  #wait(command: PendingCommand, fault: ConnectorFault, failures: number): void {
    const { id, connector, document } = command;
    const untilMs = performance.now() + this.#delayMs(fault, failures);
    const detail = `${document}: ${fault.message}`;
    this.#waits.set(id, { connector, detail, failures: failures + 1, untilMs });
    this.#tell(connector);
  }

  #waitsOf(connector: string): Wait[] {
    return [...this.#waits.values()].filter((wait) => wait.connector === connector);
  }

  /** Says what waits for the source, and why. */
  #tell(connector: string): void {
    const [first, ...others] = this.#waitsOf(connector);
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    this.#context.waiting(connector, first && first.detail + more);
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
      if ('confirmation' in command) return writeConfirmation(one, command, signal);
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

  #pauseSource(connector: string, fault: ConnectorFault): void {
    const failures = this.#failures.get(connector) ?? 0;
    this.#failures.set(connector, failures + 1);
    this.#pause(connector, this.#delayMs(fault, failures), true);
  }

  #delayMs({ retry }: ConnectorFault, failures: number): number {
    const askedMs = typeof retry === 'object' ? retry.afterSeconds * 1_000 : 0;
    return askedMs + fullJitter(failures, this.#context.random, this.#context.backoff);
  }

  #pause(connector: string, ms: number, isOfSource: boolean): void {
    if (this.#stopping.signal.aborted) return;
    const timer = setTimeout(
      () => {
        this.#pauses.delete(connector);
        this.wake();
      },
      Math.max(0, ms),
    );
    this.#pauses.set(connector, { timer, isOfSource });
  }

  #endPause(connector: string): void {
    clearTimeout(this.#pauses.get(connector)?.timer);
    this.#pauses.delete(connector);
  }
}
