import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fault } from '../../fault.ts';
import type { Statement } from '../../sql/dialect.ts';
import type { Rows, RowsOutcome, Unanswered } from '../../sql/driver.ts';
import type { SqliteAnswer, SqliteMessage, SqliteRequest } from './messages.ts';
import { startSqliteProcess } from './start.ts';

/** Resident memory of one process; watched on Linux. */
const memoryBytesMax = 512 * 1_048_576;
const memoryWatchMs = 100;

/** A child process that does one thing after another with SQLite files; it never fails, but may end. */
export class SqliteProcess {
  readonly #child: ChildProcess;
  #isAlive = true;
  /** Ends the request under way, which gets no answer any more. */
  #onEnd: (() => void) | undefined;
  #isTooLarge = false;

  constructor() {
    this.#child = startSqliteProcess();
    const ended = () => {
      this.#isAlive = false;
      this.#onEnd?.();
    };
    this.#child.once('error', ended).once('exit', ended);
    // Nothing of it keeps this process alive: it ends with us.
    this.#child.unref();
    this.#child.channel?.unref();
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Ends it at once, whatever it is doing. */
  kill(): void {
    this.#isAlive = false;
    this.#child.kill('SIGKILL');
    this.#onEnd?.();
  }

  /** Opens, closes, begins or ends; undefined when it is done. */
  async tell(
    request: Exclude<SqliteRequest, { readonly kind: 'run' }>,
  ): Promise<Unanswered | undefined> {
    const answer = await this.#ask(request);
    if (answer.kind === 'unanswered') return answer;
    return answer.kind === 'done' ? undefined : this.#lost();
  }

  /** The rows that one statement answers with. */
  async run(statement: Statement): Promise<RowsOutcome> {
    const answer = await this.#ask({ kind: 'run', statement });
    return answer.kind === 'done' ? this.#lost() : answer;
  }

  /** The answer to one request, before which no other may be made. */
  async #ask(request: SqliteRequest): Promise<SqliteAnswer> {
    if (!this.#isAlive) return this.#lost();
    const { promise, resolve } = Promise.withResolvers<SqliteAnswer>();
    const earlier: Rows['rows'][] = [];
    const onMessage = (message: unknown) => {
      const given = message as SqliteMessage;
      if ('rows' in given) earlier.push(given.rows);
      else resolve(joined(earlier, given.answer));
    };
    this.#onEnd = () => resolve(this.#lost());
    this.#child.on('message', onMessage);
    const watch = setInterval(() => void this.#watchMemory(), memoryWatchMs);
    this.#child.send(request, (error) => error && resolve(this.#lost()));
    try {
      return await promise;
    } finally {
      clearInterval(watch);
      this.#child.off('message', onMessage);
      this.#onEnd = undefined;
    }
  }

  /** What is answered for a process that has ended. */
  #lost(): Unanswered {
    const message = this.#isTooLarge
      ? 'A query on the SQLite file took more memory than it may: narrow it, or give it an index.'
      : 'The process that reads SQLite files ended before it answered.';
    const code = this.#isTooLarge ? 'too_large' : 'process_ended';
    return { kind: 'unanswered', fault: fault(code, message, 'later') };
  }

  async #watchMemory(): Promise<void> {
    const { pid } = this.#child;
    // Where there is no /proc nothing is told, and nothing is bounded.
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const bytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
    if (bytes <= memoryBytesMax || !this.#isAlive) return;
    this.#isTooLarge = true;
    this.kill();
  }
}

function joined(earlier: readonly Rows['rows'][], answer: SqliteAnswer): SqliteAnswer {
  if (answer.kind !== 'rows' || earlier.length === 0) return answer;
  return { ...answer, rows: [...earlier, answer.rows].flat() };
}
