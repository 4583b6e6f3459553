/** New contacts of a piece whose number is an identifier of another contact. */
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { byPhone } from '../schema.ts';
import type { PieceWriting, RefusedContact } from './store.ts';

export interface HeldNumber {
  /** Of the new contact. */
  readonly id: string;
  readonly phone: string;
  /** The contact that has the number as an identifier. */
  readonly holder: string;
}

/** Those among the new contacts; `ids` are separated by commas. */
export function listHeld(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  ids: string,
): Promise<HeldNumber[]> {
  return tx.rows(
    `select c.id, c.phone, i.contact_id as holder from contact c
     cross join lateral (select contact_id from contact_identity
       where tenant_id = $1 and environment = $2 and channel = any($4::text[])
         and external_id = c.phone and contact_id <> c.id
       order by contact_id limit 1) i
     where c.tenant_id = $1 and c.environment = $2 and c.id = any(string_to_array($3, ','))`,
    [tenantId, environment, ids, byPhone],
  );
}

/**
 * Gives the holders what they lack of what the piece says of their numbers: as in a merge, a value of their own
 * stays. Returns what was left out because they would have too many attributes.
 */
export async function completeHolders(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { importId, piece, attributesMax, now }: PieceWriting,
  held: readonly HeldNumber[],
): Promise<RefusedContact[]> {
  const row = await tx.row<{ refused: RefusedContact[] }>(
    `with given as materialized (
       select g.*, h.holder from contact_import_piece p
       cross join lateral jsonb_to_recordset(p.rows)
         as g (phone text, name text, attributes jsonb, segments jsonb, lines jsonb)
       join unnest($6::text[], $7::text[]) as h (phone, holder) using (phone)
       where p.tenant_id = $1 and p.import_id = $3 and p.partition = $4 and p.piece = $5),
     said as (
       select holder, (array_agg(name order by phone) filter (where name is not null))[1] as name,
         (select coalesce(jsonb_object_agg(e.key, e.value), '{}') from given o
          cross join lateral jsonb_each(o.attributes) e where o.holder = g.holder) as attributes
       from given g group by holder),
     completed as (
       update contact c set name = coalesce(c.name, s.name),
         attributes = s.attributes || c.attributes, updated_at = $8
       from said s where c.tenant_id = $1 and c.environment = $2 and c.id = s.holder
         and (select count(*) from jsonb_object_keys(s.attributes || c.attributes)) <= $9
       returning c.id),
     entered as (
       insert into contact_segment (tenant_id, environment, segment_id, contact_id)
       select $1, $2, s.id, c.id from given g join completed c on c.id = g.holder
       cross join lateral jsonb_array_elements_text(g.segments) as e (name)
       join segment s on s.tenant_id = $1 and s.environment = $2 and s.name = e.name
         and s.query is null
       on conflict do nothing)
     select coalesce(jsonb_agg(to_jsonb(g) - 'holder'), '[]') as refused from given g
     where holder not in (select id from completed)`,
    [
      tenantId,
      environment,
      importId,
      piece.partition,
      piece.piece,
      held.map(({ phone }) => phone),
      held.map(({ holder }) => holder),
      now,
      attributesMax,
    ],
  );
  return row!.refused;
}
