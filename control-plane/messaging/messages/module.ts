/** Apps, templates and messages: what carries everything that is said. */
import { channels } from '../../channels/registry.ts';
import type { Platform } from '../../module.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { AnyRoute } from '../../platform/http/route.ts';
import { AppDesk } from '../apps/desk.ts';
import { type AppRoutesContext, appRoutes } from '../apps/routes.ts';
import { startStandings } from '../apps/standing.ts';
import { type ChannelEndpoints, openChannelEndpoints } from '../channel-endpoints.ts';
import { openProviderCalls, type ProviderCalls } from '../provider-calls.ts';
import { type RcsEdge, rcsRoutes } from '../rcs/routes.ts';
import { startRegistrar } from '../templates/registrar.ts';
import { type TemplateRoutesContext, templateRoutes } from '../templates/routes.ts';
import { openWire, type Wire } from '../wire.ts';
import type { MessageHooks } from './hooks.ts';
import { Intake } from './intake.ts';
import { startOutbox } from './outbox.ts';
import type { QueueEdge } from './queue.ts';
import { messageRoutes } from './routes.ts';
import { createSender } from './sender.ts';
import type { Sender } from './sender-contract.ts';
import { sweepMessaging } from './store.ts';
import { releaseUnheard } from './unheard.ts';
import { type WebhooksContext, webhookRoutes } from './webhooks.ts';

export interface MessagesContexts {
  readonly apps: AppRoutesContext;
  readonly templates: TemplateRoutesContext;
  readonly queue: QueueEdge;
  readonly webhooks: WebhooksContext;
  readonly rcs: RcsEdge;
}

export function messagesRoutes(contexts: MessagesContexts): AnyRoute[] {
  return [
    ...appRoutes(contexts.apps),
    ...templateRoutes(contexts.templates),
    ...messageRoutes(contexts.queue),
    ...rcsRoutes(contexts.rcs),
    ...webhookRoutes(contexts.webhooks),
  ];
}

export interface OpenMessages {
  readonly contexts: MessagesContexts;
  /** Shared with broadcasts and the team inbox. */
  readonly sender: Sender;
  readonly desk: AppDesk;
  readonly calls: ProviderCalls;
  readonly queue: QueueEdge;
  /** By which files of these providers are fetched. */
  readonly wires: Readonly<Record<Environment, Wire>>;
  readonly simulators: Readonly<Record<string, string>>;
  /** Starts to send; to be called once everybody who wants to know is among the hooks. */
  start(): void;
  close(graceMs: number): Promise<void>;
}

const sweepMs = 3_600_000;
/** A signed webhook is refused by its own age after minutes; its proof is kept for longer. */
const proofsMs = 86_400_000;
const partsMs = 2 * 86_400_000;

/** `hooks` may grow until `start`. */
export async function openMessages(
  platform: Platform,
  hooks: readonly MessageHooks[],
): Promise<OpenMessages> {
  const { db, jobs, limits, clock, random, log, secrets, settings, publicUrl } = platform;
  const endpoints = await openChannelEndpoints({ path: settings.channelsFile, clock, random });
  const desk = new AppDesk({ secrets, endpoints, publicUrl });
  const calls = openProviderCalls(endpoints, clock);
  const wires = { live: wireOf(endpoints, 'live'), sandbox: wireOf(endpoints, 'sandbox') };
  const moves = { random, hooks };
  const sender = createSender({ ...moves, db, desk, calls, clock, log });
  const intake = new Intake({ ...moves, db, clock, log, jobs, desk });
  const queue: QueueEdge = { db, jobs, clock, random, desk, hooks };
  const workers: { stop(graceMs: number): Promise<void> }[] = [];
  const sweeping = setInterval(() => {
    const before = (ms: number) => new Date(clock().getTime() - ms);
    db.system((tx) => sweepMessaging(tx, before(proofsMs), before(partsMs))).catch((err: unknown) =>
      log.warn({ err }, 'old reports were not swept; it is tried again'),
    );
    releaseUnheard({ db, clock }).catch((err: unknown) => {
      log.warn({ err }, 'holds of unheard messages were not released; it is tried again');
    });
  }, sweepMs);
  return {
    contexts: {
      apps: { db, clock, random, desk, calls },
      templates: { db, jobs, clock, random },
      queue,
      rcs: { ...queue, calls },
      webhooks: { db, intake, publicUrl },
    },
    ...{ sender, desk, calls, queue, wires, simulators: endpoints.simulators },
    start: () => {
      workers.push(
        startOutbox({ ...moves, db, jobs, limits, desk, sender, clock }),
        startRegistrar({ db, jobs, desk, calls, clock, random }),
        startStandings({ db, jobs, desk, calls, clock }),
      );
    },
    close: async (graceMs) => {
      clearInterval(sweeping);
      await Promise.all(workers.map((worker) => worker.stop(graceMs)));
      await calls.close();
      await Promise.all([wires.live.close(), wires.sandbox.close()]);
      await endpoints.close();
    },
  };
}

/** Reaches public addresses, and where the host says that providers are. */
function wireOf(endpoints: ChannelEndpoints, environment: Environment): Wire {
  const own = channels.flatMap(({ id }) => endpoints.of(environment, id)?.url ?? []);
  const origins = new Set(own.map((url) => new URL(url).origin));
  return openWire({ isTrusted: (origin) => origins.has(origin), allowPrivate: false });
}
