import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** A running LISTEN; `stop` ends it. */
export interface Listening {
  stop(): Promise<void>;
}

/** The LISTENs of this process. */
export interface Listener {
  listen(channel: string, hear: (payload: string) => void): Promise<Listening>;
  /** Calls those who listen to the channel here. */
  hear(channel: string, payload: string): void;
  /** A notification that `processId` is about to send, and of which they have heard already. */
  expect(processId: number | undefined, channel: string, payload: string): void;
  close(): Promise<void>;
}

const reconnectMs = 500;
/** Own notifications that have not come back; a pooler may hide which they are. */
const expectedMax = 10_000;
const channelName = /^[a-z_]{1,40}$/;

/**
 * One connection for all LISTENs of this process; it opens at the first and reconnects when lost.
 */
export function openListener(url: string): Listener {
  const hearers = new Map<string, Set<(payload: string) => void>>();
  const closing = new AbortController();
  const expected = new Set<string>();
  let connection: Promise<pg.Client> | undefined;

  function hear(channel: string, payload: string): void {
    for (const each of hearers.get(channel) ?? []) each(payload);
  }

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'drawbridge listen',
      keepAlive: true,
    });
    // Set before connecting, so that every loss is noticed.
    client.on('error', () => {});
    client.on('end', () => void reconnect(client));
    client.on('notification', ({ processId, channel, payload = '' }) => {
      if (!expected.delete(keyOf(processId, channel, payload))) hear(channel, payload);
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
      expected.clear();
      for (const channel of hearers.keys()) hear(channel, '');
      return;
    }
  }

  return {
    listen: async (channel, own) => {
      if (!channelName.test(channel)) throw new Error('a channel is lower-case letters and _');
      const known = hearers.get(channel) ?? new Set();
      hearers.set(channel, known.add(own));
      connection ??= connect();
      await (await connection).query(`listen ${channel}`);
      own('');
      return {
        stop: async () => void known.delete(own),
      };
    },
    hear,
    expect: (processId, channel, payload) => {
      if (processId === undefined || !hearers.has(channel)) return;
      if (expected.size >= expectedMax) expected.clear();
      expected.add(keyOf(processId, channel, payload));
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

function keyOf(processId: number, channel: string, payload: string): string {
  return `${processId} ${channel} ${payload}`;
}
