import type { z } from 'zod';
import type { Tx } from '../../../platform/db/tx.ts';
import type { profile } from '../../invoices/schema.ts';

/** How many people it takes to put something into use. */
export interface ApprovalPolicy {
  readonly mappings: 'one' | 'two';
  readonly live_submission: 'one' | 'two';
}

/** One person is enough until a tenant says otherwise. */
export async function findApprovalPolicy(tx: Tx, tenantId: string): Promise<ApprovalPolicy> {
  const row = await tx.row<ApprovalPolicy>(
    'select mappings, live_submission from approval_policy where tenant_id = $1',
    [tenantId],
  );
  return row ?? { mappings: 'one', live_submission: 'one' };
}

/** As `findApprovalPolicy`, and nobody else changes it before the transaction ends. */
export async function lockApprovalPolicy(
  tx: Tx,
  tenantId: string,
  now: Date,
): Promise<ApprovalPolicy> {
  // A row that is not there cannot be locked.
  const row = await tx.row<ApprovalPolicy>(
    `insert into approval_policy (tenant_id, mappings, live_submission, updated_at)
     values ($1, 'one', 'one', $2)
     on conflict (tenant_id) do update set updated_at = approval_policy.updated_at
     returning mappings, live_submission`,
    [tenantId, now],
  );
  return row!;
}

export async function saveApprovalPolicy(
  tx: Tx,
  tenantId: string,
  { mappings, live_submission }: ApprovalPolicy,
  now: Date,
): Promise<void> {
  await tx.run(
    `insert into approval_policy (tenant_id, mappings, live_submission, updated_at)
     values ($1, $2, $3, $4)
     on conflict (tenant_id) do update
       set mappings = excluded.mappings, live_submission = excluded.live_submission,
         updated_at = excluded.updated_at`,
    [tenantId, mappings, live_submission, now],
  );
}

interface WaitingRow {
  readonly connector_id: string;
  readonly connector_name: string;
  /** Ids of people, and of keys that nobody in particular made. */
  readonly put_forward_by: readonly string[];
  readonly since: Date;
}

/** Mappings with fields that are put forward and not approved, the newest first. */
export function listProposedMappings(
  tx: Tx,
  tenantId: string,
  max: number,
): Promise<
  (WaitingRow & { readonly profile: z.output<typeof profile>; readonly fields: number })[]
> {
  return tx.rows(
    `select m.connector_id, c.name as connector_name, m.profile, proposed.fields,
       proposed.put_forward_by, m.updated_at as since
     from mapping m
     join connector c on c.tenant_id = m.tenant_id and c.id = m.connector_id
     cross join lateral (
       select count(*)::int as fields,
         coalesce(array_agg(distinct field ->> 'proposed_by')
           filter (where field ->> 'proposed_by' is not null), '{}') as put_forward_by
       from jsonb_array_elements(m.document -> 'fields') field
       where field ->> 'status' = 'proposed') proposed
     where m.tenant_id = $1 and c.deleted_at is null and proposed.fields > 0
     order by m.updated_at desc limit $2`,
    [tenantId, max],
  );
}

/** Connectors of bridge agents of which no field is approved for their own profile, the newest first. */
export function listUnmappedConnectors(
  tx: Tx,
  tenantId: string,
  max: number,
): Promise<(WaitingRow & { readonly profile: z.output<typeof profile> })[]> {
  return tx.rows(
    `select c.id as connector_id, c.name as connector_name, c.default_profile as profile,
       '{}'::text[] as put_forward_by, c.created_at as since
     from connector c
     where c.tenant_id = $1 and c.deleted_at is null and c.pattern = 'agent'
       and c.default_profile is not null and not exists (
         select from mapping m
         cross join jsonb_array_elements(m.document -> 'fields') field
         where m.tenant_id = $1 and m.connector_id = c.id and m.profile = c.default_profile
           and field ->> 'status' = 'approved')
     order by c.created_at desc limit $2`,
    [tenantId, max],
  );
}

/** Connectors that submit by themselves in the live environment, and hold what they submit; the newest first. */
export function listHeldSubmissions(
  tx: Tx,
  tenantId: string,
  max: number,
): Promise<(WaitingRow & { readonly submit_from: string })[]> {
  return tx.rows(
    `select id as connector_id, name as connector_name, submit_from ->> 'live' as submit_from,
       array_remove(array[live_set_by], null) as put_forward_by, updated_at as since
     from connector
     where tenant_id = $1 and deleted_at is null and submit_from ? 'live'
       and submission -> 'live' ? 'hold'
     order by updated_at desc limit $2`,
    [tenantId, max],
  );
}

/** The names of members and keys, by id; of others there is none. */
export async function findNames(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.rows<{ readonly id: string; readonly name: string }>(
    `select u.id, u.name from member m join user_account u on u.id = m.user_id
     where m.tenant_id = $1 and m.user_id = any($2)
     union all select id, name from api_key where tenant_id = $1 and id = any($2)`,
    [tenantId, ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
