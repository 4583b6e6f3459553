/**
 * Live updates. The transactions that change an inbox write its changes as rows; NOTIFY reports
 * them to all nodes, and each node reads them once for all its subscribers of that inbox. Rows get
 * their numbers when they are first read, after the commit, so an inbox without subscribers costs
 * nothing.
 */
import { Readable } from 'node:stream';
import type { SuspendedTenants } from '../../../platform/auth/suspended-tenants.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { Clock, RandomBytes } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/log/log.ts';
import { shownConversation } from '../conversations/shown-conversation.ts';
import { findConversations } from '../conversations/store.ts';
import {
  type ChangeRow,
  changeChannel,
  findLastNumber,
  listChanges,
  numberChanges,
  scopeKey,
  sweepChanges,
} from './change-store.ts';

export interface EventHubOptions {
  readonly db: Db;
  readonly clock: Clock;
  /** When those come back whose streams ended together. */
  readonly random: RandomBytes;
  readonly log: Log;
  /** Where sessions that ended or changed are notified by their ids. */
  readonly sessionChannel: string;
  readonly suspended: Pick<SuspendedTenants, 'has' | 'onSuspended'>;
  /** The time between two heartbeats of a stream. */
  readonly heartbeatMs?: number;
}

export interface EventHub {
  /** Called after a commit: the scope has changes. */
  changed(scope: TenantScope): void;
  /** Tells all who watch the scope now. It is kept nowhere: who comes later does not hear of it. */
  tell(scope: TenantScope, event: PassingEvent): void;
  /**
   * Text of Server-Sent Events from `lastEventId` on; undefined when the subscriber has too many
   * streams. `mayContinue` is called when the session was changed, and at every heartbeat: false ends
   * the stream, and so does the suspension of the tenant.
   */
  subscribe(scope: TenantScope, subscriber: Subscriber): Promise<Readable | undefined>;
  /** Ends all streams. */
  drain(): void;
  close(): Promise<void>;
}

/** What is of use only to those who watch at the moment; small, for it goes by NOTIFY. */
interface PassingEvent {
  readonly type: 'conversation.presence';
  readonly data: Readonly<Record<string, string>>;
}

/** NOTIFY channel: the payload is the scope's key and a passing event. */
const passingChannel = 'inbox_passing';

interface Subscriber {
  /** The owner of the stream. */
  readonly id: string;
  readonly sessionId: string;
  readonly lastEventId: string | undefined;
  readonly endsAt: Date;
  mayContinue(): Promise<boolean>;
}

interface Stream {
  readonly body: Readable;
  readonly subscriber: Subscriber;
  /** The number of the last change that was sent to it. */
  position: number;
  /** The client has not read what was sent; when it has, the stream continues from its position. */
  isFull: boolean;
  isOver: boolean;
  /** Heartbeats since the stream became full. */
  unreadHeartbeats: number;
}

interface Feed {
  readonly scope: TenantScope;
  readonly streams: Set<Stream>;
  isReading: boolean;
  /** A change came while the feed was being read. */
  isReadRequested: boolean;
}

type ShownConversation = ReturnType<typeof shownConversation>;

const conversationChanged = 'conversation.changed';
const streamsMax = 2_000;
const streamsOfOneMax = 10;
const pageMax = 500;
/** The most bytes buffered for a client; the rest waits in the database. */
const bufferedMax = 64 * 1_024;
/**
 * A client that reads nothing for this many heartbeats is disconnected; it may reconnect with its
 * last event.
 */
const unreadHeartbeatsMax = 4;
const defaultHeartbeatMs = 15_000;
const pollMs = 500;
const sweepMs = 600_000;
const retentionMs = 86_400_000;
/** The number of a change, and its instant in milliseconds since the epoch. */
const eventIdPattern = /^(\d{1,15})-(\d{1,15})$/;

export async function openEventHub(options: EventHubOptions): Promise<EventHub> {
  const { db, clock, random, log, suspended, heartbeatMs: beatMs = defaultHeartbeatMs } = options;
  const feeds = new Map<string, Feed>();
  const warn = (what: string) => (err: unknown) => log.warn({ err }, what);

  function call(key: string): void {
    const feed = feeds.get(key);
    if (feed === undefined) return;
    feed.isReadRequested = true;
    if (!feed.isReading)
      readFeed(db, feed).catch(warn('an inbox was not read; this will be retried'));
  }

  const listening = await db.listen(changeChannel, (key) => {
    if (key !== '') call(key);
    else for (const each of feeds.keys()) call(each);
  });
  const passing = await db.listen(passingChannel, (payload) => {
    if (payload === '') return; // some were missed, and those who are there repeat themselves
    const { key, type, data } = JSON.parse(payload) as PassingEvent & { readonly key: string };
    for (const stream of feeds.get(key)?.streams ?? []) {
      // Without an id: whoever comes back continues from the last change, which is kept.
      const text = `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
      if (!stream.isFull && !stream.isOver) stream.isFull = !stream.body.push(text);
    }
  });
  const sessions = await db.listen(options.sessionChannel, (id) => {
    for (const { streams } of feeds.values()) {
      for (const stream of streams) {
        // Without an id some notifications were missed.
        if (id === '' || id === stream.subscriber.sessionId) void check(stream);
      }
    }
  });
  suspended.onSuspended((tenantId) => {
    for (const { scope, streams } of feeds.values()) {
      if (scope.tenantId === tenantId) streams.forEach(end);
    }
  });
  const check = (stream: Stream) =>
    stream.subscriber.mayContinue().then((may) => {
      if (!may) end(stream);
    }, warn('whether a stream may continue was not read; the next heartbeat asks again'));
  const timers = [
    // Finds changes whose node died before it notified others.
    setInterval(() => [...feeds.keys()].forEach(call), pollMs),
    setInterval(() => {
      for (const feed of feeds.values()) {
        for (const stream of feed.streams)
          sendHeartbeat(stream, clock()).catch(() => stream.body.destroy());
      }
    }, beatMs),
    setInterval(() => {
      const before = new Date(clock().getTime() - retentionMs);
      db.system((tx) => sweepChanges(tx, before)).catch(warn('old changes were not deleted'));
    }, sweepMs),
  ];

  return {
    changed: ({ tenantId, environment }) => {
      db.notify(changeChannel, scopeKey(tenantId, environment));
    },
    tell: ({ tenantId, environment }, { type, data }) => {
      const key = scopeKey(tenantId, environment);
      db.notify(passingChannel, JSON.stringify({ key, type, data }));
    },
    subscribe: async (scope, subscriber) => {
      const { position, isReset } = await startPosition(db, scope, subscriber, clock());
      // Not before the wait, where many concurrent callers would all be below the limit.
      if (areStreamsUsedUp(feeds, subscriber.id)) return undefined;
      const key = scopeKey(scope.tenantId, scope.environment);
      const feed = feeds.get(key) ?? newFeed(scope);
      feeds.set(key, feed);
      const stream = openStream(subscriber, position, () => call(key));
      feed.streams.add(stream);
      const ending = setTimeout(
        () => end(stream),
        Math.max(0, subscriber.endsAt.getTime() - clock().getTime()),
      );
      stream.body.on('close', () => {
        clearTimeout(ending);
        feed.streams.delete(stream);
        if (feed.streams.size === 0 && feeds.get(key) === feed) feeds.delete(key);
      });
      const retry = `retry: ${retryMs(random)}\n`;
      stream.body.push(isReset ? `${retry}event: reset\ndata: {}\n\n` : `${retry}\n`);
      call(key);
      // It may have been suspended while this stream was being opened.
      if (suspended.has(scope.tenantId)) end(stream);
      return stream.body;
    },
    drain: () => {
      for (const { streams } of feeds.values()) streams.forEach(end);
    },
    close: async () => {
      timers.forEach(clearInterval);
      for (const { streams } of feeds.values()) for (const { body } of streams) body.destroy();
      await Promise.all([listening.stop(), passing.stop(), sessions.stop()]);
    },
  };
}

/** Between one and five seconds: when a node stops, not all of its streams are opened at once. */
function retryMs(random: RandomBytes): number {
  return 1_000 + Math.round((random(1)[0]! / 255) * 4_000);
}

function openStream(subscriber: Subscriber, position: number, wanted: () => void): Stream {
  const stream: Stream = {
    subscriber,
    position,
    isFull: false,
    isOver: false,
    unreadHeartbeats: 0,
    body: new Readable({
      highWaterMark: bufferedMax,
      read: () => {
        const wasFull = stream.isFull;
        Object.assign(stream, { isFull: false, unreadHeartbeats: 0 });
        if (wasFull) wanted();
      },
    }),
  };
  return stream;
}

function newFeed(scope: TenantScope): Feed {
  return { scope, streams: new Set(), isReading: false, isReadRequested: false };
}

function areStreamsUsedUp(feeds: ReadonlyMap<string, Feed>, id: string): boolean {
  const all = [...feeds.values()].flatMap(({ streams }) => [...streams]);
  const own = all.filter(({ subscriber }) => subscriber.id === id);
  return all.length >= streamsMax || own.length >= streamsOfOneMax;
}

/**
 * Where a stream continues; when its events were deleted it gets a reset, and the client loads
 * everything.
 */
async function startPosition(db: Db, scope: TenantScope, { lastEventId }: Subscriber, now: Date) {
  let isMore = true;
  while (isMore) isMore = await db.tenant(scope.tenantId, (tx) => numberChanges(tx, scope));
  const lastNumber = await db.tenant(scope.tenantId, (tx) => findLastNumber(tx, scope));
  const [, number, at] = (eventIdPattern.exec(lastEventId ?? '') ?? []).map(Number);
  const isKept = at !== undefined && at > now.getTime() - retentionMs / 2;
  // A restored database counts on from its own last number: a client beyond it would get nothing
  // for long.
  if (isKept && number! <= lastNumber) return { position: number!, isReset: false };
  return { position: lastNumber, isReset: lastEventId !== undefined };
}

/** Reads new changes from the lowest position of a subscriber on, until there are none. */
async function readFeed(db: Db, feed: Feed): Promise<void> {
  feed.isReading = true;
  try {
    while (feed.isReadRequested && feed.streams.size > 0) {
      feed.isReadRequested = false;
      const ready = [...feed.streams].filter(({ isFull, isOver }) => !isFull && !isOver);
      if (ready.length === 0) return;
      const behind = Math.min(...ready.map(({ position }) => position));
      const events = await db.tenant(feed.scope.tenantId, async (tx) => {
        await numberChanges(tx, feed.scope);
        const rows = await listChanges(tx, feed.scope, behind, pageMax);
        return eventsOf(rows, await changedConversations(tx, feed.scope, rows));
      });
      // Not to streams that became ready only now: they may be behind this page.
      for (const stream of ready) send(stream, events);
      if (events.length === pageMax) feed.isReadRequested = true;
    }
  } finally {
    feed.isReading = false;
  }
}

/** An event as it is sent to every stream. */
interface EventText {
  readonly number: number;
  readonly text: string;
}

/**
 * The conversations that changed, as they are now, by id. They are read once for all who watch: if
 * each of them asked, a message would cost as many requests as people have the inbox open.
 */
async function changedConversations(
  tx: Tx,
  scope: TenantScope,
  changes: readonly ChangeRow[],
): Promise<ReadonlyMap<unknown, ShownConversation>> {
  const changed = changes.filter(({ type }) => type === conversationChanged);
  const ids = new Set(changed.map(({ data }) => String(data.conversation_id)));
  if (ids.size === 0) return new Map();
  const rows = await findConversations(tx, scope, [...ids]);
  return new Map(rows.map((row) => [row.id, shownConversation(row)]));
}

/** Only the last change of a conversation carries it: those before it would say the same. */
function eventsOf(
  changes: readonly ChangeRow[],
  conversations: ReadonlyMap<unknown, ShownConversation>,
): EventText[] {
  const last = new Map(
    changes
      .filter(({ type }) => type === conversationChanged)
      .map(({ data, number }) => [data.conversation_id, number]),
  );
  return changes.map(({ number, type, data, created_at }) => {
    const isLast = last.get(data.conversation_id) === number;
    const conversation = isLast ? conversations.get(data.conversation_id) : undefined;
    const told = { ...data, at: created_at.toISOString(), ...(conversation && { conversation }) };
    const head = `id: ${number}-${created_at.getTime()}\nevent: ${type}`;
    return { number, text: `${head}\ndata: ${JSON.stringify(told)}\n\n` };
  });
}

function send(stream: Stream, events: readonly EventText[]): void {
  for (const { number, text } of events) {
    if (stream.isFull || stream.isOver) return;
    if (number <= stream.position) continue;
    stream.position = number;
    stream.isFull = !stream.body.push(text);
  }
}

async function sendHeartbeat(stream: Stream, now: Date): Promise<void> {
  const { body, subscriber, isFull } = stream;
  if (now >= subscriber.endsAt || !(await subscriber.mayContinue())) return end(stream);
  if (stream.isOver) return; // the stream ended during the check
  if (!isFull) return void body.push(': beat\n\n');
  stream.unreadHeartbeats += 1;
  if (stream.unreadHeartbeats > unreadHeartbeatsMax) body.destroy();
}

/** Lets the client read the rest; nothing more may be written to it. */
function end(stream: Stream): void {
  if (stream.isOver) return;
  stream.isOver = true;
  stream.body.push(null);
}
