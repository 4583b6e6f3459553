import { Gauge } from 'prom-client';
import type { Hub } from '../agents/hub.ts';
import type { Platform } from '../modules/contract.ts';
import { addReadGauges } from '../platform/metrics/read-gauges.ts';
import { countOpenInvoices } from './invoices/open-invoice-store.ts';

/** Invoices of one environment and state that are counted at most. */
const invoicesMax = 100_000;

/** Adds the gauges of e-invoicing to /metrics. */
export function addEinvoicingGauges(platform: Platform, hub: Pick<Hub, 'linked'>): void {
  const { db, clock, metrics } = platform;
  const { registry } = metrics;
  const labels = ['environment', 'state'];
  addReadGauges(registry, platform, {
    gauges: {
      drawbridge_invoices_open: {
        help: `Invoices of all nodes that are on their way, up to ${invoicesMax} of each state`,
        labels,
      },
      drawbridge_invoices_open_oldest_seconds: {
        help: 'Since the oldest invoice that is in this state was submitted',
        labels,
      },
    },
    read: async () => {
      const rows = await db.system((tx) => countOpenInvoices(tx, clock(), invoicesMax));
      return rows.flatMap(({ environment, state, invoices, oldest_seconds }) => {
        const of = { environment, state };
        return [
          { gauge: 'drawbridge_invoices_open', labels: of, value: invoices },
          { gauge: 'drawbridge_invoices_open_oldest_seconds', labels: of, value: oldest_seconds },
        ];
      });
    },
  });
  new Gauge({
    name: 'drawbridge_agents_linked',
    help: 'Agents whose link this process holds',
    registers: [registry],
    collect() {
      this.set(hub.linked());
    },
  });
}
