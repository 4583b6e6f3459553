import type { Module, OpenModule, Platform } from '../module.ts';
import { startDelivery } from './deliver.ts';

/** Signed delivery, one engine for both services. */
export const webhooksModule: Module = {
  name: 'webhooks',
  service: 'einvoice',
  describe: () => [],
  open,
};

async function open(platform: Platform): Promise<OpenModule> {
  const { db, secrets: seal, clock, stopwatch, random, log, settings } = platform;
  const delivery = await startDelivery({
    ...{ db, seal, clock, stopwatch, random, log },
    allowLoopback: settings.webhookAllowPrivate,
  });
  return { routes: [], close: (graceMs) => delivery.stop(graceMs) };
}
