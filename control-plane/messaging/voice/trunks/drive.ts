/**
 * Listens to a PBX for as long as its configuration is there. The job is the lease: whichever node
 * holds it holds the websocket, and when that node goes the next one connects.
 */
import { lookup } from 'node:dns/promises';
import { isDeepStrictEqual } from 'node:util';
import { WebSocket } from 'ws';
import { ari } from '../../../channels/asterisk/adapter.ts';
import type { Settings } from '../../../channels/asterisk/settings.ts';
import { isReplaced, readEvent } from '../../../channels/asterisk/webhook.ts';
import type { VoiceAccount } from '../../../channels/voice-contract.ts';
import type { Environment } from '../../../platform/auth/principal.ts';
import type { Job } from '../../../platform/jobs/job.ts';
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

export async function driveTrunk(
  desk: VoiceDesk,
  job: Job<{ readonly environment: Environment }>,
  signal: AbortSignal,
): Promise<void> {
  const place = { tenantId: job.tenantId, environment: job.payload.environment };
  let failures = 0;
  while (!signal.aborted) {
    const open = await openProvider(desk, place, job.key);
    if (open === undefined || !(await isNeeded(desk, open))) {
      await desk.db.tenant(place.tenantId, (tx) => desk.jobs.complete(tx, place.tenantId, [job]));
      return;
    }
    await note(desk, open, { state: 'connecting' });
    const { reason, wasOpen } = await listen(desk, open, signal);
    if (signal.aborted) return;
    await note(desk, open, { state: 'lost', last_error: reason });
    failures = wasOpen ? 0 : failures + 1;
    await pause(waitsMs[Math.min(failures, waitsMs.length - 1)]!, signal);
  }
}

/** One that was removed is listened to until its last call has ended. */
async function isNeeded({ db }: VoiceDesk, { place, row }: OpenProvider): Promise<boolean> {
  return row.deleted_at === null || db.tenant(place.tenantId, (tx) => hasGoing(tx, place, row.id));
}

interface Ended {
  readonly reason: string;
  readonly wasOpen: boolean;
}

/** Resolves when the connection has ended, however it did. */
async function listen(desk: VoiceDesk, open: OpenProvider, signal: AbortSignal): Promise<Ended> {
  const account = open.account as VoiceAccount<Settings>;
  const policy = desk.wire.policyOf(account.endpoint);
  const verdict = checkUrl(account.endpoint, policy);
  if (verdict.kind === 'refused')
    return { reason: `the address ${verdict.reason}`, wasOpen: false };
  const query = { app: account.settings.application };
  const { url, headers } = ari(account, 'GET', 'events', query);
  const socket = new WebSocket(url.replace(/^http/, 'ws'), {
    headers,
    handshakeTimeout: handshakeMs,
    maxPayload: eventBytesMax,
    lookup: guardedLookup(policy, (host) => lookup(host, { all: true })),
  });
  const board = new Switchboard(desk, open);
  const stop = () => socket.terminate();
  signal.addEventListener('abort', stop, { once: true });
  let beat: NodeJS.Timeout | undefined;
  let wasOpen = false;
  let reason = 'the connection ended';
  socket.on('error', (error: Error & { code?: string }) => {
    reason = error.code ?? error.message.slice(0, 200);
  });
  socket.on('open', () => {
    wasOpen = true;
    beat = keepAlive(desk, open, board, socket);
    connected(desk, open, board).catch((err: unknown) => {
      desk.log.warn({ err, providerId: open.row.id }, 'a PBX was not taken up; it is tried again');
      socket.terminate();
    });
  });
  socket.on('message', (data) => {
    const text = data.toString();
    if (isReplaced(text)) reason = 'another listener took the application';
    const told = readEvent(text);
    if (told !== undefined) board.hear(told);
  });
  await new Promise<void>((done) => socket.once('close', () => done()));
  signal.removeEventListener('abort', stop);
  clearInterval(beat);
  board.close();
  return { reason, wasOpen };
}

async function connected(desk: VoiceDesk, open: OpenProvider, board: Switchboard): Promise<void> {
  const { tenantId } = open.place;
  const before = await desk.db.tenant(tenantId, (tx) => findTrunk(tx, tenantId, open.row.id));
  await note(desk, open, { state: 'connected' });
  await board.resume(before?.heard_at ?? null);
}

/** Ends a connection on which nothing is heard, that leads elsewhere now, or that nobody needs. */
function keepAlive(
  desk: VoiceDesk,
  open: OpenProvider,
  board: Switchboard,
  socket: WebSocket,
): NodeJS.Timeout {
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
    await note(desk, open, { state: 'connected' });
  };
  return setInterval(() => {
    beat().catch((err: unknown) =>
      desk.log.warn({ err }, 'a PBX was not asked whether it is there'),
    );
  }, beatMs);
}

/** Whether it is the same PBX, asked in the same way: a new name breaks off nothing. */
function isSame(now: OpenProvider, before: OpenProvider): boolean {
  return isDeepStrictEqual(now.account, before.account);
}

function note(
  desk: VoiceDesk,
  { place: { tenantId }, row }: OpenProvider,
  told: Pick<TrunkRow, 'state'> & { readonly last_error?: string },
): Promise<void> {
  const now = desk.clock();
  const heard_at = told.state === 'connected' ? now : null;
  const trunk = { provider_id: row.id, since: now, heard_at, last_error: null, ...told };
  return desk.db.tenant(tenantId, (tx) => setTrunk(tx, tenantId, trunk));
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
