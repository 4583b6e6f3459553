import type { ReportedStatus } from '../../../channels/voice-contract.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { insertMany } from '../../../platform/db/insert.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { CallRateTerms } from '../rates/price.ts';

/** `unknown`: the outcome was never reported. */
type LegStatus = ReportedStatus | 'unknown';

export interface LegRow {
  readonly id: string;
  readonly call_id: string;
  /** From 2 on: the call itself is number 1. */
  readonly number: number;
  readonly document: number;
  readonly node: string;
  readonly to_address: string;
  readonly provider_leg_id: string | null;
  readonly status: LegStatus;
  readonly cause: string | null;
  /** Null: no rate has this number. */
  readonly rate: CallRateTerms | null;
  readonly started_at: Date;
  readonly answered_at: Date | null;
  readonly ended_at: Date | null;
  readonly duration_seconds: number | null;
  readonly billed_seconds: number | null;
  readonly cost: string | null;
}

const columns = `id, call_id, number, document, node, to_address, provider_leg_id, status, cause,
  rate, started_at, answered_at, ended_at, duration_seconds, billed_seconds,
  trim_scale(cost)::text as cost`;

const inserted = {
  id: 'text',
  tenant_id: 'uuid',
  environment: 'text',
  call_id: 'text',
  number: 'int',
  document: 'int',
  node: 'text',
  to_address: 'text',
  provider_leg_id: 'text',
  status: 'text',
  cause: 'text',
  rate: 'jsonb',
  started_at: 'timestamptz',
  answered_at: 'timestamptz',
  ended_at: 'timestamptz',
  duration_seconds: 'int',
  billed_seconds: 'int',
  cost: 'numeric',
} as const;

export async function insertLegs(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  legs: readonly LegRow[],
): Promise<void> {
  const rows = legs.map((leg) => ({ ...leg, tenant_id: tenantId, environment }));
  await insertMany(tx, 'voice_call_leg', inserted, rows);
}

/**
 * The parties that the call dialled, in order; to change them, the caller must lock the call's row.
 */
export function findLegs(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  callId: string,
): Promise<LegRow[]> {
  return tx.rows(
    `select ${columns} from voice_call_leg
     where tenant_id = $1 and environment = $2 and call_id = $3 order by number`,
    [tenantId, environment, callId],
  );
}

/** Saves the state of the leg; its call's row must be locked. */
export async function updateLeg(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  leg: LegRow,
): Promise<void> {
  await tx.run(
    `update voice_call_leg set provider_leg_id = $4, status = $5, cause = $6, answered_at = $7,
       ended_at = $8, duration_seconds = $9, billed_seconds = $10, cost = $11
     where tenant_id = $1 and environment = $2 and id = $3`,
    [
      tenantId,
      environment,
      leg.id,
      leg.provider_leg_id,
      leg.status,
      leg.cause,
      leg.answered_at,
      leg.ended_at,
      leg.duration_seconds,
      leg.billed_seconds,
      leg.cost,
    ],
  );
}

/** The sums over a call's legs, stored in the call's row. */
export interface LegTotals {
  readonly id: string;
  readonly reserved: string;
  readonly legs_reserved: string;
  readonly legs_cost: string;
  readonly legs_open: number;
  readonly cost: string | null;
}

/** Saves the sums over the legs; the call's row must be locked. */
export async function updateLegTotals(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  call: LegTotals,
): Promise<void> {
  await tx.run(
    `update voice_call set reserved = $4, legs_reserved = $5, legs_cost = $6, legs_open = $7,
       cost = $8
     where tenant_id = $1 and environment = $2 and id = $3`,
    [
      tenantId,
      environment,
      call.id,
      call.reserved,
      call.legs_reserved,
      call.legs_cost,
      call.legs_open,
      call.cost,
    ],
  );
}
