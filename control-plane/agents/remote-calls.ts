import type { Method } from '@drawbridge/link/methods.ts';
import type { Db } from '../platform/db/database.ts';
import type { CallOptions, CallOutcome } from './agent-call.ts';
import { answerCall, insertCall, notifyNodes, readCall, takeCall } from './store.ts';

/** An agent, and the tenant it must belong to. */
export interface AgentAddress {
  readonly tenantId: string;
  readonly agentId: string;
}

export interface RemoteCallsContext {
  readonly db: Db;
  newId(): string;
  /** Calls an agent that is connected to this node. */
  callLocally(
    agent: AgentAddress,
    method: Method,
    params: unknown,
    options: CallOptions,
  ): Promise<CallOutcome>;
}

/** Calls from node to node: a row in the database, and a notification to the other node. */
export interface RemoteCalls {
  /** Calls an agent that is connected to another node. */
  call(
    node: string,
    agent: AgentAddress,
    method: Method,
    params: unknown,
    options: CallOptions,
  ): Promise<CallOutcome>;
  /** Makes the call that another node has stored for this one. */
  serve(tenantId: string, id: string): Promise<void>;
  /**
   * Another node answered a call of this node, or no longer waits for one that this node serves.
   */
  answered(id: string): void;
  cancelled(id: string): void;
}

export function createRemoteCalls({ db, newId, callLocally }: RemoteCallsContext): RemoteCalls {
  /**
   * Calls of this node that another node serves, by id: functions to call when one may be answered.
   */
  const waiting = new Map<string, () => void>();
  /** Calls of other nodes that this node serves, by id. */
  const serving = new Map<string, AbortController>();

  return {
    async call(node, { tenantId, agentId }, method, params, { signal, deadlineMs }) {
      const id = newId();
      const over = AbortSignal.timeout(deadlineMs);
      const giveUp = signal ? AbortSignal.any([signal, over]) : over;
      const woken = Promise.withResolvers<void>();
      waiting.set(id, woken.resolve);
      giveUp.addEventListener('abort', () => woken.resolve(), { once: true });
      await db.tenant(tenantId, async (tx) => {
        await insertCall(tx, tenantId, { id, agentId, method, params, node, deadlineMs });
        await notifyNodes(tx, { kind: 'call', node, tenantId, id });
      });
      await woken.promise;
      waiting.delete(id);
      // Also read at the deadline, because the notification of the answer may have been lost.
      const outcome = await db.tenant(tenantId, async (tx) => {
        if (giveUp.aborted) await notifyNodes(tx, { kind: 'cancelled', id });
        return takeCall(tx, tenantId, id);
      });
      return outcome === undefined ? { kind: 'timeout' } : (JSON.parse(outcome) as CallOutcome);
    },
    async serve(tenantId, id) {
      const call = await db.tenant(tenantId, (tx) => readCall(tx, tenantId, id));
      if (call === undefined || serving.has(id)) return;
      const cancelled = new AbortController();
      serving.set(id, cancelled);
      const options = { signal: cancelled.signal, deadlineMs: Math.max(1, call.left_ms) };
      const agent = { tenantId, agentId: call.agent_id };
      const outcome = await callLocally(agent, call.method as Method, call.params, options);
      serving.delete(id);
      if (cancelled.signal.aborted) return;
      await db.tenant(tenantId, async (tx) => {
        await answerCall(tx, tenantId, id, JSON.stringify(outcome));
        await notifyNodes(tx, { kind: 'answered', id });
      });
    },
    answered: (id) => waiting.get(id)?.(),
    cancelled: (id) => serving.get(id)?.abort(),
  };
}
