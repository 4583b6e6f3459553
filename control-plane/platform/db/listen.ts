import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** A running LISTEN; `stop` ends it. */
export interface Listening {
  stop(): Promise<void>;
}

/** The LISTENs of this process. */
export interface Listener {
  listen(channel: string, hear: (payload: string) => void): Promise<Listening>;
  close(): Promise<void>;
}

const reconnectMs = 500;
const channelName = /^[a-z_]{1,40}$/;

/**
 * One connection for all LISTENs of this process; it opens at the first and reconnects when lost.
 */
export function openListener(url: string): Listener {
  const hearers = new Map<string, Set<(payload: string) => void>>();
  const closing = new AbortController();
  let connection: Promise<pg.Client> | undefined;

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'drawbridge listen',
      keepAlive: true,
    });
    // Set before connecting, so that every loss is noticed.
    client.on('error', () => {});
    client.on('end', () => void reconnect(client));
    client.on('notification', ({ channel, payload = '' }) => {
      for (const hear of hearers.get(channel) ?? []) hear(payload);
    });
    await client.connect();
    for (const channel of hearers.keys()) await client.query(`listen ${channel}`);
    return client;
  }

  async function reconnect(lost: pg.Client): Promise<void> {
    const current = await connection?.catch(() => undefined);
    if (current !== lost) return;
    while (!closing.signal.aborted) {
      await delay(reconnectMs, undefined, { signal: closing.signal }).catch(() => {});
      if (closing.signal.aborted) return;
      const attempt = connect();
      const isUp = await attempt.then(
        () => true,
        () => false,
      );
      if (!isUp) continue;
      connection = attempt;
      for (const set of hearers.values()) for (const hear of set) hear('');
      return;
    }
  }

  return {
    listen: async (channel, hear) => {
      if (!channelName.test(channel)) throw new Error('a channel is lower-case letters and _');
      const known = hearers.get(channel) ?? new Set();
      hearers.set(channel, known.add(hear));
      connection ??= connect();
      await (await connection).query(`listen ${channel}`);
      hear('');
      return {
        stop: async () => void known.delete(hear),
      };
    },
    close: async () => {
      closing.abort();
      hearers.clear();
      await connection?.then(
        (client) => client.end(),
        () => {},
      );
    },
  };
}
