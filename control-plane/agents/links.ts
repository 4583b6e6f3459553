import { type CloseReason, closeReasons } from '@drawbridge/link/close-reasons.ts';
import { limits } from '@drawbridge/link/limits.ts';
import type { WebSocket } from 'ws';
import type { SuspendedTenants } from '../platform/auth/suspended-tenants.ts';
import { type Clock, newId, type RandomBytes } from '../platform/ids.ts';
import { BytesUnderWay, type BytesUnderWayLimits } from '../platform/limits/bytes-under-way.ts';
import { outcomeOf, type ReadAnswer } from './agent-call.ts';
import { NodeCredit } from './credit.ts';
import { acceptHandshake, type HandshakeOutcome } from './handshake.ts';
import type { LinkIdentities } from './identities.ts';
import type { AgentAddress } from './remote-calls.ts';
import { AgentSession, unfinishedLengthMax } from './session.ts';
import { createSessionPersistence, type SessionPersistenceContext } from './session-persistence.ts';
import { confirmedSource, findSources } from './source-store.ts';
import { closeSession, findAgent, notifyNodes, openSession, touchSessions } from './store.ts';
import { createTrustedKey } from './trusted-key.ts';

export interface LinksContext extends SessionPersistenceContext {
  readonly identities: Pick<LinkIdentities, 'newest' | 'find' | 'has' | 'onChange'>;
  readonly suspended: Pick<SuspendedTenants, 'has' | 'onSuspended'>;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Without it all answers are read here. */
  readonly readAnswer?: ReadAnswer;
  /** Characters of results that agents have not sent to their end. Default: of one tenant as many as of one agent. */
  readonly unfinishedResults?: BytesUnderWayLimits;
  /** Name of this node. */
  readonly node: string;
}

interface Link extends AgentAddress {
  readonly session: AgentSession;
  /** Resolves when the end of the session is saved. */
  readonly released: Promise<void>;
}

/** Bytes of batches, of all agents of this node, that are not yet stored. */
const unstoredBytesMax = 64 * 1_048_576;
const unfinishedResultsMax = { tenantMax: unfinishedLengthMax, allMax: 4 * unfinishedLengthMax };
/** The most handshakes at the same time. */
const handshakesMax = 1_000;

/** The agents connected to this node, one session each. */
export class Links {
  readonly #context: LinksContext;
  readonly #links = new Map<string, Link>();
  /** Sockets whose handshake is not done. */
  readonly #handshaking = new Set<WebSocket>();
  readonly #credit = new NodeCredit(unstoredBytesMax);
  readonly #results: BytesUnderWay;
  #isClosing = false;

  constructor(context: LinksContext) {
    this.#context = context;
    this.#results = new BytesUnderWay(context.unfinishedResults ?? unfinishedResultsMax);
    context.suspended.onSuspended((tenantId) => this.#endTenant(tenantId));
    context.identities.onChange(() => {
      for (const { session } of this.#links.values()) {
        if (context.identities.has(session.trusts())) session.sendIdentity();
        else session.close('retired_key');
      }
    });
  }

  /** How many agents are connected to this node. */
  get size(): number {
    return this.#links.size;
  }

  /** The open session of the agent on this node, if it belongs to that tenant. */
  find({ tenantId, agentId }: AgentAddress): AgentSession | undefined {
    const link = this.#links.get(agentId);
    return link?.tenantId === tenantId && link.session.isOpen ? link.session : undefined;
  }

  sendCommands(agentId: string): void {
    this.#links.get(agentId)?.session.sendCommands();
  }

  end(agentId: string, name: CloseReason): void {
    this.#links.get(agentId)?.session.close(name);
  }

  /** Ends the agent's session here when it is older than the epoch. */
  supersede(agentId: string, epoch: number): void {
    const session = this.#links.get(agentId)?.session;
    if (session !== undefined && session.epoch < epoch) session.close('superseded');
  }

  /** Runs the handshake on a socket and opens a session. */
  async accept(socket: WebSocket): Promise<void> {
    socket.on('error', () => {}); // a close follows
    if (this.#isClosing || this.#handshaking.size >= handshakesMax)
      return refuse(socket, 'draining');
    this.#handshaking.add(socket);
    try {
      const { db, identities, random } = this.#context;
      const greeted = await acceptHandshake(socket, identities, random, async (id) => {
        const row = await db.system((tx) => findAgent(tx, id));
        if (row === undefined) return undefined;
        const { tenant_id: tenantId, public_key: publicKey } = row;
        return { id: row.id, tenantId, publicKey, controlPlaneKey: row.control_plane_key };
      });
      if (greeted.kind === 'refused') return refuse(socket, greeted.close);
      await this.#link(socket, greeted);
    } catch (error) {
      this.#context.log.info({ err: error }, 'an agent’s handshake was not completed');
      socket.terminate();
    } finally {
      this.#handshaking.delete(socket);
    }
  }

  /**
   * Renews this node's sessions in the database, and ends those whose agent has a newer session.
   */
  async renewSessions(): Promise<void> {
    const links = [...this.#links.values()];
    const sessions = links.map((link) => link.session.id);
    const own = await this.#context.db.system((tx) =>
      touchSessions(tx, this.#context.node, sessions),
    );
    for (const { session } of links) if (!own.has(session.id)) session.close('superseded');
  }

  /** Lets calls under way finish for at most `graceMs` milliseconds, then ends every session. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    for (const socket of this.#handshaking) socket.terminate();
    const links = [...this.#links.values()];
    const grace = Promise.withResolvers<void>();
    const timer = setTimeout(grace.resolve, graceMs);
    await Promise.race([Promise.all(links.map(({ session }) => session.drain())), grace.promise]);
    clearTimeout(timer);
    for (const { session } of links) session.close('draining');
    await Promise.all(links.map(({ released }) => released));
  }

  #endTenant(tenantId: string): void {
    for (const link of this.#links.values()) {
      if (link.tenantId === tenantId) link.session.close('suspended');
    }
  }

  async #link(
    socket: WebSocket,
    { agent, hello, codec, version, identity }: Extract<HandshakeOutcome, { kind: 'proven' }>,
  ): Promise<void> {
    const { db, clock, random, node } = this.#context;
    const { id: agentId, tenantId } = agent;
    if (this.#context.suspended.has(tenantId)) return refuse(socket, 'suspended');
    const session = newId('lnk', clock, random);
    const claim = {
      agentId,
      epoch: hello.epoch,
      node,
      session,
      software: hello.software,
      controlPlaneKey: identity.publicKey,
      agentKey: agent.publicKey,
    };
    const opening = await db.tenant(tenantId, async (tx) => {
      const given = await openSession(tx, tenantId, claim);
      if (given === undefined) return undefined;
      await notifyNodes(tx, { kind: 'opened', agentId, epoch: given });
      const rows = await findSources(tx, tenantId, agentId, limits.sourcesMax);
      return { epoch: given, sources: rows.map(confirmedSource) };
    });
    if (opening === undefined) return refuse(socket, 'superseded');
    const { epoch, sources } = opening;
    if (this.#isClosing) return refuse(socket, 'draining');
    // Two copies may arrive here at the same time: the one with the newer epoch stays, in either
    // order.
    const known = this.#links.get(agentId)?.session;
    if (known !== undefined && known.epoch > epoch) return refuse(socket, 'superseded');
    this.supersede(agentId, epoch);
    const { publicKey: agentKey } = agent;
    const welcome = {
      id: session,
      agentId,
      agentKey,
      epoch,
      serverTime: clock(),
      version,
      sources,
    };
    const persistence = createSessionPersistence(this.#context, { tenantId, agentId }, session);
    const trustedKey = createTrustedKey(this.#context.identities, identity, version);
    const { readAnswer = async (_, method, text) => outcomeOf(method, text) } = this.#context;
    const opened = new AgentSession(
      socket,
      codec,
      persistence,
      trustedKey,
      this.#credit,
      {
        take: (length) => this.#results.take(tenantId, length) === 'taken',
        giveBack: (length) => this.#results.giveBack(tenantId, length),
      },
      (method, text) => readAnswer(tenantId, method, text),
      welcome,
    );
    const link = {
      tenantId,
      agentId,
      session: opened,
      released: this.#release(opened, agent.tenantId, agentId),
    };
    this.#links.set(agentId, link);
    // It may have been suspended, or its key retired, while this session was being opened.
    if (this.#context.suspended.has(tenantId)) opened.close('suspended');
    if (!this.#context.identities.has(identity.publicKey)) opened.close('retired_key');
    this.#context.log.info({ agentId, epoch }, 'an agent is linked');
  }

  async #release(session: AgentSession, tenantId: string, agentId: string): Promise<void> {
    const close = await session.ended;
    if (this.#links.get(agentId)?.session === session) this.#links.delete(agentId);
    this.#context.log.info({ agentId, close }, 'an agent’s link has ended');
    try {
      await this.#context.db.tenant(tenantId, (tx) => closeSession(tx, tenantId, session.id));
    } catch (error) {
      // If this fails the session expires, because it is no longer renewed.
      this.#context.log.warn({ err: error, agentId }, 'the end of a link was not saved');
    }
  }
}

function refuse(socket: WebSocket, name: CloseReason): void {
  socket.close(closeReasons[name].code, closeReasons[name].reason);
}
