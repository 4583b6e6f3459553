import { agentSettings } from '@drawbridge/connectors/agent/settings.ts';
import type { AgentEventHandlers } from '../agents/session-persistence.ts';
import { type Environment, environments } from '../platform/auth/principal.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import { openSettings } from './connectors/open-connectors.ts';
import { type ConnectorRow, findWatched } from './connectors/store.ts';
import type { ChangedDocumentJobPayload } from './pipeline/changed-documents/changed-documents.ts';
import { findInvoicesAwaitingAgent } from './pipeline/store.ts';
import { sourceJob } from './received/from-source.ts';
import { documentOfImport, importQueue } from './received/import-jobs.ts';

/** How many invoices are run at once when their agent is back; the others run when they are due. */
const awaitedMax = 10_000;

/** Handles the events of agents that concern invoices. */
export function agentEventHandlers(jobs: Jobs, secrets: Secrets): AgentEventHandlers {
  return {
    linked: async (tx, { tenantId, agentId }) => {
      const ids = await findInvoicesAwaitingAgent(tx, tenantId, agentId, awaitedMax);
      await jobs.runNow(tx, tenantId, 'invoice', ids);
    },
    commandDone: async (tx, { tenantId }, key) => {
      const imported = documentOfImport(key);
      const job =
        imported === undefined
          ? { queue: 'write-back', key }
          : { queue: importQueue, key: imported };
      await jobs.changeRunAt(tx, tenantId, job);
    },
    documentsChanged: async (tx, { tenantId, agentId, id, connector, refs }) => {
      const watched = await findWatched(tx, tenantId, agentId);
      const sources = watched.filter((row) => isSourceOf(secrets, row, connector));
      const changes = sources.flatMap((row) =>
        environments
          .filter((environment) => row.submit_from[environment] !== undefined)
          .flatMap((environment) => refs.map((ref) => jobOf(id, environment, row.id, ref))),
      );
      const received = sources.flatMap((row) =>
        environments
          .filter((environment) => row.receives[environment] !== undefined)
          .flatMap((environment) => refs.map((ref) => sourceJob(id, environment, row.id, ref))),
      );
      await jobs.enqueue(tx, tenantId, [...changes, ...received]);
    },
  };
}

/** Whether the row is the source that the agent knows by this name. */
function isSourceOf(secrets: Secrets, row: ConnectorRow, name: string): boolean {
  return agentSettings.parse(JSON.parse(openSettings(secrets, row))).connector === name;
}

/** Each report of a document is a separate job, so that a later change is not lost. */
function jobOf(eventId: string, environment: Environment, connector: string, ref: string) {
  const payload: ChangedDocumentJobPayload = { environment, connector, ref };
  const key = `${environment} ${connector} ${eventId} ${ref}`;
  return { queue: 'changed-document', key, payload };
}
