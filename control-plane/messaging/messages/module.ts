/** Apps, templates and messages. */
import { channels } from '../../channels/registry.ts';
import type { Platform } from '../../modules/contract.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { AnyRoute } from '../../platform/http/route.ts';
import { createRequestTimes } from '../../platform/metrics/request-times.ts';
import { AppOpener } from '../apps/app-opener.ts';
import { startHealthChecks } from '../apps/health.ts';
import { type AppRoutesContext, appRoutes } from '../apps/routes.ts';
import { prepareSandboxApps } from '../apps/sandbox-apps.ts';
import { type ChannelEndpoints, openChannelEndpoints } from '../channel-endpoints.ts';
import { openProviderCalls, type ProviderCalls } from '../provider-calls.ts';
import { providerKindRoutes } from '../provider-kinds/routes.ts';
import { type RcsContext, rcsRoutes } from '../rcs/routes.ts';
import type { TemplateRoutesContext } from '../templates/context.ts';
import { startRegistrar } from '../templates/registrar.ts';
import { templateRoutes } from '../templates/routes.ts';
import { openWire, type Wire } from '../wire.ts';
import type { MessageHooks } from './hooks.ts';
import type { IntakeContext } from './receiving/intake-context.ts';
import { unroutedRoutes } from './receiving/unrouted-routes.ts';
import { sweepUnrouted } from './receiving/unrouted-store.ts';
import { WebhookIntake } from './receiving/webhook-intake.ts';
import { type WebhooksContext, webhookRoutes } from './receiving/webhook-routes.ts';
import { messageRoutes } from './routes.ts';
import { countedSender } from './sending/counted-sender.ts';
import { startOutbox } from './sending/outbox.ts';
import type { QueueContext } from './sending/queue.ts';
import { createSender } from './sending/sender.ts';
import type { Sender } from './sending/sender-contract.ts';
import { releaseUnreportedHolds } from './status/unreported.ts';
import { sweepMessaging } from './store.ts';

export interface MessagesContexts {
  readonly apps: AppRoutesContext;
  readonly templates: TemplateRoutesContext;
  readonly queue: QueueContext;
  readonly webhooks: WebhooksContext;
  readonly unrouted: IntakeContext;
  readonly rcs: RcsContext;
}

export function messagesRoutes(contexts: MessagesContexts): AnyRoute[] {
  return [
    ...providerKindRoutes(contexts.apps),
    ...appRoutes(contexts.apps),
    ...templateRoutes(contexts.templates),
    ...messageRoutes(contexts.queue),
    ...rcsRoutes(contexts.rcs),
    ...webhookRoutes(contexts.webhooks),
    ...unroutedRoutes(contexts.unrouted),
  ];
}

export interface OpenMessages {
  readonly contexts: MessagesContexts;
  /** Also used by broadcasts and the team inbox. */
  readonly sender: Sender;
  readonly appOpener: AppOpener;
  readonly calls: ProviderCalls;
  readonly queue: QueueContext;
  /** The clients that fetch files from these providers. */
  readonly wires: Readonly<Record<Environment, Wire>>;
  readonly simulators: Readonly<Record<string, string>>;
  /** The process listens. */
  started(): void;
  /** Takes no more jobs, and lets those under way finish for at most `graceMs` milliseconds. */
  drain(graceMs: number): Promise<void>;
  close(): Promise<void>;
}

const sweepMs = 3_600_000;
/** A signed webhook becomes too old within minutes; its proof is kept for longer than that. */
const proofsMs = 86_400_000;
const partsMs = 2 * 86_400_000;
const unroutedMs = 30 * 86_400_000;

/** Starts sending and receiving; `hooks` are those of every part that follows messages. */
export async function openMessages(
  platform: Platform,
  hooks: readonly MessageHooks[],
): Promise<OpenMessages> {
  const { db, jobs, limits, clock, random, stopwatch, log, metrics } = platform;
  const { secrets, settings, publicUrl } = platform;
  const endpoints = await openChannelEndpoints({ path: settings.channelsFile, clock, random });
  const appOpener = new AppOpener({ db, secrets, endpoints, publicUrl });
  const calls = openProviderCalls(endpoints, clock, {
    times: createRequestTimes(metrics.providerRequestSeconds, stopwatch),
  });
  const wires = { live: wireOf(endpoints, 'live'), sandbox: wireOf(endpoints, 'sandbox') };
  const status = { random, hooks };
  const sender = countedSender(
    createSender({ ...status, db, appOpener, calls, clock, log }),
    metrics,
  );
  const receiving: IntakeContext = { ...status, db, clock, log, jobs, appOpener };
  const intake = new WebhookIntake(receiving);
  const queue: QueueContext = { db, jobs, clock, random, appOpener, hooks };
  const workers = [
    startOutbox({ ...status, db, jobs, limits, appOpener, sender, clock }),
    startRegistrar({ db, jobs, appOpener, calls, clock, random }),
    startHealthChecks({ db, jobs, appOpener, calls, clock }),
  ];
  let isDraining = false;
  const sweeping = setInterval(() => {
    const before = (ms: number) => new Date(clock().getTime() - ms);
    db.system((tx) => sweepMessaging(tx, before(proofsMs), before(partsMs))).catch((err: unknown) =>
      log.warn({ err }, 'old reports were not deleted; this will be retried'),
    );
    db.system((tx) => sweepUnrouted(tx, before(unroutedMs))).catch((err: unknown) =>
      log.warn({ err }, 'old unrouted webhooks were not deleted; this will be retried'),
    );
    releaseUnreportedHolds({ db, clock }).catch((err: unknown) => {
      log.warn({ err }, 'holds of unreported messages were not released; this will be retried');
    });
  }, sweepMs);
  return {
    contexts: {
      apps: { db, clock, random, appOpener, calls },
      templates: { db, jobs, appOpener, calls, clock, random },
      queue,
      rcs: { ...queue, calls },
      webhooks: { db, intake, publicUrl },
      unrouted: receiving,
    },
    sender,
    appOpener,
    calls,
    queue,
    wires,
    simulators: endpoints.simulators,
    started: () => {
      const played = Object.keys(endpoints.simulators);
      prepareSandboxApps({ db, appOpener, log }, played, () => isDraining).catch((err: unknown) => {
        log.warn({ err }, 'not all apps were taught to simulators; each is before it sends');
      });
    },
    drain: async (graceMs) => {
      isDraining = true;
      clearInterval(sweeping);
      await Promise.all(workers.map((worker) => worker.stop(graceMs)));
    },
    close: async () => {
      await calls.close();
      await Promise.all([wires.live.close(), wires.sandbox.close()]);
      await endpoints.close();
    },
  };
}

/** Reaches public addresses, and the addresses that the host sets for providers. */
function wireOf(endpoints: ChannelEndpoints, environment: Environment): Wire {
  const own = channels.flatMap(({ id }) => endpoints.of(environment, id)?.url ?? []);
  const origins = new Set(own.map((url) => new URL(url).origin));
  return openWire({ isTrusted: (origin) => origins.has(origin), allowPrivate: false });
}
