import type { Pattern } from '@drawbridge/connectors/contract.ts';
import type { SubmissionPolicy } from '@drawbridge/lifecycle/submission-policy.ts';
import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import { type KeysetRange, newestFirst } from '../../platform/db/keyset.ts';
import type { Tx } from '../../platform/db/tx.ts';

export interface ConnectorRow {
  readonly id: string;
  readonly pattern: Pattern;
  readonly kind: string;
  readonly name: string;
  readonly agent_id: string | null;
  readonly default_profile: string | null;
  readonly duplicates: 'warn' | 'reject';
  /** Sealed JSON. */
  readonly settings: string;
  /** By environment: the day of issue from which documents are submitted automatically. */
  readonly submit_from: Readonly<Partial<Record<Environment, string>>>;
  /** By environment: its documents are those of suppliers, and may be imported somewhere. */
  readonly receives: Readonly<Partial<Record<Environment, ReceivedHere>>>;
  /** By environment: what it asks for before documents are submitted. */
  readonly submission: Readonly<Partial<Record<Environment, SubmissionPolicy>>>;
  /** Who last changed `submit_from` or `submission` in the live environment. */
  readonly live_set_by: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** What becomes of documents of suppliers that a connector finds. */
interface ReceivedHere {
  /** The connector into which they are imported by themselves. */
  readonly import_to?: string | undefined;
}

const columns = `id, pattern, kind, name, agent_id, default_profile, duplicates, settings,
  submit_from, receives, submission, live_set_by, created_at, updated_at`;

export async function insertConnector(
  tx: Tx,
  tenantId: string,
  row: Omit<ConnectorRow, 'updated_at' | 'live_set_by'>,
): Promise<void> {
  await tx.run(
    `insert into connector (tenant_id, ${columns})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, null, $13, $13)`,
    [
      tenantId,
      row.id,
      row.pattern,
      row.kind,
      row.name,
      row.agent_id,
      row.default_profile,
      row.duplicates,
      row.settings,
      JSON.stringify(row.submit_from),
      JSON.stringify(row.receives),
      JSON.stringify(row.submission),
      row.created_at,
    ],
  );
}

export function findConnectors(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<ConnectorRow[]> {
  return tx.rows<ConnectorRow>(
    `select ${columns} from connector
     where tenant_id = $1 and id = any($2) and deleted_at is null`,
    [tenantId, ids],
  );
}

/** The connector, which nobody else changes until the transaction ends. */
export function lockConnector(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<ConnectorRow | undefined> {
  return tx.row<ConnectorRow>(
    `select ${columns} from connector
     where tenant_id = $1 and id = $2 and deleted_at is null for update`,
    [tenantId, id],
  );
}

/** What the connector asks for now, in each environment; also of one that was deleted. */
export async function findSubmissionPolicies(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<ConnectorRow['submission']> {
  const row = await tx.row<Pick<ConnectorRow, 'submission'>>(
    'select submission from connector where tenant_id = $1 and id = $2',
    [tenantId, id],
  );
  return row?.submission ?? {};
}

/** Connectors that an agent reads and whose changed documents are wanted. */
export function findWatched(tx: Tx, tenantId: string, agentId: string): Promise<ConnectorRow[]> {
  return tx.rows<ConnectorRow>(
    `select ${columns} from connector
     where tenant_id = $1 and agent_id = $2 and deleted_at is null
       and (submit_from <> '{}' or receives <> '{}')`,
    [tenantId, agentId],
  );
}

/** Newest first. */
export function listConnectors(
  tx: Tx,
  tenantId: string,
  page: KeysetRange,
): Promise<ConnectorRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  return tx.rows<ConnectorRow>(
    `select ${columns} from connector
     where tenant_id = $1 and deleted_at is null and ${where('id', '$2')}
     order by id ${order} limit $3`,
    [tenantId, key, rowsMax],
  );
}

/** Null leaves a column as it is. */
export interface ConnectorChange {
  readonly name: string | null;
  readonly agent_id: string | null;
  readonly default_profile: string | null;
  readonly duplicates: string | null;
  readonly settings: string | null;
  /** A day of null ends automatic submission in that environment. */
  readonly submit_from: Readonly<Partial<Record<Environment, string | null>>> | null;
  /** Null ends it in that environment. */
  readonly receives: Readonly<Partial<Record<Environment, ReceivedHere | null>>> | null;
  /** Null ends it in that environment. */
  readonly submission: Readonly<Partial<Record<Environment, SubmissionPolicy | null>>> | null;
  readonly live_set_by: string | null;
}

export function updateConnector(
  tx: Tx,
  tenantId: string,
  id: string,
  change: ConnectorChange,
  now: Date,
): Promise<ConnectorRow | undefined> {
  return tx.row<ConnectorRow>(
    `update connector set name = coalesce($3, name), agent_id = coalesce($4, agent_id),
       default_profile = coalesce($5, default_profile), duplicates = coalesce($6, duplicates),
       settings = coalesce($7, settings), updated_at = $8,
       submit_from = jsonb_strip_nulls(submit_from || coalesce($9, '{}'::jsonb)),
       receives = jsonb_strip_nulls(receives || coalesce($10, '{}'::jsonb)),
       submission = jsonb_strip_nulls(submission || coalesce($11, '{}'::jsonb)),
       live_set_by = coalesce($12, live_set_by)
     where tenant_id = $1 and id = $2 and deleted_at is null returning ${columns}`,
    [
      tenantId,
      id,
      change.name,
      change.agent_id,
      change.default_profile,
      change.duplicates,
      change.settings,
      now,
      change.submit_from === null ? null : JSON.stringify(change.submit_from),
      change.receives === null ? null : JSON.stringify(change.receives),
      change.submission === null ? null : JSON.stringify(change.submission),
      change.live_set_by,
    ],
  );
}

/**
 * Hides a connector and returns how many there were, 0 or 1. Its mappings are kept for the record;
 * its settings, which may hold secrets, are deleted.
 */
export function hideConnector(tx: Tx, tenantId: string, id: string, now: Date): Promise<number> {
  return tx.run(
    `update connector set deleted_at = $3, settings = ''
     where tenant_id = $1 and id = $2 and deleted_at is null`,
    [tenantId, id, now],
  );
}

export interface MappingRow {
  readonly connector_id: string;
  readonly profile: string;
  readonly version: number;
  readonly document: Mapping;
  readonly updated_at: Date;
}

export function findMappings(
  tx: Tx,
  tenantId: string,
  connectorIds: readonly string[],
): Promise<MappingRow[]> {
  return tx.rows<MappingRow>(
    `select connector_id, profile, version, document, updated_at from mapping
     where tenant_id = $1 and connector_id = any($2)`,
    [tenantId, connectorIds],
  );
}

/** A mapping with what was last approved of it. */
export interface KeptMapping extends Pick<MappingRow, 'version' | 'document'> {
  readonly approved: Pick<Mapping, 'fields'> | null;
  /** Who last changed what it says. */
  readonly changed_by: string | null;
}

export function findMapping(
  tx: Tx,
  tenantId: string,
  connectorId: string,
  profile: string,
): Promise<KeptMapping | undefined> {
  return tx.row<KeptMapping>(
    `select version, document, approved, changed_by from mapping
     where tenant_id = $1 and connector_id = $2 and profile = $3`,
    [tenantId, connectorId, profile],
  );
}

/**
 * Writes the mapping, of that version, unless it changed since; returns the new version, or undefined when
 * it changed.
 */
export async function saveMapping(
  tx: Tx,
  tenantId: string,
  connectorId: string,
  profile: string,
  { version, document, approved, changed_by }: KeptMapping,
  now: Date,
): Promise<number | undefined> {
  const row = await tx.row<{ version: number }>(
    `insert into mapping (tenant_id, connector_id, profile, document, approved, updated_at, changed_by)
     values ($1, $2, $3, $4, $7, $6, $8)
     on conflict (tenant_id, connector_id, profile) do update
       set document = excluded.document, approved = excluded.approved, changed_by = excluded.changed_by,
         version = mapping.version + 1, updated_at = $6
       where mapping.version = $5
     returning version`,
    [
      tenantId,
      connectorId,
      profile,
      JSON.stringify(document),
      version,
      now,
      JSON.stringify(approved),
      changed_by,
    ],
  );
  return row?.version;
}
