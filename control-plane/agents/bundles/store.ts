import type { BundleFile } from '@drawbridge/link/bundle.ts';
import type { Tx } from '../../platform/db/tx.ts';

type Direction = 'from_agent' | 'to_agent';

export interface BundleRow {
  readonly direction: Direction;
  readonly number: number;
  readonly digest: string;
  readonly messages: number;
  /** Of one to the agent: up to which bundle from it this is the receipt. */
  readonly acknowledges: number;
  readonly made_at: Date;
  readonly taken_at: Date | null;
}

const columns = 'direction, number, digest, messages, acknowledges, made_at, taken_at';

/** An agent, held until the transaction ends: of its bundles one is handled at a time. */
export async function lockAgent(
  tx: Tx,
  tenantId: string,
  agentId: string,
): Promise<{ public_key: string; control_plane_key: string | null } | undefined> {
  return tx.row(
    `select public_key, control_plane_key from agent
     where tenant_id = $1 and id = $2 and revoked_at is null for update`,
    [tenantId, agentId],
  );
}

/** By direction, the newest first. */
export async function listBundles(
  tx: Tx,
  tenantId: string,
  agentId: string,
  max: number,
): Promise<BundleRow[]> {
  return tx.rows(
    `select ${columns} from agent_bundle
     where tenant_id = $1 and agent_id = $2 order by direction, number desc limit $3`,
    [tenantId, agentId, max],
  );
}

/** The newest bundle of a direction; undefined before the first. */
export async function lastBundle(
  tx: Tx,
  tenantId: string,
  agentId: string,
  direction: Direction,
): Promise<BundleRow | undefined> {
  return tx.row(
    `select ${columns} from agent_bundle
     where tenant_id = $1 and agent_id = $2 and direction = $3 order by number desc limit 1`,
    [tenantId, agentId, direction],
  );
}

/** The digest of a bundle that was taken here. */
export async function digestTaken(
  tx: Tx,
  tenantId: string,
  agentId: string,
  number: number,
): Promise<string | undefined> {
  const row = await tx.row<{ digest: string }>(
    `select digest from agent_bundle
     where tenant_id = $1 and agent_id = $2 and direction = 'from_agent' and number = $3`,
    [tenantId, agentId, number],
  );
  return row?.digest;
}

export async function insertTaken(
  tx: Tx,
  tenantId: string,
  bundle: { agentId: string; number: number; digest: string; messages: number; madeAt: string },
): Promise<void> {
  await tx.run(
    `insert into agent_bundle (tenant_id, agent_id, direction, number, digest, messages, made_at, taken_at)
     values ($1, $2, 'from_agent', $3, $4, $5, $6, now())`,
    [tenantId, bundle.agentId, bundle.number, bundle.digest, bundle.messages, bundle.madeAt],
  );
}

export async function insertMade(
  tx: Tx,
  tenantId: string,
  bundle: {
    agentId: string;
    digest: string;
    messages: number;
    acknowledges: number;
    file: BundleFile;
    commands: readonly string[];
    /** The key of the control plane that it leads the agent to. */
    identity: string | null;
  },
): Promise<void> {
  const { number, created_at: madeAt } = bundle.file;
  await tx.run(
    `insert into agent_bundle
       (tenant_id, agent_id, direction, number, digest, messages, acknowledges, made_at, file, commands, identity)
     values ($1, $2, 'to_agent', $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      tenantId,
      bundle.agentId,
      number,
      bundle.digest,
      bundle.messages,
      bundle.acknowledges,
      madeAt,
      JSON.stringify(bundle.file),
      bundle.commands,
      bundle.identity,
    ],
  );
}

/** The file of a bundle to the agent; null when the agent has taken it, undefined when there is none. */
export async function readFile(
  tx: Tx,
  tenantId: string,
  agentId: string,
  number: number,
): Promise<BundleFile | null | undefined> {
  const row = await tx.row<{ file: BundleFile | null }>(
    `select file from agent_bundle
     where tenant_id = $1 and agent_id = $2 and direction = 'to_agent' and number = $3`,
    [tenantId, agentId, number],
  );
  return row?.file;
}

/** Marks the bundles up to that number as taken by the agent; returns the ids of their commands. */
export async function markTaken(
  tx: Tx,
  tenantId: string,
  agentId: string,
  upTo: number,
): Promise<string[]> {
  const rows = await tx.rows<{ commands: string[] }>(
    `with taken as (
       select number, commands from agent_bundle
       where tenant_id = $1 and agent_id = $2 and direction = 'to_agent' and number <= $3
         and taken_at is null
     )
     update agent_bundle b set taken_at = now(), file = null from taken
     where b.tenant_id = $1 and b.agent_id = $2 and b.direction = 'to_agent'
       and b.number = taken.number
     returning taken.commands`,
    [tenantId, agentId, upTo],
  );
  return rows.flatMap(({ commands }) => commands);
}

/**
 * Commands that the agent has not got, and that no bundle brings it; oldest first, as many as fit into
 * `bytesMax`, and one in any case.
 */
export async function commandsToCarry(
  tx: Tx,
  tenantId: string,
  agentId: string,
  { max, bytesMax }: { readonly max: number; readonly bytesMax: number },
): Promise<{ id: string; params: unknown }[]> {
  return tx.rows(
    `with waiting as (
       select number, id, params from agent_command c
       where tenant_id = $1 and agent_id = $2 and outcome is null and received_at is null
         and not exists (
           select from agent_bundle b
           where b.tenant_id = $1 and b.agent_id = $2 and b.direction = 'to_agent'
             and b.taken_at is null and c.id = any(b.commands))
       order by number limit $3
     ), sized as (
       select number, id, params, row_number() over (order by number) as place,
         sum(octet_length(params::text) + ${frameBytes}) over (order by number) as bytes
       from waiting
     )
     select id, params from sized where place = 1 or bytes <= $4 order by number`,
    [tenantId, agentId, max, bytesMax],
  );
}

/** Bytes of a command's frame beside its content, and more. */
const frameBytes = 256;

/** Whether a bundle leads the agent to that key of the control plane. */
export async function isIdentityOffered(
  tx: Tx,
  tenantId: string,
  agentId: string,
  publicKey: string,
): Promise<boolean> {
  const row = await tx.row(
    `select 1 from agent_bundle
     where tenant_id = $1 and agent_id = $2 and direction = 'to_agent' and identity = $3 limit 1`,
    [tenantId, agentId, publicKey],
  );
  return row !== undefined;
}

/** Notes that the agent was heard of, by which key it is known, and which one of the control plane it trusts. */
export async function noteAgent(
  tx: Tx,
  tenantId: string,
  agentId: string,
  keys: { publicKey: string; controlPlaneKey: string },
): Promise<void> {
  await tx.run(
    `update agent set seen_at = now(), public_key = $3, control_plane_key = $4
     where tenant_id = $1 and id = $2`,
    [tenantId, agentId, keys.publicKey, keys.controlPlaneKey],
  );
}
