import type { ConnectorFault } from '../contract.ts';
import { abortFault, untilAborted } from '../fault.ts';
import type { RunStatement, SqlDriver, Unanswered } from './driver.ts';

/** One session of a database server, lent by a pool until it is released or abandoned. */
export interface Session {
  readonly run: RunStatement;
  begin(): Promise<Unanswered | undefined>;
  commit(): Promise<Unanswered | undefined>;
  rollback(): Promise<Unanswered | undefined>;
  release(): void;
  /** Stops what the server still does for it; the session is not used again. */
  abandon(): void;
}

/** The sessions of one database: what a driver for a server has to bring. */
export interface Sessions
  extends Pick<SqlDriver, 'dialect' | 'where' | 'timeoutMs' | 'rights' | 'note' | 'close'> {
  /** A session whose transactions cannot write and see one state; fails as the driver does. */
  reader(): Promise<Session>;
  writer(): Promise<Session>;
  faultOf(error: unknown): ConnectorFault;
}

/** The driver of a server: its transactions, which end with the caller's signal. */
export function sessionDriver(sessions: Sessions): SqlDriver {
  return {
    ...sessions,
    close: () => sessions.close(),
    inReadTransaction: (work, signal) =>
      inSession(sessions, sessions.reader, signal, async (session, run) => {
        const begun = await session.begin();
        if (begun !== undefined) return begun;
        const value = await work(run);
        const failure = await session.rollback();
        // A session that is lost cannot be rolled back either: the first fault says why.
        return failure === undefined || isUnanswered(value) ? value : failure;
      }),
    inWriteTransaction: (prepare, work, signal) =>
      inSession(sessions, sessions.writer, signal, async (session, run) => {
        const failure = (await prepare(run)) ?? (await session.begin());
        if (failure !== undefined) return failure;
        const { commit, value } = await work(run);
        return (await (commit ? session.commit() : session.rollback())) ?? value;
      }),
  };
}

function isUnanswered(value: unknown): value is Unanswered {
  return (value as Partial<Unanswered> | null)?.kind === 'unanswered';
}

async function inSession<T>(
  { where, timeoutMs, faultOf }: Sessions,
  connect: () => Promise<Session>,
  signal: AbortSignal,
  work: (session: Session, run: RunStatement) => Promise<T | Unanswered>,
): Promise<T | Unanswered> {
  const gaveUp = () =>
    ({ kind: 'unanswered', fault: abortFault(signal, where, timeoutMs) }) as const;
  if (signal.aborted) return gaveUp();
  const connecting = connect().catch(
    (error: unknown): Unanswered => ({ kind: 'unanswered', fault: faultOf(error) }),
  );
  const session = await untilAborted(connecting, signal, () => {
    void connecting.then((late) => 'release' in late && late.release());
    return gaveUp();
  });
  if ('kind' in session) return session;
  const run: RunStatement = async (statement) =>
    signal.aborted ? gaveUp() : session.run(statement);
  let isWhole = false;
  try {
    const value = await untilAborted(work(session, run), signal, gaveUp);
    isWhole = !signal.aborted;
    return value;
  } finally {
    if (isWhole) session.release();
    else session.abandon();
  }
}
