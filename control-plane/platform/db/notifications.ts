import type pg from 'pg';
import type { Listener } from './listen.ts';
import { unflushed } from './unflushed.ts';

/** NOTIFYs of this process. */
export interface Notifications {
  /** Tells the listeners of this process at once, those of others within a few milliseconds. */
  notify(channel: string, payload: string): void;
  /** Sends what has not been sent yet. */
  close(): Promise<void>;
}

/**
 * A transaction with a NOTIFY takes a lock of the whole server until its commit is on the disk, so that
 * no two such commits share a flush. So what is only a hint is sent by a statement of its own, which does
 * not wait for the disk, at most once in this time, each payload once.
 */
const intervalMs = 20;

/** Sends NOTIFY; what could not be sent is told to `onFailure` and not sent again. */
export function openNotifications(
  pool: pg.Pool,
  listener: Pick<Listener, 'hear' | 'expect'>,
  onFailure: (error: Error) => void,
): Notifications {
  const waiting = new Map<string, { readonly channel: string; readonly payload: string }>();
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();

  async function send(): Promise<void> {
    const all = [...waiting.values()];
    waiting.clear();
    if (all.length === 0) return;
    const client = await pool.connect();
    try {
      const { processID } = client as pg.PoolClient & { readonly processID?: number };
      for (const { channel, payload } of all) listener.expect(processID, channel, payload);
      await client.query(
        `select pg_notify(channel, payload)
         from ${unflushed}, unnest($1::text[], $2::text[]) as n (channel, payload)`,
        [all.map(({ channel }) => channel), all.map(({ payload }) => payload)],
      );
    } finally {
      client.release();
    }
  }

  function sendSoon(): void {
    timer = undefined;
    sending = sending.then(send).catch(onFailure);
  }

  return {
    notify: (channel, payload) => {
      listener.hear(channel, payload);
      waiting.set(`${channel} ${payload}`, { channel, payload });
      timer ??= setTimeout(sendSoon, intervalMs);
    },
    close: () => {
      clearTimeout(timer);
      sendSoon();
      return sending;
    },
  };
}
