import { limits } from '@drawbridge/link/limits.ts';
import {
  type CommandMethod,
  isCommandMethod,
  type Method,
  type Params,
} from '@drawbridge/link/methods.ts';
import type { WebSocket } from 'ws';
import { newId } from '../platform/ids.ts';
import type { CallOptions, CallOutcome } from './agent-call.ts';
import { carriedAnswer } from './carried-answers.ts';
import { sendCommand } from './durable-command.ts';
import { Links, type LinksContext } from './links.ts';
import { type NodeMessage, parseNodeMessage } from './node-message.ts';
import { type AgentAddress, createRemoteCalls, type RemoteCalls } from './remote-calls.ts';
import { agentChannel, notifyNodes, readAgent, revokeAgent, sweepCalls } from './store.ts';

export type HubContext = Omit<LinksContext, 'node'>;

/** Access to all agents of the control plane, on whichever node they are linked. */
export interface Hub {
  /**
   * Calls an agent, whichever node it is connected to; always resolves. A command method is
   * queued durably: when the wait for it ends first it stays queued, and the same call finds its
   * outcome later.
   */
  call<M extends Method>(
    agent: AgentAddress,
    method: M,
    params: Params<M>,
    options: CallOptions,
  ): Promise<CallOutcome<M>>;
  /** How many agents are linked to this node. */
  linked(): number;
  /** Takes over a socket that an agent has opened. */
  accept(socket: WebSocket): Promise<void>;
  /** Ends the agent's enrolment and its session; false when the tenant has no such agent. */
  revoke(agent: AgentAddress): Promise<boolean>;
  /**
   * Lets calls under way finish for at most `graceMs` milliseconds, then ends this node's sessions.
   */
  close(graceMs: number): Promise<void>;
}

/** Opens this node's hub. */
export async function openHub(context: HubContext): Promise<Hub> {
  const { db, log, clock, random } = context;
  const node = newId('node', clock, random);
  const links = new Links({ ...context, node });
  const waiters = createWaiters();
  const remoteCalls = createRemoteCalls({
    db,
    newId: () => newId('call', clock, random),
    callLocally: async (agent, method, params, options) =>
      (await links.find(agent)?.call(method, params, options)) ?? { kind: 'offline' },
  });

  /** Renews this node's sessions; after a failure the next heartbeat does. */
  async function sendHeartbeat(): Promise<void> {
    try {
      await links.renewSessions();
      await db.system(sweepCalls);
    } catch (error) {
      log.warn({ err: error }, 'the agents of this node were not marked as seen');
    }
  }

  const handlers = createNodeMessageHandlers(links, remoteCalls, waiters, { node, log });
  const listening = await db.listen(agentChannel, (payload) => {
    const message = parseNodeMessage(payload);
    if (message) handlers[message.kind](message as never);
    // Empty: the connection was lost for a while, so messages may be lost.
    else if (payload === '') void sendHeartbeat();
  });
  const heartbeat = setInterval(() => void sendHeartbeat(), limits.pingMs);

  async function route(
    agent: AgentAddress,
    method: Method,
    params: unknown,
    options: CallOptions,
  ): Promise<CallOutcome> {
    if (isCommandMethod(method)) {
      const queue = { db, newId: () => newId('cmd', clock, random), whenDone: waiters.add };
      return sendCommand(queue, agent, params as Params<CommandMethod>, options);
    }
    const session = links.find(agent);
    if (session) return session.call(method, params, options);
    const { tenantId, agentId } = agent;
    const row = await db.tenant(tenantId, (tx) => readAgent(tx, tenantId, agentId));
    if (!row?.online || row.node === null || row.node === node) {
      const carried = await carriedAnswer(db, agent, method, params);
      return carried ?? { kind: row === undefined ? 'absent' : 'offline' };
    }
    return remoteCalls.call(row.node, agent, method, params, options);
  }

  return {
    // The result was checked against this method's schema, here or on the other node.
    call: async <M extends Method>(...call: Parameters<Hub['call']>) =>
      (await route(...call)) as CallOutcome<M>,
    linked: () => links.size,
    accept: (socket) => links.accept(socket),
    revoke: ({ tenantId, agentId }) =>
      db.tenant(tenantId, async (tx) => {
        const isRevoked = await revokeAgent(tx, tenantId, agentId);
        if (isRevoked) await notifyNodes(tx, { kind: 'revoked', agentId });
        return isRevoked;
      }),
    async close(graceMs) {
      clearInterval(heartbeat);
      await links.close(graceMs);
      await listening.stop();
    },
  };
}

type NodeMessageHandlers = {
  readonly [K in NodeMessage['kind']]: (message: Extract<NodeMessage, { kind: K }>) => void;
};

/** The handler of each message on this node. */
function createNodeMessageHandlers(
  links: Links,
  remoteCalls: RemoteCalls,
  waiters: Waiters,
  { node, log }: Pick<LinksContext, 'node' | 'log'>,
): NodeMessageHandlers {
  return {
    opened: ({ agentId, epoch }) => links.supersede(agentId, epoch),
    revoked: ({ agentId }) => links.end(agentId, 'revoked'),
    command: ({ agentId }) => links.sendCommands(agentId),
    done: ({ id }) => waiters.wake(id),
    call(message) {
      if (message.node !== node) return;
      remoteCalls.serve(message.tenantId, message.id).catch((error: unknown) => {
        log.warn({ err: error }, 'a call of another node was not served'); // its caller gets a timeout
      });
    },
    answered: ({ id }) => remoteCalls.answered(id),
    cancelled: ({ id }) => remoteCalls.cancelled(id),
  };
}

interface Waiters {
  /** Calls `wake` when the command with this id is done; the returned function cancels that. */
  add(id: string, wake: () => void): () => void;
  wake(id: string): void;
}

function createWaiters(): Waiters {
  const waiting = new Map<string, Set<() => void>>();
  return {
    add(id, wake) {
      const waiters = waiting.get(id) ?? new Set();
      waiting.set(id, waiters.add(wake));
      return () => {
        waiters.delete(wake);
        if (waiters.size === 0) waiting.delete(id);
      };
    },
    wake(id) {
      for (const wake of waiting.get(id) ?? []) wake();
    },
  };
}
