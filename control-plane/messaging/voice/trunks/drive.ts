/**
 * Listens to a PBX for as long as its configuration is there. The job is the lease: whichever node
 * holds it holds the websocket, and when that node goes the next one connects.
 */
import { lookup } from 'node:dns/promises';
import { isDeepStrictEqual } from 'node:util';
import { WebSocket } from 'ws';
import { applicationOf, ari } from '../../../channels/asterisk/adapter.ts';
import type { Settings } from '../../../channels/asterisk/settings.ts';
import { readEvent, saysReplaced } from '../../../channels/asterisk/webhook.ts';
import type { VoiceAccount } from '../../../channels/voice-contract.ts';
import type { Environment } from '../../../platform/auth/principal.ts';
import { type Job, LeaseLost } from '../../../platform/jobs/job.ts';
import { checkUrl, guardedLookup } from '../../../platform/net/address.ts';
import type { VoiceDesk } from '../desk.ts';
import { type OpenProvider, openProvider } from '../providers/account.ts';
import { findTrunk, setTrunk, type TrunkRow } from '../providers/store.ts';
import { hasGoing } from './store.ts';
import { Switchboard } from './switchboard.ts';

const beatMs = 20_000;
const handshakeMs = 10_000;
const eventBytesMax = 1_048_576;
const waitsMs = [1_000, 2_000, 5_000, 10_000, 30_000] as const;

type TrunkJob = Job<{ readonly environment: Environment }>;

export async function driveTrunk(
  desk: VoiceDesk,
  job: TrunkJob,
  signal: AbortSignal,
): Promise<void> {
  try {
    await keepListening(desk, job, signal);
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    // This node stood still for longer than its lease, and another listens: it must not be replaced.
    desk.log.warn({ providerId: job.key }, 'another node listens to the PBX now');
  }
}

async function keepListening(desk: VoiceDesk, job: TrunkJob, signal: AbortSignal): Promise<void> {
  const place = { tenantId: job.tenantId, environment: job.payload.environment };
  let failures = 0;
  while (!signal.aborted) {
    const open = await openProvider(desk, place, job.key);
    if (open === undefined || !(await isNeeded(desk, open))) {
      await desk.db.tenant(place.tenantId, (tx) => desk.jobs.complete(tx, place.tenantId, [job]));
      return;
    }
    const trunk = { desk, open, job };
    await note(trunk, { state: 'connecting' });
    const { reason, wasOpen, isReplaced } = await listen(trunk, signal);
    if (signal.aborted) return;
    await note(trunk, { state: 'lost', last_error: reason });
    failures = wasOpen ? 0 : failures + 1;
    // Two that take it from each other at once would both hear nothing.
    const wait = isReplaced ? waitsMs.at(-1)! : waitsMs[Math.min(failures, waitsMs.length - 1)]!;
    await pause(wait, signal);
  }
}

/** One that was removed is listened to until its last call has ended. */
async function isNeeded({ db }: VoiceDesk, { place, row }: OpenProvider): Promise<boolean> {
  return row.deleted_at === null || db.tenant(place.tenantId, (tx) => hasGoing(tx, place, row.id));
}

/** What is listened to, and the lease by which it is. */
interface Trunk {
  readonly desk: VoiceDesk;
  readonly open: OpenProvider;
  readonly job: TrunkJob;
}

interface Ended {
  readonly reason: string;
  readonly wasOpen: boolean;
  /** Somebody else connected as the same application. */
  readonly isReplaced: boolean;
}

/** Resolves when the connection has ended, however it did. */
async function listen(trunk: Trunk, signal: AbortSignal): Promise<Ended> {
  const { desk, open, job } = trunk;
  const account = open.account as VoiceAccount<Settings>;
  const policy = desk.wire.policyOf(account.endpoint);
  const verdict = checkUrl(account.endpoint, policy);
  let isReplaced = false;
  let wasOpen = false;
  let reason = 'the connection ended';
  if (verdict.kind === 'refused') {
    return { reason: `the address ${verdict.reason}`, wasOpen, isReplaced };
  }
  const query = { app: applicationOf(account) };
  const { url, headers } = ari(account, 'GET', 'events', query);
  const socket = new WebSocket(url.replace(/^http/, 'ws'), {
    headers,
    handshakeTimeout: handshakeMs,
    maxPayload: eventBytesMax,
    lookup: guardedLookup(policy, (host) => lookup(host, { all: true })),
  });
  const board = new Switchboard(desk, open, (tx) => desk.jobs.share(tx, job));
  const stop = () => socket.terminate();
  signal.addEventListener('abort', stop, { once: true });
  let beat: NodeJS.Timeout | undefined;
  socket.on('error', (error: Error & { code?: string }) => {
    reason = error.code ?? error.message.slice(0, 200);
  });
  socket.on('open', () => {
    wasOpen = true;
    beat = keepAlive(trunk, board, socket);
    connected(trunk, board).catch((err: unknown) => {
      desk.log.warn({ err, providerId: open.row.id }, 'a PBX was not taken up; it is tried again');
      socket.terminate();
    });
  });
  socket.on('message', (data) => {
    const text = data.toString();
    if (saysReplaced(text)) {
      // The connection may stay open, but nothing more is told on it.
      isReplaced = true;
      reason = 'another listener took the application';
      return socket.terminate();
    }
    const told = readEvent(text);
    if (told !== undefined) board.hear(told);
  });
  await new Promise<void>((done) => socket.once('close', () => done()));
  signal.removeEventListener('abort', stop);
  clearInterval(beat);
  board.close();
  return { reason, wasOpen, isReplaced };
}

async function connected(trunk: Trunk, board: Switchboard): Promise<void> {
  const { desk, open } = trunk;
  const { tenantId } = open.place;
  const before = await desk.db.tenant(tenantId, (tx) => findTrunk(tx, tenantId, open.row.id));
  await note(trunk, { state: 'connected' });
  await board.resume(before?.heard_at ?? null);
}

/** Ends a connection on which nothing is heard, that leads elsewhere now, or that nobody needs. */
function keepAlive(trunk: Trunk, board: Switchboard, socket: WebSocket): NodeJS.Timeout {
  const { desk, open } = trunk;
  let isHeard = true;
  socket.on('pong', () => {
    isHeard = true;
  });
  const beat = async () => {
    const now = await openProvider(desk, open.place, open.row.id);
    const isKept = now !== undefined && isSame(now, open) && (await isNeeded(desk, now));
    if (!isHeard || !isKept) return socket.terminate();
    board.adopt(now);
    isHeard = false;
    socket.ping();
    await note(trunk, { state: 'connected' });
  };
  return setInterval(() => {
    beat().catch((err: unknown) => {
      desk.log.warn({ err }, 'a PBX was not asked whether it is there');
      if (err instanceof LeaseLost) socket.terminate();
    });
  }, beatMs);
}

/** Whether it is the same PBX, asked in the same way: a new name breaks off nothing. */
function isSame(now: OpenProvider, before: OpenProvider): boolean {
  return isDeepStrictEqual(now.account, before.account);
}

/** Writes down how it stands. Throws `LeaseLost` when another node listens. */
function note(
  { desk, open, job }: Trunk,
  told: Pick<TrunkRow, 'state'> & { readonly last_error?: string },
): Promise<void> {
  const { tenantId } = open.place;
  const now = desk.clock();
  const heard_at = told.state === 'connected' ? now : null;
  const trunk = { provider_id: open.row.id, since: now, heard_at, last_error: null, ...told };
  return desk.db.tenant(tenantId, async (tx) => {
    await setTrunk(tx, tenantId, trunk);
    await desk.jobs.share(tx, job);
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        done();
      },
      { once: true },
    );
  });
}
