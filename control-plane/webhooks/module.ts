import type { Module, OpenModule, Platform } from '../modules/contract.ts';
import { startDelivery } from './delivery.ts';
import { pruneDeliveries } from './endpoint-queue-store.ts';
import { addWebhookGauges } from './gauges.ts';
import { startReplays } from './replays.ts';

/** Signed delivery of webhooks for both services. */
export const webhooksModule: Module = {
  name: 'webhooks',
  service: 'einvoice',
  describe: () => [],
  open,
};

async function open(platform: Platform): Promise<OpenModule> {
  const { db, jobs, secrets: seal, clock, stopwatch, random, log, metrics, settings } = platform;
  const delivery = await startDelivery({
    db,
    seal,
    clock,
    stopwatch,
    random,
    log,
    metrics,
    keepBackMs: settings.webhookStuckMinutes * 60_000,
    isSuspended: (tenantId) => platform.suspended.has(tenantId),
    allowLoopback: settings.webhookAllowPrivate,
    tracing: platform.tracing,
  });
  addWebhookGauges(platform);
  const replays = startReplays({ db, jobs, clock, log });
  return {
    routes: [],
    prunables: [
      {
        kind: 'webhook_delivery',
        lifeDays: settings.webhookDeliveryDays,
        prune: pruneDeliveries,
      },
    ],
    drain: async (graceMs) => {
      await Promise.all([replays.stop(graceMs), delivery.stop(graceMs)]);
    },
    close: async () => {},
  };
}
