import type { Platform } from '../modules/contract.ts';
import { addReadGauges } from '../platform/metrics/read-gauges.ts';
import { countPendingDeliveries } from './endpoint-queue-store.ts';

/** Deliveries of each kind that are counted at most. */
const deliveriesMax = 100_000;

/** Adds the gauge of deliveries that wait, of all nodes. */
export function addWebhookGauges(platform: Platform): void {
  addReadGauges(platform.metrics.registry, platform, {
    gauges: {
      drawbridge_webhooks_pending: {
        help: `Webhooks that wait: new, retry, set_aside; up to ${deliveriesMax} of each kind`,
        labels: ['kind'],
      },
    },
    read: async () => {
      const rows = await platform.db.system((tx) => countPendingDeliveries(tx, deliveriesMax));
      return rows.map(({ kind, deliveries }) => {
        return { gauge: 'drawbridge_webhooks_pending', labels: { kind }, value: deliveries };
      });
    },
  });
}
