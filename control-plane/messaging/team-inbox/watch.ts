/**
 * Live updates: what changes in an inbox is written as rows by the transactions that change it, told
 * to all nodes by NOTIFY, and read by each node once for all who watch the place there.
 */
import { Readable } from 'node:stream';
import type { Db } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/ids.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Place } from '../contacts/store.ts';
import {
  type ChangeRow,
  changeChannel,
  listChanges,
  notifyChanges,
  placeKey,
  readPresent,
  sweepChanges,
} from './change-store.ts';

export interface WatchOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** How often each stream is looked after. */
  readonly beatMs?: number;
}

export interface Watchtower {
  /** Told after a commit that something changed. */
  changed(place: Place): void;
  /**
   * Text of Server-Sent Events from `lastEventId` on; undefined when too many are watching. `isGood`
   * is asked at every beat: false ends the stream.
   */
  watch(place: Place, watcher: Watcher): Promise<Readable | undefined>;
  /** Ends all streams. */
  drain(): void;
  close(): Promise<void>;
}

export interface Watcher {
  /** Whose stream it is. */
  readonly id: string;
  readonly lastEventId: string | undefined;
  readonly endsAt: Date;
  isGood(): Promise<boolean>;
}

interface Stream {
  readonly body: Readable;
  readonly watcher: Watcher;
  position: string;
  /** What was pushed has not been read: it goes on from its position when it was. */
  isFull: boolean;
  isOver: boolean;
  /** Beats since it was full. */
  staleBeats: number;
}

interface Room {
  readonly place: Place;
  readonly streams: Set<Stream>;
  isReading: boolean;
  /** Somebody called while it was being read. */
  isCalled: boolean;
}

const streamsMax = 2_000;
const streamsOfOneMax = 10;
const pageMax = 500;
/** Bytes that wait for a client; what is more waits in the database. */
const bufferedMax = 64 * 1_024;
/** A client that reads nothing for so many beats is cut, and comes back with its last event. */
const staleBeatsMax = 4;
const usualBeatMs = 15_000;
const pollMs = 500;
const notifyEveryMs = 20;
const sweepMs = 600_000;
const keptMs = 86_400_000;
const positionPattern = /^\d{1,20}-\d{1,18}-\d{1,15}$/;

export async function openWatchtower(options: WatchOptions): Promise<Watchtower> {
  const { db, clock, log, beatMs = usualBeatMs } = options;
  const rooms = new Map<string, Room>();
  const untold = new Set<string>();
  let telling: NodeJS.Timeout | undefined;
  const warn = (what: string) => (err: unknown) => log.warn({ err }, what);

  function call(key: string): void {
    const room = rooms.get(key);
    if (room === undefined) return;
    room.isCalled = true;
    if (!room.isReading) read(db, room).catch(warn('an inbox was not read; it is tried again'));
  }

  const listening = await db.listen(changeChannel, (key) => {
    if (key !== '') call(key);
    else for (const each of rooms.keys()) call(each);
  });
  const timers = [
    // What an earlier transaction still held back, or a node that died did not tell of.
    setInterval(() => [...rooms.keys()].forEach(call), pollMs),
    setInterval(() => {
      for (const room of rooms.values()) {
        for (const stream of room.streams) beat(stream, clock()).catch(() => stream.body.destroy());
      }
    }, beatMs),
    setInterval(() => {
      const before = new Date(clock().getTime() - keptMs);
      db.system((tx) => sweepChanges(tx, before)).catch(warn('old changes were not swept'));
    }, sweepMs),
  ];

  return {
    changed: ({ tenantId, environment }) => {
      const key = placeKey(tenantId, environment);
      call(key);
      untold.add(key);
      telling ??= setTimeout(() => {
        telling = undefined;
        const keys = [...untold];
        untold.clear();
        db.system((tx) => notifyChanges(tx, keys)).catch(warn('other nodes look for themselves'));
      }, notifyEveryMs);
    },
    watch: async (place, watcher) => {
      const { position, isReset } = await startOf(db, place, watcher, clock());
      // Not before the wait: many that come at once would all find room.
      if (isFull(rooms, watcher.id)) return undefined;
      const key = placeKey(place.tenantId, place.environment);
      const room = rooms.get(key) ?? newRoom(place);
      rooms.set(key, room);
      const stream = openStream(watcher, position, () => call(key));
      room.streams.add(stream);
      const ending = setTimeout(
        () => end(stream),
        Math.max(0, watcher.endsAt.getTime() - clock().getTime()),
      );
      stream.body.on('close', () => {
        clearTimeout(ending);
        room.streams.delete(stream);
        if (room.streams.size === 0 && rooms.get(key) === room) rooms.delete(key);
      });
      stream.body.push(isReset ? 'retry: 2000\nevent: reset\ndata: {}\n\n' : 'retry: 2000\n\n');
      call(key);
      return stream.body;
    },
    drain: () => {
      for (const { streams } of rooms.values()) streams.forEach(end);
    },
    close: async () => {
      clearTimeout(telling);
      timers.forEach(clearInterval);
      for (const { streams } of rooms.values()) for (const { body } of streams) body.destroy();
      await listening.stop();
    },
  };
}

function openStream(watcher: Watcher, position: string, wanted: () => void): Stream {
  const stream: Stream = {
    ...{ watcher, position, isFull: false, isOver: false, staleBeats: 0 },
    body: new Readable({
      highWaterMark: bufferedMax,
      read: () => {
        const wasFull = stream.isFull;
        Object.assign(stream, { isFull: false, staleBeats: 0 });
        if (wasFull) wanted();
      },
    }),
  };
  return stream;
}

function newRoom(place: Place): Room {
  return { place, streams: new Set(), isReading: false, isCalled: false };
}

function isFull(rooms: ReadonlyMap<string, Room>, id: string): boolean {
  const all = [...rooms.values()].flatMap(({ streams }) => [...streams]);
  const own = all.filter(({ watcher }) => watcher.id === id);
  return all.length >= streamsMax || own.length >= streamsOfOneMax;
}

/** Where a stream goes on; what is no longer kept is told by a reset: the client loads anew. */
async function startOf(db: Db, place: Place, { lastEventId }: Watcher, now: Date) {
  const [xact = '0', , at] = positionPattern.test(lastEventId ?? '') ? lastEventId!.split('-') : [];
  const present = await db.tenant(place.tenantId, (tx) => readPresent(tx, xact));
  const isKept = at !== undefined && Number(at) > now.getTime() - keptMs / 2;
  // A database that was restored counts from where it was: who is ahead would hear nothing for long.
  if (isKept && !present.isAhead) return { position: lastEventId!, isReset: false };
  return { position: present.position, isReset: lastEventId !== undefined };
}

/** Reads what is new for whoever is furthest behind, until nothing is. */
async function read(db: Db, room: Room): Promise<void> {
  room.isReading = true;
  try {
    while (room.isCalled && room.streams.size > 0) {
      room.isCalled = false;
      const ready = [...room.streams].filter(({ isFull, isOver }) => !isFull && !isOver);
      const [behind] = ready.map(({ position }) => position).sort(comparePositions);
      if (behind === undefined) return;
      const rows = await db.tenant(room.place.tenantId, (tx) =>
        listChanges(tx, room.place, behind, pageMax),
      );
      // Not to those that have room only since then: they may be behind this page.
      for (const stream of ready) send(stream, rows);
      if (rows.length === pageMax) room.isCalled = true;
    }
  } finally {
    room.isReading = false;
  }
}

function send(stream: Stream, rows: readonly ChangeRow[]): void {
  for (const row of rows) {
    if (stream.isFull || stream.isOver) return;
    if (comparePositions(row.id, stream.position) <= 0) continue;
    const { id, type, data, created_at } = row;
    const at = created_at.toISOString();
    const head = `id: ${id}-${created_at.getTime()}\nevent: ${type}`;
    stream.position = id;
    stream.isFull = !stream.body.push(`${head}\ndata: ${JSON.stringify({ ...data, at })}\n\n`);
  }
}

async function beat(stream: Stream, now: Date): Promise<void> {
  const { body, watcher, isFull } = stream;
  if (now >= watcher.endsAt || !(await watcher.isGood())) return end(stream);
  if (stream.isOver) return; // while it was asked
  if (!isFull) return void body.push(': beat\n\n');
  stream.staleBeats += 1;
  if (stream.staleBeats > staleBeatsMax) body.destroy();
}

/** Lets it be read to its end; nothing may be written to it any more. */
function end(stream: Stream): void {
  if (stream.isOver) return;
  stream.isOver = true;
  stream.body.push(null);
}

/** Transactions, then places in them; what comes behind is the instant and does not order. */
function comparePositions(a: string, b: string): number {
  const [[xactA, placeA], [xactB, placeB]] = [a, b].map((each) => each.split('-').map(BigInt)) as [
    bigint[],
    bigint[],
  ];
  if (xactA !== xactB) return xactA! < xactB! ? -1 : 1;
  return placeA! < placeB! ? -1 : placeA! > placeB! ? 1 : 0;
}
