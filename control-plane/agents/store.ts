import type { Tx } from '../platform/db/tx.ts';
import type { NodeMessage } from './node-message.ts';

/** The NOTIFY channel for messages about agents; the payload is a `NodeMessage` as JSON. */
export const agentChannel = 'agent';

/** Seconds after which a session that was not renewed no longer counts. */
const seenSeconds = 45;

const isOnline = `(session is not null and seen_at > now() - interval '${seenSeconds} seconds')`;
const agentColumns = `id, hostname, software, enrolled_at, seen_at, node, ${isOnline} as online`;

export interface AgentRow {
  readonly id: string;
  readonly hostname: string;
  readonly software: string;
  readonly enrolled_at: Date;
  readonly seen_at: Date | null;
  readonly node: string | null;
  readonly online: boolean;
}

export interface CommandRow {
  readonly number: number;
  readonly id: string;
  readonly params: unknown;
}

export interface CallRow {
  readonly id: string;
  readonly agent_id: string;
  readonly method: string;
  readonly params: unknown;
  readonly left_ms: number;
}

export async function insertToken(
  tx: Tx,
  tenantId: string,
  token: { hash: Uint8Array; hostname: string | null; lifeSeconds: number },
): Promise<Date> {
  // Those of before are of no use to anybody.
  const row = await tx.row<{ expires_at: Date }>(
    `with gone as (delete from enrolment_token where tenant_id = $2 and expires_at < now())
     insert into enrolment_token (hash, tenant_id, hostname, expires_at)
     values ($1, $2, $3, now() + make_interval(secs => $4)) returning expires_at`,
    [token.hash, tenantId, token.hostname, token.lifeSeconds],
  );
  return row!.expires_at;
}

/**
 * Uses a token to add an agent and returns its tenant; undefined when the token is unknown, used,
 * expired or of another host.
 */
export async function enrolAgent(
  tx: Tx,
  agent: {
    tokenHash: Uint8Array;
    id: string;
    hostname: string;
    key: string;
    software: string;
    /** The control plane's, as the agent is told it. */
    controlPlaneKey: string;
  },
): Promise<string | undefined> {
  const row = await tx.row<{ tenant_id: string }>(
    'select * from enrol_agent($1, $2, $3, $4, $5, $6)',
    [agent.tokenHash, agent.id, agent.hostname, agent.key, agent.software, agent.controlPlaneKey],
  );
  return row?.tenant_id;
}

/** An agent of any tenant that is not revoked; for the handshake only. */
export async function findAgent(
  tx: Tx,
  id: string,
): Promise<
  | { id: string; tenant_id: string; public_key: string; control_plane_key: string | null }
  | undefined
> {
  return tx.row('select * from find_agent($1)', [id]);
}

/** The tenant's agents that are not revoked, oldest first. */
export async function listAgents(tx: Tx, tenantId: string, max: number): Promise<AgentRow[]> {
  return tx.rows(
    `select ${agentColumns} from agent where tenant_id = $1 and revoked_at is null
     order by enrolled_at, id limit $2`,
    [tenantId, max],
  );
}

export async function readAgent(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<AgentRow | undefined> {
  return tx.row(
    `select ${agentColumns} from agent where tenant_id = $1 and id = $2 and revoked_at is null`,
    [tenantId, id],
  );
}

/** The control plane's key that the agent trusts, as far as it has said; undefined when there is no such agent. */
export async function readTrustedKey(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<{ readonly control_plane_key: string | null } | undefined> {
  return tx.row(
    'select control_plane_key from agent where tenant_id = $1 and id = $2 and revoked_at is null',
    [tenantId, id],
  );
}

/** False when the tenant has no such agent. */
export async function revokeAgent(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  const changed = await tx.run(
    `update agent set revoked_at = now(), node = null, session = null
     where tenant_id = $1 and id = $2 and revoked_at is null`,
    [tenantId, id],
  );
  return changed === 1;
}

/**
 * Gives the agent the next epoch; undefined when it is refused. The epoch it claims may be older
 * than the latest one given, if it never stored that. It may not be older than one that is known to
 * be stored: then another copy of the agent is newer. It may be newer than any given here: then this
 * database was restored from a backup.
 */
export async function openSession(
  tx: Tx,
  tenantId: string,
  claim: {
    agentId: string;
    epoch: number;
    node: string;
    session: string;
    software: string;
    /** The one that it has just shown to trust. */
    controlPlaneKey: string;
    /** Its own, which it has just proven; another session may have changed it meanwhile. */
    agentKey: string;
  },
): Promise<number | undefined> {
  const row = await tx.row<{ epoch: number }>(
    `update agent set epoch = greatest(epoch, $3) + 1, node = $4, session = $5, software = $6,
       seen_at = now(), control_plane_key = $7
     where tenant_id = $1 and id = $2 and revoked_at is null
       and $3 >= confirmed_epoch and public_key = $8
     returning epoch`,
    [
      tenantId,
      claim.agentId,
      claim.epoch,
      claim.node,
      claim.session,
      claim.software,
      claim.controlPlaneKey,
      claim.agentKey,
    ],
  );
  return row?.epoch;
}

export async function confirmEpoch(
  tx: Tx,
  tenantId: string,
  agentId: string,
  epoch: number,
): Promise<void> {
  await tx.run(
    `update agent set confirmed_epoch = greatest(confirmed_epoch, $3)
     where tenant_id = $1 and id = $2`,
    [tenantId, agentId, epoch],
  );
}

/** Saves which key of the control plane the agent trusts. */
export async function setControlPlaneKey(
  tx: Tx,
  tenantId: string,
  agentId: string,
  publicKey: string,
): Promise<void> {
  await tx.run('update agent set control_plane_key = $3 where tenant_id = $1 and id = $2', [
    tenantId,
    agentId,
    publicKey,
  ]);
}

/** Has the agent known by another key, as this session asks; false when it is not the agent's newest. */
export async function setAgentKey(
  tx: Tx,
  tenantId: string,
  agentId: string,
  session: string,
  publicKey: string,
): Promise<boolean> {
  const changed = await tx.run(
    `update agent set public_key = $4
     where tenant_id = $1 and id = $2 and session = $3 and revoked_at is null`,
    [tenantId, agentId, session, publicKey],
  );
  return changed === 1;
}

/** Ends a session, unless a newer one has replaced it. */
export async function closeSession(tx: Tx, tenantId: string, session: string): Promise<void> {
  await tx.run(
    `update agent set node = null, session = null, seen_at = now()
     where tenant_id = $1 and session = $2`,
    [tenantId, session],
  );
}

/** Renews the node's sessions; returns those that no newer session has replaced. */
export async function touchSessions(
  tx: Tx,
  node: string,
  sessions: string[],
): Promise<Set<string>> {
  const rows = await tx.rows<{ touch_agents: string }>('select touch_agents($1, $2)', [
    node,
    sessions,
  ]);
  return new Set(rows.map((row) => row.touch_agents));
}

export async function sweepCalls(tx: Tx): Promise<void> {
  await tx.run('select sweep_agent_calls()');
}

/** Deletes up to `max` events of all agents that were received before an instant; returns how many. */
export async function pruneEvents(tx: Tx, before: Date, max: number): Promise<number> {
  const row = await tx.row<{ count: number }>('select prune_agent_events($1, $2) as count', [
    before,
    max,
  ]);
  return row!.count;
}

/** Deletes up to `max` documents of all agents that were carried here before an instant; returns how many. */
export async function pruneAnswers(tx: Tx, before: Date, max: number): Promise<number> {
  const row = await tx.row<{ count: number }>('select prune_agent_answers($1, $2) as count', [
    before,
    max,
  ]);
  return row!.count;
}

/** Deletes up to `max` commands of all agents that ended before an instant; returns how many. */
export async function pruneCommands(tx: Tx, before: Date, max: number): Promise<number> {
  const row = await tx.row<{ count: number }>('select prune_agent_commands($1, $2) as count', [
    before,
    max,
  ]);
  return row!.count;
}

/**
 * Makes the commands of an agent commit in the order of their numbers. A session reads on from the
 * last number it saw, so a command that committed late would be skipped.
 */
export async function orderCommands(tx: Tx, agentId: string): Promise<void> {
  await tx.run(`select pg_advisory_xact_lock(hashtextextended('agent_command ' || $1, 0))`, [
    agentId,
  ]);
}

/**
 * Queues a command; one that was given back without being written is queued again. Undefined when
 * it is known already.
 */
export async function insertCommand(
  tx: Tx,
  tenantId: string,
  command: { id: string; agentId: string; connector: string; key: string; params: unknown },
): Promise<{ id: string } | undefined> {
  return tx.row(
    `insert into agent_command as known
       (id, tenant_id, agent_id, connector, idempotency_key, params)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (tenant_id, agent_id, connector, idempotency_key) do update
     set id = excluded.id, params = excluded.params, number = default, created_at = now(),
         received_at = null, outcome = null, done_at = null
     where known.outcome->>'kind' = 'unreachable'
     returning id`,
    [
      command.id,
      tenantId,
      command.agentId,
      command.connector,
      command.key,
      JSON.stringify(command.params),
    ],
  );
}

export async function readCommand(
  tx: Tx,
  tenantId: string,
  command: { agentId: string; connector: string; key: string },
): Promise<{ id: string; outcome: unknown } | undefined> {
  return tx.row(
    `select id, outcome from agent_command
     where tenant_id = $1 and agent_id = $2 and connector = $3 and idempotency_key = $4`,
    [tenantId, command.agentId, command.connector, command.key],
  );
}

/** Commands without an outcome that are numbered above `after`, oldest first. */
export async function unfinishedCommands(
  tx: Tx,
  tenantId: string,
  agentId: string,
  after: number,
  max: number,
): Promise<CommandRow[]> {
  return tx.rows(
    `select number, id, params from agent_command
     where tenant_id = $1 and agent_id = $2 and number > $3 and outcome is null
     order by number limit $4`,
    [tenantId, agentId, after, max],
  );
}

export async function markReceived(tx: Tx, tenantId: string, ids: string[]): Promise<void> {
  await tx.run(
    `update agent_command set received_at = coalesce(received_at, now())
     where tenant_id = $1 and id = any($2)`,
    [tenantId, ids],
  );
}

/** Saves a command's first outcome and returns its idempotency key; undefined when it had one. */
export async function finishCommand(
  tx: Tx,
  tenantId: string,
  agentId: string,
  id: string,
  outcome: unknown,
): Promise<string | undefined> {
  const row = await tx.row<{ idempotency_key: string }>(
    `update agent_command set outcome = $4, done_at = now()
     where tenant_id = $1 and agent_id = $2 and id = $3 and outcome is null
     returning idempotency_key`,
    [tenantId, agentId, id, JSON.stringify(outcome)],
  );
  return row?.idempotency_key;
}

/** Saves an event's id; false when the event is known. */
export async function insertEvent(
  tx: Tx,
  tenantId: string,
  event: { agentId: string; id: string; topic: string; body: unknown },
): Promise<boolean> {
  const added = await tx.run(
    `insert into agent_event (tenant_id, agent_id, id, topic, body) values ($1, $2, $3, $4, $5)
     on conflict do nothing`,
    [tenantId, event.agentId, event.id, event.topic, JSON.stringify(event.body)],
  );
  return added === 1;
}

/** Keeps an answer that was carried here, in place of an older one to the same question. */
export async function saveAnswer(
  tx: Tx,
  tenantId: string,
  answer: { agentId: string; method: string; connector: string; ref: string; result: unknown },
): Promise<void> {
  await tx.run(
    `insert into agent_answer (tenant_id, agent_id, method, connector, ref, result)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (tenant_id, agent_id, method, connector, ref) do update
     set result = excluded.result, carried_at = now()`,
    [
      tenantId,
      answer.agentId,
      answer.method,
      answer.connector,
      answer.ref,
      JSON.stringify(answer.result),
    ],
  );
}

/** Answers that were carried here, by ref. */
export async function findAnswers(
  tx: Tx,
  tenantId: string,
  question: { agentId: string; method: string; connector: string; refs: readonly string[] },
): Promise<Map<string, unknown>> {
  const rows = await tx.rows<{ ref: string; result: unknown }>(
    `select ref, result from agent_answer
     where tenant_id = $1 and agent_id = $2 and method = $3 and connector = $4 and ref = any($5)`,
    [tenantId, question.agentId, question.method, question.connector, question.refs],
  );
  return new Map(rows.map(({ ref, result }) => [ref, result]));
}

export async function insertCall(
  tx: Tx,
  tenantId: string,
  call: {
    id: string;
    agentId: string;
    method: string;
    params: unknown;
    node: string;
    deadlineMs: number;
  },
): Promise<void> {
  await tx.run(
    `insert into agent_call (id, tenant_id, agent_id, method, params, node, deadline_at)
     values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7 / 1000.0))`,
    [
      call.id,
      tenantId,
      call.agentId,
      call.method,
      JSON.stringify(call.params),
      call.node,
      call.deadlineMs,
    ],
  );
}

/** Reads a call that is not answered and whose caller still waits. */
export async function readCall(tx: Tx, tenantId: string, id: string): Promise<CallRow | undefined> {
  return tx.row(
    `select id, agent_id, method, params,
       (extract(epoch from deadline_at - now()) * 1000)::int as left_ms
     from agent_call where tenant_id = $1 and id = $2 and outcome is null and deadline_at > now()`,
    [tenantId, id],
  );
}

export async function answerCall(
  tx: Tx,
  tenantId: string,
  id: string,
  outcome: string,
): Promise<void> {
  await tx.run('update agent_call set outcome = $3 where tenant_id = $1 and id = $2', [
    tenantId,
    id,
    outcome,
  ]);
}

/** Deletes a call; returns its outcome as JSON text, if there is one. */
export async function takeCall(tx: Tx, tenantId: string, id: string): Promise<string | undefined> {
  const row = await tx.row<{ outcome: string | null }>(
    'delete from agent_call where tenant_id = $1 and id = $2 returning outcome',
    [tenantId, id],
  );
  return row?.outcome ?? undefined;
}

/** Sends a message to every node, once the transaction commits. */
export async function notifyNodes(tx: Tx, message: NodeMessage): Promise<void> {
  await tx.run(`select pg_notify('${agentChannel}', $1)`, [JSON.stringify(message)]);
}
