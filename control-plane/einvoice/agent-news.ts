import type { AgentNews } from '../agents/desk.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { awaitedOf } from './pipeline/store.ts';

/** Invoices that an agent's return calls for at once; further ones come when they are due anyway. */
const awaitedMax = 10_000;

/** What agents say that moves invoices on. */
export function agentNews(jobs: Jobs): AgentNews {
  return {
    linked: async (tx, { tenantId, agentId }) => {
      const ids = await awaitedOf(tx, tenantId, agentId, awaitedMax);
      await jobs.hasten(tx, tenantId, 'invoice', ids);
    },
    writtenBack: async (tx, { tenantId }, key) => {
      await jobs.move(tx, tenantId, { queue: 'write-back', key });
    },
    // What is an invoice to send, the client's own call to POST /v1/invoices decides.
    documentsChanged: async () => {},
  };
}
