import { topics } from '@drawbridge/link/methods.ts';
import type { Db } from '../platform/db/database.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { Log } from '../platform/log/log.ts';
import { type AgentAddress, wordOf } from './relay.ts';
import type { Desk } from './session.ts';
import {
  confirmEpoch,
  finishCommand,
  insertEvent,
  markReceived,
  notify,
  unfinishedCommands,
} from './store.ts';

/** Documents of a watched connector that are new or changed, oldest first. */
export interface DocumentsChanged extends AgentAddress {
  /** The event's own. */
  readonly id: string;
  readonly connector: string;
  readonly refs: readonly string[];
}

/** What follows from what agents say; each is part of the transaction that acknowledges it. */
export interface AgentNews {
  /** An agent is there again, ready to be asked. */
  linked(tx: Tx, agent: AgentAddress): Promise<void>;
  /** Called once an event, however often it comes. */
  documentsChanged(tx: Tx, news: DocumentsChanged): Promise<void>;
  /** The write-back with this idempotency key has its outcome. */
  writtenBack(tx: Tx, agent: AgentAddress, key: string): Promise<void>;
}

export interface DeskEdge {
  readonly db: Db;
  readonly log: Log;
  readonly news: AgentNews;
}

/** What one agent's sessions commit. */
export function createDesk({ db, log, news }: DeskEdge, agent: AgentAddress): Desk {
  const { tenantId, agentId } = agent;

  async function commandDone(id: string, body: unknown): Promise<void> {
    const read = topics['command.done'].safeParse(body);
    const fault = {
      code: 'result_invalid',
      message: 'The agent’s answer to the write-back does not read.',
      retry: 'never',
    };
    const outcome = read.success ? read.data : { kind: 'unreachable', fault };
    await db.tenant(tenantId, async (tx) => {
      const key = await finishCommand(tx, tenantId, agentId, id, outcome);
      if (key !== undefined) await news.writtenBack(tx, agent, key);
      await notify(tx, wordOf({ kind: 'done', id }));
    });
  }

  return {
    ready: (epoch) =>
      db.tenant(tenantId, async (tx) => {
        await confirmEpoch(tx, tenantId, agentId, epoch);
        await news.linked(tx, agent);
      }),
    commands: (after, max) =>
      db.tenant(tenantId, (tx) => unfinishedCommands(tx, tenantId, agentId, after, max)),
    received: (ids) => db.tenant(tenantId, (tx) => markReceived(tx, tenantId, ids)),
    async event(id, topic, body) {
      if (topic === 'command.done') return commandDone(id, body);
      const read = topics['documents.changed'].safeParse(body);
      if (topic !== 'documents.changed' || !read.success) {
        // Acknowledged all the same: an agent would bring it again for ever.
        return log.warn({ agentId, topic }, 'an event of an agent does not read');
      }
      await db.tenant(tenantId, async (tx) => {
        const isNew = await insertEvent(tx, tenantId, { agentId, id, topic, body: read.data });
        if (isNew) await news.documentsChanged(tx, { ...agent, id, ...read.data });
      });
    },
  };
}
