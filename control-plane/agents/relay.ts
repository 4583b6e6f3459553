import type { Method } from '@drawbridge/link/methods.ts';
import type { Db } from '../platform/db/database.ts';
import type { Notice } from './notice.ts';
import type { CallOptions, CallOutcome } from './outcome.ts';
import { answerCall, insertCall, notify, readCall, takeCall } from './store.ts';

/** An agent, and the tenant it must belong to. */
export interface AgentAddress {
  readonly tenantId: string;
  readonly agentId: string;
}

export interface RelayEdge {
  readonly db: Db;
  newId(): string;
  /** Asks an agent that hangs on this node. */
  callHere(
    agent: AgentAddress,
    method: Method,
    params: unknown,
    options: CallOptions,
  ): Promise<CallOutcome>;
}

/** Calls from node to node: a row in the database, and a word to the other node. */
export interface Relay {
  /** Asks an agent that hangs on another node. */
  call(
    node: string,
    agent: AgentAddress,
    method: Method,
    params: unknown,
    options: CallOptions,
  ): Promise<CallOutcome>;
  /** Does the call that waits in a row for this node. */
  serve(tenantId: string, id: string): Promise<void>;
  /** Another node has answered a call of ours, or no longer waits for one that we have. */
  answered(id: string): void;
  cancelled(id: string): void;
}

export function createRelay({ db, newId, callHere }: RelayEdge): Relay {
  /** Calls of ours that another node has: woken when they may be answered. */
  const waiting = new Map<string, () => void>();
  /** Calls of other nodes that we have. */
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
        await notify(tx, wordOf({ kind: 'call', node, tenantId, id }));
      });
      await woken.promise;
      waiting.delete(id);
      // Also at the deadline: the word of an answer is lost when the database was.
      const outcome = await db.tenant(tenantId, async (tx) => {
        if (giveUp.aborted) await notify(tx, wordOf({ kind: 'cancelled', id }));
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
      const outcome = await callHere(agent, call.method as Method, call.params, options);
      serving.delete(id);
      if (cancelled.signal.aborted) return;
      await db.tenant(tenantId, async (tx) => {
        await answerCall(tx, tenantId, id, JSON.stringify(outcome));
        await notify(tx, wordOf({ kind: 'answered', id }));
      });
    },
    answered: (id) => waiting.get(id)?.(),
    cancelled: (id) => serving.get(id)?.abort(),
  };
}

export function wordOf(notice: Notice): string {
  return JSON.stringify(notice);
}
