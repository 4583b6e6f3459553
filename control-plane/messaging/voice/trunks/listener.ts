/**
 * Listens to a PBX until its configuration is removed. The node that holds the job's lease holds the
 * websocket; when that node fails, the next one connects.
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
import { checkUrl, guardedLookup } from '../../../platform/outbound/address.ts';
import type { CallingContext } from '../context.ts';
import { type OpenProvider, openProvider } from '../providers/account.ts';
import { findTrunkStatus, saveTrunkStatus, type TrunkStatusRow } from '../providers/store.ts';
import { TrunkEventRouter } from './event-router.ts';
import { hasActiveCalls } from './store.ts';

const heartbeatMs = 20_000;
const handshakeMs = 10_000;
const eventBytesMax = 1_048_576;
const reconnectDelaysMs = [1_000, 2_000, 5_000, 10_000, 30_000] as const;

type TrunkJob = Job<{ readonly environment: Environment }>;

export async function listenToTrunk(
  context: CallingContext,
  job: TrunkJob,
  signal: AbortSignal,
): Promise<void> {
  try {
    await listenUntilRemoved(context, job, signal);
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    // This node paused for longer than its lease, and another node listens now: do not reconnect.
    context.log.warn({ providerId: job.key }, 'another node listens to the PBX now');
  }
}

async function listenUntilRemoved(
  context: CallingContext,
  job: TrunkJob,
  signal: AbortSignal,
): Promise<void> {
  const scope = { tenantId: job.tenantId, environment: job.payload.environment };
  let failures = 0;
  while (!signal.aborted) {
    const open = await openProvider(context, scope, job.key);
    if (open === undefined || !(await isNeeded(context, open))) {
      await context.db.tenant(scope.tenantId, (tx) =>
        context.jobs.complete(tx, scope.tenantId, [job]),
      );
      return;
    }
    const trunk = { context, open, job };
    await saveStatus(trunk, { state: 'connecting' });
    const { reason, wasOpen, isReplaced } = await listen(trunk, signal);
    if (signal.aborted) return;
    await saveStatus(trunk, { state: 'lost', last_error: reason });
    failures = wasOpen ? 0 : failures + 1;
    // Two listeners that keep replacing each other would both miss events, so the wait is long.
    const wait = isReplaced
      ? reconnectDelaysMs.at(-1)!
      : reconnectDelaysMs[Math.min(failures, reconnectDelaysMs.length - 1)]!;
    await pause(wait, signal);
  }
}

/** A removed configuration is needed until its last call has ended. */
async function isNeeded({ db }: CallingContext, { scope, row }: OpenProvider): Promise<boolean> {
  return (
    row.deleted_at === null || db.tenant(scope.tenantId, (tx) => hasActiveCalls(tx, scope, row.id))
  );
}

/** The PBX, and the job whose lease this node holds. */
interface Trunk {
  readonly context: CallingContext;
  readonly open: OpenProvider;
  readonly job: TrunkJob;
}

interface ConnectionEnd {
  readonly reason: string;
  readonly wasOpen: boolean;
  /** Another client connected as the same application. */
  readonly isReplaced: boolean;
}

/** Resolves when the connection has ended. */
async function listen(trunk: Trunk, signal: AbortSignal): Promise<ConnectionEnd> {
  const { context, open, job } = trunk;
  const account = open.account as VoiceAccount<Settings>;
  const policy = context.wire.policyOf(account.endpoint);
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
  const router = new TrunkEventRouter(context, open, (tx) =>
    context.jobs.renewSharedLease(tx, job),
  );
  const stop = () => socket.terminate();
  signal.addEventListener('abort', stop, { once: true });
  let beat: NodeJS.Timeout | undefined;
  socket.on('error', (error: Error & { code?: string }) => {
    reason = error.code ?? error.message.slice(0, 200);
  });
  socket.on('open', () => {
    wasOpen = true;
    beat = keepAlive(trunk, router, socket);
    connected(trunk, router).catch((err: unknown) => {
      context.log.warn(
        { err, providerId: open.row.id },
        'the calls of a PBX were not resumed; it reconnects',
      );
      socket.terminate();
    });
  });
  socket.on('message', (data) => {
    const text = data.toString();
    if (saysReplaced(text)) {
      // The connection may stay open, but gets no more events.
      isReplaced = true;
      reason = 'another listener took the application';
      return socket.terminate();
    }
    const reported = readEvent(text);
    if (reported !== undefined) router.route(reported);
  });
  await new Promise<void>((done) => socket.once('close', () => done()));
  signal.removeEventListener('abort', stop);
  clearInterval(beat);
  router.close();
  return { reason, wasOpen, isReplaced };
}

async function connected(trunk: Trunk, router: TrunkEventRouter): Promise<void> {
  const { context, open } = trunk;
  const { tenantId } = open.scope;
  const before = await context.db.tenant(tenantId, (tx) =>
    findTrunkStatus(tx, tenantId, open.row.id),
  );
  await saveStatus(trunk, { state: 'connected' });
  await router.resumeCalls(before?.heard_at ?? null);
}

/** Ends a connection that is silent, whose configuration changed, or that is no longer needed. */
function keepAlive(trunk: Trunk, router: TrunkEventRouter, socket: WebSocket): NodeJS.Timeout {
  const { context, open } = trunk;
  let isHeard = true;
  socket.on('pong', () => {
    isHeard = true;
  });
  const beat = async () => {
    const now = await openProvider(context, open.scope, open.row.id);
    const isKept = now !== undefined && isSame(now, open) && (await isNeeded(context, now));
    if (!isHeard || !isKept) return socket.terminate();
    router.useConfiguration(now);
    isHeard = false;
    socket.ping();
    await saveStatus(trunk, { state: 'connected' });
  };
  return setInterval(() => {
    beat().catch((err: unknown) => {
      context.log.warn({ err }, 'a PBX could not be pinged');
      if (err instanceof LeaseLost) socket.terminate();
    });
  }, heartbeatMs);
}

/** Whether address and credentials are unchanged; a new name does not end the connection. */
function isSame(now: OpenProvider, before: OpenProvider): boolean {
  return isDeepStrictEqual(now.account, before.account);
}

/** Saves the status of the connection. Throws `LeaseLost` when another node listens. */
function saveStatus(
  { context, open, job }: Trunk,
  reported: Pick<TrunkStatusRow, 'state'> & { readonly last_error?: string },
): Promise<void> {
  const { tenantId } = open.scope;
  const now = context.clock();
  const heard_at = reported.state === 'connected' ? now : null;
  const trunk = { provider_id: open.row.id, since: now, heard_at, last_error: null, ...reported };
  return context.db.tenant(tenantId, async (tx) => {
    await saveTrunkStatus(tx, tenantId, trunk);
    await context.jobs.renewSharedLease(tx, job);
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
