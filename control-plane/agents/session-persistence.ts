import { topics } from '@drawbridge/link/methods.ts';
import type { Db } from '../platform/db/database.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { Log } from '../platform/log/log.ts';
import type { AgentAddress } from './remote-calls.ts';
import type { SessionPersistence } from './session.ts';
import {
  confirmEpoch,
  finishCommand,
  insertEvent,
  markReceived,
  notifyNodes,
  setControlPlaneKey,
  unfinishedCommands,
} from './store.ts';

/** Documents of a watched connector that are new or changed, oldest first. */
export interface DocumentsChanged extends AgentAddress {
  /** The event's id. */
  readonly id: string;
  readonly connector: string;
  readonly refs: readonly string[];
}

/** Handlers of agents' events; each runs in the transaction that acknowledges the event. */
export interface AgentEventHandlers {
  /** An agent is connected again. */
  linked(tx: Tx, agent: AgentAddress): Promise<void>;
  /** Called once for each event, however often the agent sends it. */
  documentsChanged(tx: Tx, changed: DocumentsChanged): Promise<void>;
  /** The command with this idempotency key has its outcome. */
  commandDone(tx: Tx, agent: AgentAddress, key: string): Promise<void>;
}

export interface SessionPersistenceContext {
  readonly db: Db;
  readonly log: Log;
  readonly eventHandlers: AgentEventHandlers;
}

/** Saves what the sessions of one agent receive. */
export function createSessionPersistence(
  { db, log, eventHandlers }: SessionPersistenceContext,
  agent: AgentAddress,
): SessionPersistence {
  const { tenantId, agentId } = agent;

  async function commandDone(id: string, body: unknown): Promise<void> {
    const read = topics['command.done'].safeParse(body);
    const fault = {
      code: 'result_invalid',
      message: 'The agent’s answer to the command does not read.',
      retry: 'never',
    };
    const outcome = read.success ? read.data : { kind: 'unreachable', fault };
    await db.tenant(tenantId, async (tx) => {
      const key = await finishCommand(tx, tenantId, agentId, id, outcome);
      if (key !== undefined) await eventHandlers.commandDone(tx, agent, key);
      await notifyNodes(tx, { kind: 'done', id });
    });
  }

  return {
    ready: (epoch) =>
      db.tenant(tenantId, async (tx) => {
        await confirmEpoch(tx, tenantId, agentId, epoch);
        await eventHandlers.linked(tx, agent);
      }),
    commands: (after, max) =>
      db.tenant(tenantId, (tx) => unfinishedCommands(tx, tenantId, agentId, after, max)),
    received: (ids) => db.tenant(tenantId, (tx) => markReceived(tx, tenantId, ids)),
    trusts: (publicKey) =>
      db.tenant(tenantId, (tx) => setControlPlaneKey(tx, tenantId, agentId, publicKey)),
    async event(id, topic, body) {
      if (topic === 'command.done') return commandDone(id, body);
      const read = topics['documents.changed'].safeParse(body);
      if (topic !== 'documents.changed' || !read.success) {
        // Acknowledged all the same, because otherwise the agent would send it again for ever.
        return log.warn({ agentId, topic }, 'an event of an agent does not read');
      }
      await db.tenant(tenantId, async (tx) => {
        const isNew = await insertEvent(tx, tenantId, { agentId, id, topic, body: read.data });
        if (isNew) await eventHandlers.documentsChanged(tx, { ...agent, id, ...read.data });
      });
    },
  };
}
