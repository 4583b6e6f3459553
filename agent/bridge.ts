import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { type CloseName, closes } from '@drawbridge/link/closes.ts';
import { limits } from '@drawbridge/link/limits.ts';
import { methods } from '@drawbridge/link/methods.ts';
import { WebSocket } from 'ws';
import type { Edge } from './edge.ts';
import { createHandshake } from './link/handshake.ts';
import { type LinkOutcome, stayLinked } from './link/reconnect.ts';
import { type Duties, Session } from './link/session.ts';
import type { Settings } from './settings.ts';
import { type Home, openConnectors } from './store/home.ts';
import type { Identity } from './store/identity.ts';
import type { Store } from './store/store.ts';
import { createServe } from './sync/serve.ts';
import type { Sources } from './sync/sources.ts';
import { watchRound } from './sync/watch.ts';
import { WriteBack } from './sync/write-back.ts';
import { version } from './version.ts';

export interface BridgeParts {
  readonly edge: Edge;
  readonly settings: Settings;
  readonly home: Home;
  readonly identity: Identity;
  readonly store: Store;
  readonly sources: Sources;
  /** One line of progress for people, one event for machines. */
  report(event: string, detail: string): void;
}

/** Bytes of a sealed frame: the frame, and room for its header and seal. */
const payloadMax = limits.frameBytesMax + 64;

/** Links and serves until stopped or refused for good; drains within the grace period. */
export async function runBridge(parts: BridgeParts): Promise<LinkOutcome> {
  const { edge, settings, store, sources } = parts;
  const backoff = { baseMs: settings.redialBaseMs, capMs: settings.redialCapMs };
  let session: Session | undefined;
  const pump = () => session?.pump();
  const { clock, random } = edge;
  const writeBack = new WriteBack({ store, sources, clock, random, backoff, completed: pump });
  const duties = dutiesOf(parts, writeBack);
  const over = new AbortController();
  edge.stop.addEventListener('abort', () => over.abort(), { once: true });

  writeBack.wake(); // what an earlier run accepted and did not finish
  const watching = watch(parts, pump, over.signal);
  const drained = drainOnStop(parts, () => session, writeBack);
  const outcome = await stayLinked({
    clock,
    random,
    backoff,
    signal: edge.stop,
    session() {
      session = dial(parts, duties);
      return session.ended;
    },
    waiting(ended, delayMs) {
      store.setLink('redialling', ended.detail);
      parts.report('redialling', `${ended.detail}; dialling again in ${delayMs} ms`);
    },
  });
  over.abort();
  await Promise.all([watching, outcome.kind === 'stopped' ? drained : writeBack.stop()]);
  store.setLink('stopped', outcome.kind === 'refused' ? closes[outcome.close].reason : '');
  await sources.close();
  return outcome;
}

function dial({ edge, home, identity }: BridgeParts, duties: Duties): Session {
  const known = home.epoch.read();
  const isOurs = known.kind === 'content' && known.value.agentId === identity.agentId;
  const epoch = isOurs ? known.value.epoch : 0;
  const socket = new WebSocket(identity.linkUrl, {
    maxPayload: payloadMax,
    perMessageDeflate: false, // sealed bytes do not compress
    followRedirects: false,
    handshakeTimeout: limits.handshakeMs,
  });
  return new Session(socket, createHandshake(identity, epoch, version, edge.randomBytes), duties);
}

function dutiesOf(parts: BridgeParts, writeBack: WriteBack): Duties {
  const { edge, home, identity, store, sources, report } = parts;
  return {
    store,
    serve: createServe(sources),
    accept(id, body) {
      const params = methods['connector.writeBack'].params.safeParse(body);
      store.accept(id, params.data?.connector ?? '', JSON.stringify(body));
      writeBack.wake();
    },
    welcome(epoch, serverTime) {
      home.epoch.write({ agentId: identity.agentId, epoch });
      const skewSeconds = Math.round((edge.clock().getTime() - serverTime.getTime()) / 1_000);
      store.setLink('connected', `clock ${skewSeconds} s from the control plane’s`);
      report('connected', identity.linkUrl);
    },
  };
}

/**
 * Resolves once everything in hand is done or the grace period is over; then the session is closed.
 */
async function drainOnStop(
  { edge, settings, report }: BridgeParts,
  current: () => Session | undefined,
  writeBack: WriteBack,
): Promise<void> {
  if (!edge.stop.aborted) await once(edge.stop, 'abort');
  report('draining', `at most ${settings.graceSeconds} s`);
  const grace = new AbortController();
  const inHand = Promise.all([current()?.drain(), writeBack.stop()]);
  await Promise.race([
    inHand,
    wait(settings.graceSeconds * 1_000, undefined, { signal: grace.signal }).catch(() => {}),
  ]);
  grace.abort();
  current()?.close('draining' satisfies CloseName);
}

async function watch(parts: BridgeParts, queued: () => void, stop: AbortSignal): Promise<void> {
  const { edge, home, settings, store, sources, report } = parts;
  const round = {
    store,
    sources,
    queued,
    newId: () => Buffer.from(edge.randomBytes(16)).toString('hex'),
    watched() {
      const connectors = openConnectors(home);
      if (connectors.kind === 'failed') return [];
      return connectors.value.filter((one) => one.watch).map((one) => one.name);
    },
  };
  while (!stop.aborted) {
    for (const name of await watchRound(round, stop)) report('unreadable', name);
    await wait(settings.watchSeconds * 1_000, undefined, { signal: stop }).catch(() => {});
  }
}
