import type { DocumentsRead as DocumentsReadMessage } from '@drawbridge/link/documents.ts';
import { topics } from '@drawbridge/link/topics.ts';
import type { Db } from '../platform/db/database.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { Log } from '../platform/log/log.ts';
import type { AgentAddress } from './remote-calls.ts';
import type { SessionPersistence } from './session.ts';
import { advanceSource, saveReconciliation } from './source-store.ts';
import { saveStatus } from './status-store.ts';
import {
  confirmEpoch,
  finishCommand,
  insertEvent,
  markReceived,
  notifyNodes,
  saveAnswer,
  setAgentKey,
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

/** Documents of a watched connector that are new or changed, with their content. */
export interface DocumentsRead extends AgentAddress, DocumentsReadMessage {
  /** The event's id. */
  readonly id: string;
}

/** Handlers of agents' events; each runs in the transaction that acknowledges the event. */
export interface AgentEventHandlers {
  /** An agent is connected again. */
  linked(tx: Tx, agent: AgentAddress): Promise<void>;
  /** Called once for each event, however often the agent sends it. */
  documentsChanged(tx: Tx, changed: DocumentsChanged): Promise<void>;
  /** As `documentsChanged`, from agents of version 4 on. */
  documentsRead(tx: Tx, read: DocumentsRead): Promise<void>;
  /** The command with this idempotency key has its outcome. */
  commandDone(tx: Tx, agent: AgentAddress, key: string): Promise<void>;
}

export interface SessionPersistenceContext {
  readonly db: Db;
  readonly log: Log;
  readonly eventHandlers: AgentEventHandlers;
}

/** What an agent tells, once it is known by its id. */
export interface ToldEvent {
  readonly id: string;
  readonly topic: string;
  readonly body: unknown;
}

/** Takes an event that came over a link or in a bundle; one that is known already changes nothing. */
export async function takeEvent(
  tx: Tx,
  { log, eventHandlers }: Pick<SessionPersistenceContext, 'log' | 'eventHandlers'>,
  agent: AgentAddress,
  { id, topic, body }: ToldEvent,
): Promise<void> {
  const { tenantId, agentId } = agent;
  // Acknowledged also when it does not read, because otherwise the agent would send it again for ever.
  const unread = () => log.warn({ agentId, topic }, 'an event of an agent does not read');
  switch (topic) {
    case 'command.done':
      return commandDone(tx, eventHandlers, agent, id, body);
    case 'documents.changed': {
      const { data } = topics[topic].safeParse(body);
      if (data === undefined) return unread();
      const isNew = await insertEvent(tx, tenantId, { agentId, id, topic, body: data });
      if (isNew) await eventHandlers.documentsChanged(tx, { ...agent, id, ...data });
      return;
    }
    case 'documents.read': {
      const { data } = topics[topic].safeParse(body);
      if (data === undefined) return unread();
      if (!(await advanceSource(tx, tenantId, agentId, data))) return;
      const { content: _, ...told } = data;
      await insertEvent(tx, tenantId, { agentId, id, topic, body: told });
      return eventHandlers.documentsRead(tx, { ...agent, id, ...data });
    }
    case 'source.reconciled': {
      const { data } = topics[topic].safeParse(body);
      if (data === undefined) return unread();
      const { connector, late, edited, deleted } = data;
      if (late + edited + deleted > 0) {
        const differences = { agentId, connector, late, edited, deleted };
        log.warn(differences, 'a source differs from what was read');
      }
      await insertEvent(tx, tenantId, { agentId, id, topic, body: data });
      return saveReconciliation(tx, tenantId, agentId, data);
    }
    case 'call.answered': {
      const { data } = topics[topic].safeParse(body);
      if (data === undefined) return unread();
      const { method, params, result } = data;
      const ref = 'ref' in params ? params.ref : '';
      const { connector } = params;
      return saveAnswer(tx, tenantId, { agentId, method, connector, ref, result });
    }
    default:
      return unread();
  }
}

const tooLarge = {
  kind: 'unreachable',
  fault: {
    code: 'too_large',
    message: 'The command is too large for a bridge agent.',
    retry: 'never',
  },
};

async function commandDone(
  tx: Tx,
  eventHandlers: AgentEventHandlers,
  agent: AgentAddress,
  id: string,
  body: unknown,
): Promise<void> {
  const read = topics['command.done'].safeParse(body);
  const fault = {
    code: 'result_invalid',
    message: 'The agent’s answer to the command does not read.',
    retry: 'never',
  };
  const outcome = read.success ? read.data : { kind: 'unreachable', fault };
  const key = await finishCommand(tx, agent.tenantId, agent.agentId, id, outcome);
  if (key !== undefined) await eventHandlers.commandDone(tx, agent, key);
  await notifyNodes(tx, { kind: 'done', id });
}

/** Saves what the sessions of one agent receive. */
export function createSessionPersistence(
  context: SessionPersistenceContext,
  agent: AgentAddress,
  session: string,
): SessionPersistence {
  const { db, eventHandlers } = context;
  const { tenantId, agentId } = agent;
  return {
    commandTooLarge: (id) =>
      db.tenant(tenantId, (tx) => commandDone(tx, eventHandlers, agent, id, tooLarge)),
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
    key: (publicKey) =>
      db.tenant(tenantId, async (tx) => {
        if (!(await setAgentKey(tx, tenantId, agentId, session, publicKey))) {
          throw new Error('a newer session of the agent has taken the place of this one');
        }
      }),
    status: (status) => db.tenant(tenantId, (tx) => saveStatus(tx, tenantId, agentId, status)),
    event: (id, topic, body) =>
      db.tenant(tenantId, (tx) => takeEvent(tx, context, agent, { id, topic, body })),
  };
}
