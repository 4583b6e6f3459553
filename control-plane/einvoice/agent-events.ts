import { agentSettings } from '@drawbridge/connectors/agent/settings.ts';
import type { AgentEventHandlers } from '../agents/session-persistence.ts';
import { type Environment, environments } from '../platform/auth/principal.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import { openSettings } from './connectors/open-connectors.ts';
import { type ConnectorRow, findWatched } from './connectors/store.ts';
import type { ChangedDocumentJobPayload } from './pipeline/changed-documents/changed-documents.ts';
import { insertBatch } from './pipeline/changed-documents/store.ts';
import { findInvoicesAwaitingAgent } from './pipeline/store.ts';
import type { PipelineJobPayload } from './pipeline/work-item.ts';
import { sourceJob } from './received/from-source.ts';
import { documentOfImport, importQueue, lateImportJob } from './received/import-jobs.ts';
import { findGivenUp } from './received/store.ts';

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
      if (imported === undefined) {
        await jobs.changeRunAt(tx, tenantId, { queue: 'write-back', key });
        return;
      }
      if (await jobs.changeRunAt(tx, tenantId, { queue: importQueue, key: imported })) return;
      // Carried by hand, an outcome may come after it was given up.
      const row = await findGivenUp(tx, tenantId, imported);
      const late = row && lateImportJob(row, key);
      if (late !== undefined) await jobs.enqueue(tx, tenantId, [late]);
    },
    documentsChanged: async (tx, { tenantId, agentId, id, connector, refs }) => {
      const watched = await findWatched(tx, tenantId, agentId);
      const sources = watched.filter((row) => isSourceOf(secrets, row, connector));
      const changes = sources.flatMap((row) =>
        environments
          .filter((environment) => row.submit_from[environment] !== undefined)
          .flatMap((environment) => refs.map((ref) => jobOf(id, environment, row.id, ref))),
      );
      const received = sources.flatMap((row) => receivedJobs(row, id, refs));
      await jobs.enqueue(tx, tenantId, [...changes, ...received]);
    },
    documentsRead: async (tx, { tenantId, agentId, id, connector, refs, content }) => {
      const watched = await findWatched(tx, tenantId, agentId);
      const bytes = Buffer.from(content, 'base64');
      for (const row of watched) {
        if (!isSourceOf(secrets, row, connector)) continue;
        for (const environment of environments) {
          if (row.submit_from[environment] === undefined) continue;
          const batch = { id: `${id} ${row.id} ${environment}`, environment, connector_id: row.id };
          await insertBatch(tx, tenantId, { ...batch, refs, content: bytes });
          const payload: PipelineJobPayload = { environment };
          await jobs.enqueue(tx, tenantId, [{ queue: 'document-batch', key: batch.id, payload }]);
        }
        await jobs.enqueue(tx, tenantId, receivedJobs(row, id, refs));
      }
    },
  };
}

/** Whether the row is the source that the agent knows by this name. */
function isSourceOf(secrets: Secrets, row: ConnectorRow, name: string): boolean {
  return agentSettings.parse(JSON.parse(openSettings(secrets, row))).connector === name;
}

/** Documents of a source of suppliers' documents are received, in each environment that wants them. */
function receivedJobs(row: ConnectorRow, eventId: string, refs: readonly string[]) {
  return environments
    .filter((environment) => row.receives[environment] !== undefined)
    .flatMap((environment) => refs.map((ref) => sourceJob(eventId, environment, row.id, ref)));
}

/** Each report of a document is a separate job, so that a later change is not lost. */
function jobOf(eventId: string, environment: Environment, connector: string, ref: string) {
  const payload: ChangedDocumentJobPayload = { environment, connector, ref };
  const key = `${environment} ${connector} ${eventId} ${ref}`;
  return { queue: 'changed-document', key, payload };
}
