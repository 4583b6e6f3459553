import { KeyedQueue } from '@drawbridge/concurrency/keyed-queue.ts';
import { type ConnectorContext, limits } from '../contract.ts';
import { abortFault, untilAborted } from '../fault.ts';
import type { RunStatement, SqlDriver, Unanswered } from '../sql/driver.ts';
import { sqliteDialect } from './dialect.ts';
import type { Transaction } from './process/messages.ts';
import { ProcessPool } from './process/process-pool.ts';
import type { SqliteProcess } from './process/sqlite-process.ts';

/** One for all files of this process, so that their number is bounded. */
const processes = new ProcessPool();

/** Those who write to one file go one after another, which is sooner done than by waiting for locks. */
const writers = new KeyedQueue();

/**
 * A driver for the file; `writerFile` takes the confirmations. Each transaction opens the file anew,
 * in a process of its own: SQLite cannot be interrupted, and works on the thread that calls it.
 */
export function openSqlite(file: string, writerFile: string, context: ConnectorContext): SqlDriver {
  const where = `SQLite ${file}`;
  const { allowedRoots: roots, owner = '', timeoutMs = limits.callTimeoutMs } = context;
  const inTransaction = <T>(
    transaction: Transaction,
    signal: AbortSignal,
    work: (process: SqliteProcess, run: RunStatement) => Promise<T | Unanswered>,
  ): Promise<T | Unanswered> => {
    const gaveUp = () =>
      ({ kind: 'unanswered', fault: abortFault(signal, where, timeoutMs) }) as const;
    return processes.run(owner, signal, gaveUp, async (process) => {
      const failure = await process.tell({ kind: 'open', ...transaction });
      if (failure !== undefined) return failure;
      const value = await work(process, (statement) => process.run(statement));
      // Closing rolls back what is open.
      await process.tell({ kind: 'close' });
      return value;
    });
  };
  const write = async <T>(
    prepare: Parameters<SqlDriver['inWriteTransaction']>[0],
    work: (run: RunStatement) => Promise<{ readonly commit: boolean; readonly value: T }>,
    process: SqliteProcess,
    run: RunStatement,
  ): Promise<T | Unanswered> => {
    const begin = { kind: 'execute', text: 'BEGIN IMMEDIATE' } as const;
    const failure = (await prepare(run)) ?? (await process.tell(begin));
    if (failure !== undefined) return failure;
    const { commit, value } = await work(run);
    const text = commit ? 'COMMIT' : 'ROLLBACK';
    return (await process.tell({ kind: 'execute', text })) ?? value;
  };
  return {
    dialect: sqliteDialect,
    where,
    timeoutMs,
    inReadTransaction: (work, signal) =>
      inTransaction({ file, roots, isWriter: false }, signal, (_process, run) => work(run)),
    inWriteTransaction: (prepare, work, signal) => {
      const transaction = { file: writerFile, roots, isWriter: true };
      const inTurn = writers.run(writerFile, () =>
        inTransaction(transaction, signal, (process, run) => write(prepare, work, process, run)),
      );
      const gaveUp = () =>
        ({ kind: 'unanswered', fault: abortFault(signal, where, timeoutMs) }) as const;
      return untilAborted(inTurn, signal, gaveUp);
    },
    async close() {
      // Nothing stays open between transactions.
    },
  };
}
