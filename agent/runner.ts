import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Network } from '@drawbridge/connectors/outbound/network.ts';
import { type CloseReason, closeReasons } from '@drawbridge/link/close-reasons.ts';
import { limits } from '@drawbridge/link/limits.ts';
import { commandBody } from '@drawbridge/link/methods.ts';
import type { BackoffLimits } from '@drawbridge/retry/backoff.ts';
import { checksOfRunning } from './doctor/checks.ts';
import { examine } from './doctor/examine.ts';
import { Health } from './health.ts';
import { type CurrentIdentity, createCurrentIdentity } from './link/current-identity.ts';
import { openSocket } from './link/dial.ts';
import { createHandshake } from './link/handshake.ts';
import { createKeyRotation, type KeyRotation } from './link/key-rotation.ts';
import { type LinkOutcome, stayLinked } from './link/reconnect.ts';
import { Session, type SessionHandlers } from './link/session.ts';
import { serveRequests } from './local-channel/requests.ts';
import { openChannel } from './local-channel/server.ts';
import { Tap } from './local-channel/tap.ts';
import type { Report } from './log/events.ts';
import type { Redact } from './log/redaction.ts';
import { openProbes } from './observation/probes.ts';
import { createStatusReporter, type StatusReporter } from './observation/status-reporter.ts';
import { newId, type Runtime } from './runtime.ts';
import { notifyService } from './service/notifier.ts';
import type { Settings } from './settings.ts';
import { hasBundlesOnTheirWay } from './store/bundles.ts';
import { freeBytesAt } from './store/disk-space.ts';
import { type Home, watchedConnectors } from './store/home.ts';
import type { Identity } from './store/identity.ts';
import type { Store } from './store/store.ts';
import { createCallHandler } from './sync/call-handler.ts';
import { readSetAside } from './sync/read-changes.ts';
import { createRoomForMore } from './sync/room.ts';
import type { Sources } from './sync/sources.ts';
import { type WatchContext, watch } from './sync/watch.ts';
import { WriteBackWorker } from './sync/write-back.ts';
import { version } from './version.ts';

export interface AgentContext {
  readonly runtime: Runtime;
  readonly settings: Settings;
  readonly home: Home;
  readonly identity: Identity;
  readonly network: Network;
  readonly store: Store;
  readonly sources: Sources;
  /** Of the secrets that the agent can read now. */
  redaction(): Redact;
  readonly report: Report;
}

/** How often the age of the agent's key is looked at. */
const keyLookMs = 3_600_000;

/** How a run ended. */
export type RunOutcome = LinkOutcome | { readonly kind: 'faulted'; readonly error: unknown };

/**
 * Keeps the agent linked and serving until it is stopped, refused for good, or meets a fault that waiting
 * does not mend; drains within the grace period.
 */
export async function runAgent(context: AgentContext): Promise<RunOutcome> {
  const { promise: faulted, resolve: endFaulted } = Promise.withResolvers<RunOutcome>();
  const failed = (error: unknown) => endFaulted({ kind: 'faulted', error });
  const parts = makeParts(context, failed);
  const { link, health, writeBack, status } = parts;
  const over = new AbortController();
  const serving = serveHost(context, parts, over.signal);
  context.runtime.stop.addEventListener('abort', () => over.abort(), { once: true });

  writeBack.wake(); // does what an earlier run accepted and did not finish
  const watching = watch(parts.reading, over.signal).catch(failed);
  const drained = drainOnStop(context, parts);
  const linked = keepLinked(context, parts, sessionHandlers(context, parts, failed));
  const outcome = await Promise.race([linked, faulted]);

  over.abort();
  status.stop();
  serving.close();
  if (outcome.kind === 'faulted') {
    link.session?.close('failed');
  } else {
    await Promise.all([watching, outcome.kind === 'stopped' ? drained : writeBack.stop()]);
    await context.sources.close();
  }
  health.setLink('stopped', outcome.kind === 'refused' ? closeReasons[outcome.close].reason : '');
  return outcome;
}

/** What a running agent consists of. */
interface Parts {
  /** The last session that was dialled; parts that send by it are there before it. */
  readonly link: { session?: Session };
  readonly health: Health;
  readonly tap: Tap;
  readonly identity: CurrentIdentity;
  readonly rotation: KeyRotation;
  readonly writeBack: WriteBackWorker;
  readonly status: StatusReporter;
  readonly reading: WatchContext;
  /** Aborted with the first welcome of the control plane. */
  readonly welcomed: AbortController;
  sendEvents(): void;
}

function makeParts(context: AgentContext, failed: (error: unknown) => void): Parts {
  const { runtime, settings, home, store, sources, redaction, report } = context;
  const { clock, random } = runtime;
  const link: Parts['link'] = {};
  const sendEvents = () => link.session?.sendEvents();
  const health = new Health({ ...runtime, home: home.path });
  const identity = createCurrentIdentity(home.identity, context.identity);
  const welcomed = new AbortController();
  return {
    link,
    health,
    tap: new Tap(),
    identity,
    rotation: createKeyRotation({
      ...runtime,
      identity,
      lifeDays: settings.keyDays,
      hasBundlesOnTheirWay: () => hasBundlesOnTheirWay(home.path),
      send: () => link.session?.sendKey(),
      report,
    }),
    writeBack: new WriteBackWorker({
      store,
      sources,
      clock,
      random,
      backoff: backoffOf(settings),
      completed: sendEvents,
      waiting: (connector, why) => health.setWaiting(connector, why),
      failed,
    }),
    status: createStatusReporter({
      store,
      health,
      clock,
      redaction,
      examine: () => examine(runtime, settings, home, checksOfRunning),
      freeBytes: () => freeBytesAt(home.path),
      changed: () => link.session?.sendStatus(),
      report,
    }),
    reading: watchContextOf(context, health, { queued: sendEvents, welcomed: welcomed.signal }),
    welcomed,
    sendEvents,
  };
}

function backoffOf({ redialBaseMs, redialCapMs }: Settings): BackoffLimits {
  return { baseMs: redialBaseMs, capMs: redialCapMs };
}

/** Serves this host: its service manager, probes, and commands; and looks at the age of the key. */
function serveHost(
  { runtime, settings, home, store, redaction, report }: AgentContext,
  { health, tap, rotation, writeBack, reading, sendEvents }: Parts,
  over: AbortSignal,
): { close(): void } {
  const { clock } = runtime;
  const service = notifyService(runtime, health, report);
  runtime.stop.addEventListener('abort', () => service.stopping(), { once: true });
  const port = settings.probesPort;
  const probes = port === 0 ? undefined : openProbes({ port, health, store, clock, report });
  const looksAtKey = setInterval(() => rotation.rotateIfOld(), keyLookMs).unref();
  const requests = serveRequests({
    store,
    writeBack,
    readSetAside: (connector) =>
      readSetAside({ ...reading, mayRead: () => reading.room.look() }, connector, over),
    health,
    tap,
    rotation,
    deliver: sendEvents,
    clock,
    redaction,
  });
  const channel = openChannel(home.path, requests, report);
  return {
    close() {
      probes?.close();
      channel.close();
      clearInterval(looksAtKey);
    },
  };
}

/** Dials again and again; a fault of the dialling itself ends the run. */
function keepLinked(
  context: AgentContext,
  { link, health, identity, tap }: Parts,
  handlers: SessionHandlers,
): Promise<RunOutcome> {
  const { runtime, settings, report } = context;
  return stayLinked({
    clock: runtime.clock,
    random: runtime.random,
    backoff: backoffOf(settings),
    signal: runtime.stop,
    session() {
      health.expect('link', limits.handshakeMs);
      link.session = dial(context, identity.value(), tap, handlers);
      return link.session.ended;
    },
    waiting(ended, delayMs) {
      health.expect('link', delayMs);
      health.setLink('redialling', ended.detail);
      report('redialling', `${ended.detail}; dialling again in ${delayMs} ms`);
    },
  }).catch((error: unknown): RunOutcome => ({ kind: 'faulted', error }));
}

function dial(
  { runtime, home, network }: AgentContext,
  identity: Identity,
  tap: Tap,
  handlers: SessionHandlers,
): Session {
  const known = home.epoch.read();
  const isOurs = known.kind === 'content' && known.value.agentId === identity.agentId;
  const epoch = isOurs ? known.value.epoch : 0;
  return new Session(
    openSocket(identity.linkUrl, network),
    tap.on(createHandshake(identity, epoch, version, runtime.randomBytes)),
    handlers,
  );
}

function sessionHandlers(
  { runtime, home, identity, store, sources, report }: AgentContext,
  { health, identity: current, rotation, writeBack, status, welcomed }: Parts,
  failed: (error: unknown) => void,
): SessionHandlers {
  return {
    store,
    alive: () => health.expect('link', limits.pingMs),
    serve: createCallHandler(sources),
    accept(id, body) {
      const params = commandBody.safeParse(body);
      store.accept(id, params.data?.connector ?? '', JSON.stringify(body));
      writeBack.wake();
    },
    welcome(epoch, serverTime, stored) {
      home.epoch.write({ agentId: identity.agentId, epoch });
      for (const connector of stored === undefined ? [] : store.resume(stored)) {
        report('wound_back', `${connector}: the control plane has less than it had confirmed`);
      }
      status.linked();
      welcomed.abort();
      rotation.rotateIfOld();
      const skewSeconds = Math.round((runtime.clock().getTime() - serverTime.getTime()) / 1_000);
      health.expect('link', limits.pingMs);
      health.setLink('connected', `clock ${skewSeconds} s from the control plane’s`);
      report('connected', identity.linkUrl);
    },
    // A bundle may be bringing it: those after it are made with it, and come when it is known by that bundle.
    keyChange: () => (hasBundlesOnTheirWay(home.path) ? undefined : current.keyChange()),
    knownBy: (publicKey) => rotation.knownBy(publicKey),
    trust(publicKey, signature) {
      const isTrusted = current.follow(publicKey, signature);
      report(isTrusted ? 'trusts' : 'distrusts', `the control plane’s new key ${publicKey}`);
      return isTrusted;
    },
    status: status.next,
    failed,
  };
}

/**
 * Closes the session once everything under way is done or the grace period is over.
 */
async function drainOnStop(
  { runtime, settings, report }: AgentContext,
  { link, writeBack }: Parts,
): Promise<void> {
  if (!runtime.stop.aborted) await once(runtime.stop, 'abort');
  report('draining', `at most ${settings.graceSeconds} s`);
  const grace = new AbortController();
  const inHand = Promise.all([link.session?.drain(), writeBack.stop()]);
  await Promise.race([
    inHand,
    wait(settings.graceSeconds * 1_000, undefined, { signal: grace.signal }).catch(() => {}),
  ]);
  grace.abort();
  link.session?.close('draining' satisfies CloseReason);
}

/** How the watched connectors are read. */
function watchContextOf(
  context: AgentContext,
  health: Health,
  { queued, welcomed }: { queued(): void; readonly welcomed: AbortSignal },
): WatchContext {
  const { runtime, home, settings, store, sources, report } = context;
  const { clock } = runtime;
  const room = createRoomForMore({ home: home.path, settings, store, health, clock, report });
  return {
    store,
    sources,
    clock,
    health,
    room,
    queued,
    report,
    watchMs: settings.watchSeconds * 1_000,
    more: welcomed,
    reconcileMs: settings.reconcileMinutes * 60_000,
    refusals: new Map(),
    newId: () => newId(runtime),
    // The control plane may know from where a source is to be read on, if the queue does not.
    watched: () =>
      watchedConnectors(home).filter((name) => welcomed.aborted || store.isKnown(name)),
  };
}
