import { type CloseName, closes } from '@drawbridge/link/closes.ts';
import type { WebSocket } from 'ws';
import { type Clock, newId, type RandomBytes } from '../platform/ids.ts';
import { createDesk, type DeskEdge } from './desk.ts';
import { type Greeted, greet } from './handshake.ts';
import type { LinkIdentity } from './identity.ts';
import { type AgentAddress, wordOf } from './relay.ts';
import { AgentSession } from './session.ts';
import { closeSession, findAgent, notify, openSession, touchSessions } from './store.ts';

export interface LinksEdge extends DeskEdge {
  readonly identity: LinkIdentity;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Name of this node. */
  readonly node: string;
}

interface Link extends AgentAddress {
  readonly session: AgentSession;
  /** Resolves when the database knows that the session is over. */
  readonly released: Promise<void>;
}

/** Sockets that may stand open without having proven who they are. */
const greetingMax = 1_000;

/** The agents that hang on this node, one session each. */
export class Links {
  readonly #edge: LinksEdge;
  readonly #links = new Map<string, Link>();
  /** Sockets that have not proven who they are. */
  readonly #greeting = new Set<WebSocket>();
  #isClosing = false;

  constructor(edge: LinksEdge) {
    this.#edge = edge;
  }

  /** The agent's session here, if it has an open one and is that tenant's. */
  find({ tenantId, agentId }: AgentAddress): AgentSession | undefined {
    const link = this.#links.get(agentId);
    return link?.tenantId === tenantId && link.session.isOpen ? link.session : undefined;
  }

  pump(agentId: string): void {
    this.#links.get(agentId)?.session.pump();
  }

  end(agentId: string, name: CloseName): void {
    this.#links.get(agentId)?.session.close(name);
  }

  /** Ends the agent's session here when it is older than the epoch. */
  supersede(agentId: string, epoch: number): void {
    const session = this.#links.get(agentId)?.session;
    if (session !== undefined && session.epoch < epoch) session.close('superseded');
  }

  /** Lets the agent at the other end prove itself, and gives it a session. */
  async accept(socket: WebSocket): Promise<void> {
    socket.on('error', () => {}); // a close follows
    if (this.#isClosing || this.#greeting.size >= greetingMax) return refuse(socket, 'draining');
    this.#greeting.add(socket);
    try {
      const { db, identity, random } = this.#edge;
      const greeted = await greet(socket, identity, random, async (id) => {
        const row = await db.system((tx) => findAgent(tx, id));
        return row && { id: row.id, tenantId: row.tenant_id, publicKey: row.public_key };
      });
      if (greeted.kind === 'refused') return refuse(socket, greeted.close);
      await this.#link(socket, greeted);
    } catch (error) {
      this.#edge.log.info({ err: error }, 'an agent’s handshake was not completed');
      socket.terminate();
    } finally {
      this.#greeting.delete(socket);
    }
  }

  /**
   * Tells the database that this node's sessions live, and ends those that are no longer their
   * agents' own.
   */
  async touch(): Promise<void> {
    const links = [...this.#links.values()];
    const sessions = links.map((link) => link.session.id);
    const own = await this.#edge.db.system((tx) => touchSessions(tx, this.#edge.node, sessions));
    for (const { session } of links) if (!own.has(session.id)) session.close('superseded');
  }

  /** Lets calls in hand finish for at most that long, then ends every session. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    for (const socket of this.#greeting) socket.terminate();
    const links = [...this.#links.values()];
    const grace = Promise.withResolvers<void>();
    const timer = setTimeout(grace.resolve, graceMs);
    await Promise.race([Promise.all(links.map(({ session }) => session.drain())), grace.promise]);
    clearTimeout(timer);
    for (const { session } of links) session.close('draining');
    await Promise.all(links.map(({ released }) => released));
  }

  async #link(
    socket: WebSocket,
    { agent, hello, line }: Extract<Greeted, { kind: 'proven' }>,
  ): Promise<void> {
    const { db, clock, random, node } = this.#edge;
    const { id: agentId, tenantId } = agent;
    const session = newId('lnk', clock, random);
    const claim = { agentId, epoch: hello.epoch, node, session, software: hello.software };
    const epoch = await db.tenant(tenantId, async (tx) => {
      const given = await openSession(tx, tenantId, claim);
      if (given) await notify(tx, wordOf({ kind: 'opened', agentId, epoch: given }));
      return given;
    });
    if (epoch === undefined) return refuse(socket, 'superseded');
    if (this.#isClosing) return refuse(socket, 'draining');
    // Two copies may get here side by side: the one with the newer epoch stays, whichever comes
    // last.
    const known = this.#links.get(agentId)?.session;
    if (known !== undefined && known.epoch > epoch) return refuse(socket, 'superseded');
    this.supersede(agentId, epoch);
    const welcome = { id: session, epoch, serverTime: clock() };
    const desk = createDesk(this.#edge, { tenantId, agentId });
    const opened = new AgentSession(socket, line, desk, welcome);
    const link = {
      tenantId,
      agentId,
      session: opened,
      released: this.#release(opened, agent.tenantId, agentId),
    };
    this.#links.set(agentId, link);
    this.#edge.log.info({ agentId, epoch }, 'an agent is linked');
  }

  async #release(session: AgentSession, tenantId: string, agentId: string): Promise<void> {
    const close = await session.ended;
    if (this.#links.get(agentId)?.session === session) this.#links.delete(agentId);
    this.#edge.log.info({ agentId, close }, 'an agent’s link has ended');
    try {
      await this.#edge.db.tenant(tenantId, (tx) => closeSession(tx, tenantId, session.id));
    } catch (error) {
      // It counts as gone all the same once it is no longer seen.
      this.#edge.log.warn({ err: error, agentId }, 'the end of a link was not written down');
    }
  }
}

function refuse(socket: WebSocket, name: CloseName): void {
  socket.close(closes[name].code, closes[name].reason);
}
