import { limits } from '@drawbridge/link/limits.ts';
import type { Method, Params } from '@drawbridge/link/methods.ts';
import type { WebSocket } from 'ws';
import { newId } from '../platform/ids.ts';
import { Links, type LinksEdge } from './links.ts';
import { type Notice, readNotice } from './notice.ts';
import type { CallOptions, CallOutcome } from './outcome.ts';
import { type AgentAddress, createRelay, type Relay, wordOf } from './relay.ts';
import { agentChannel, notify, readAgent, revokeAgent, sweepCalls } from './store.ts';
import { writeBack } from './write-back.ts';

export type HubEdge = Omit<LinksEdge, 'node'>;

/** The agents of the whole control plane, as one node sees them. */
export interface Hub {
  /**
   * Asks an agent, on whichever node it hangs; always resolves. A `connector.writeBack` is queued
   * durably: when the wait for it ends first it stays queued, and the same call finds its outcome
   * later.
   */
  call<M extends Method>(
    agent: AgentAddress,
    method: M,
    params: Params<M>,
    options: CallOptions,
  ): Promise<CallOutcome<M>>;
  /** Takes over a socket that an agent has opened. */
  accept(socket: WebSocket): Promise<void>;
  /** Ends the agent's enrolment and its session; false when the tenant has no such agent. */
  revoke(agent: AgentAddress): Promise<boolean>;
  /** Lets calls in hand finish for at most that long, then ends this node's sessions. */
  close(graceMs: number): Promise<void>;
}

/** Opens this node's hub. */
export async function openHub(edge: HubEdge): Promise<Hub> {
  const { db, log, clock, random } = edge;
  const node = newId('node', clock, random);
  const links = new Links({ ...edge, node });
  const wakes = createWakes();
  const relay = createRelay({
    db,
    newId: () => newId('call', clock, random),
    callHere: async (agent, method, params, options) =>
      (await links.find(agent)?.call(method, params, options)) ?? { kind: 'offline' },
  });

  /** A missed beat is made up for by the next; a database that stays away is seen by everyone. */
  async function beat(): Promise<void> {
    try {
      await links.touch();
      await db.system(sweepCalls);
    } catch (error) {
      log.warn({ err: error }, 'the agents of this node were not marked as seen');
    }
  }

  const hearers = createHearers(links, relay, wakes, { node, log });
  const listening = await db.listen(agentChannel, (payload) => {
    const notice = readNotice(payload);
    if (notice) hearers[notice.kind](notice as never);
    // The connection was lost for a while, and with it what was said meanwhile.
    else if (payload === '') void beat();
  });
  const heart = setInterval(() => void beat(), limits.pingMs);

  async function route(
    agent: AgentAddress,
    method: Method,
    params: unknown,
    options: CallOptions,
  ): Promise<CallOutcome> {
    if (method === 'connector.writeBack') {
      const queue = { db, newId: () => newId('cmd', clock, random), whenDone: wakes.add };
      return writeBack(queue, agent, params as Params<'connector.writeBack'>, options);
    }
    const session = links.find(agent);
    if (session) return session.call(method, params, options);
    const { tenantId, agentId } = agent;
    const row = await db.tenant(tenantId, (tx) => readAgent(tx, tenantId, agentId));
    if (!row?.online || row.node === null || row.node === node) return { kind: 'offline' };
    return relay.call(row.node, agent, method, params, options);
  }

  return {
    // The result was checked against this very method's schema, here or on the other node.
    call: async <M extends Method>(...call: Parameters<Hub['call']>) =>
      (await route(...call)) as CallOutcome<M>,
    accept: (socket) => links.accept(socket),
    revoke: ({ tenantId, agentId }) =>
      db.tenant(tenantId, async (tx) => {
        const isRevoked = await revokeAgent(tx, tenantId, agentId);
        if (isRevoked) await notify(tx, wordOf({ kind: 'revoked', agentId }));
        return isRevoked;
      }),
    async close(graceMs) {
      clearInterval(heart);
      await links.close(graceMs);
      await listening.stop();
    },
  };
}

type Hearers = {
  readonly [K in Notice['kind']]: (notice: Extract<Notice, { kind: K }>) => void;
};

/** What this node does about each notice. */
function createHearers(
  links: Links,
  relay: Relay,
  wakes: Wakes,
  { node, log }: Pick<LinksEdge, 'node' | 'log'>,
): Hearers {
  return {
    opened: ({ agentId, epoch }) => links.supersede(agentId, epoch),
    revoked: ({ agentId }) => links.end(agentId, 'revoked'),
    command: ({ agentId }) => links.pump(agentId),
    done: ({ id }) => wakes.wake(id),
    call(notice) {
      if (notice.node !== node) return;
      relay.serve(notice.tenantId, notice.id).catch((error: unknown) => {
        log.warn({ err: error }, 'a call of another node was not served'); // it sees a timeout
      });
    },
    answered: ({ id }) => relay.answered(id),
    cancelled: ({ id }) => relay.cancelled(id),
  };
}

interface Wakes {
  /** Calls `wake` when the thing with this id is done; the answer takes that back. */
  add(id: string, wake: () => void): () => void;
  wake(id: string): void;
}

function createWakes(): Wakes {
  const waiting = new Map<string, Set<() => void>>();
  return {
    add(id, wake) {
      const wakes = waiting.get(id) ?? new Set();
      waiting.set(id, wakes.add(wake));
      return () => {
        wakes.delete(wake);
        if (wakes.size === 0) waiting.delete(id);
      };
    },
    wake(id) {
      for (const wake of waiting.get(id) ?? []) wake();
    },
  };
}
