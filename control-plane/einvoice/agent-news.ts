import { agentSettings } from '@drawbridge/connectors/agent/settings.ts';
import type { AgentNews } from '../agents/desk.ts';
import { type Environment, environments } from '../platform/auth/principal.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import { openSettings } from './connectors/open.ts';
import { type ConnectorRow, findWatched } from './connectors/store.ts';
import type { Arrival } from './pipeline/arrivals.ts';
import { awaitedOf } from './pipeline/store.ts';

/** Invoices that an agent's return calls for at once; further ones come when they are due anyway. */
const awaitedMax = 10_000;

/** What agents say that moves invoices on. */
export function agentNews(jobs: Jobs, secrets: Secrets): AgentNews {
  return {
    linked: async (tx, { tenantId, agentId }) => {
      const ids = await awaitedOf(tx, tenantId, agentId, awaitedMax);
      await jobs.hasten(tx, tenantId, 'invoice', ids);
    },
    writtenBack: async (tx, { tenantId }, key) => {
      await jobs.move(tx, tenantId, { queue: 'write-back', key });
    },
    documentsChanged: async (tx, { tenantId, agentId, id, connector, refs }) => {
      const watched = await findWatched(tx, tenantId, agentId);
      const told = watched.filter((row) => isRead(secrets, row, connector));
      const arrivals = told.flatMap((row) =>
        environments
          .filter((environment) => row.submit_from[environment] !== undefined)
          .flatMap((environment) => refs.map((ref) => arrivalOf(id, environment, row.id, ref))),
      );
      await jobs.enqueue(tx, tenantId, arrivals);
    },
  };
}

/** The row stands for the source that the agent knows by this name. */
function isRead(secrets: Secrets, row: ConnectorRow, name: string): boolean {
  return agentSettings.parse(JSON.parse(openSettings(secrets, row))).connector === name;
}

/** Each time a document is told of is a job of its own: a later change must not be lost in it. */
function arrivalOf(eventId: string, environment: Environment, connector: string, ref: string) {
  const payload: Arrival = { environment, connector, ref };
  const key = `${environment} ${connector} ${eventId} ${ref}`;
  return { queue: 'arrival', key, payload };
}
