import type { Environment } from '../../platform/auth/principal.ts';
import { type KeysetRange, oldestFirst } from '../../platform/db/keyset.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { PhoneNumber } from './schema.ts';

export interface BrandingRow {
  readonly custom_domain: string | null;
  readonly logo_type: string | null;
  readonly logo_bytes: number | null;
  readonly sender_name: string | null;
  readonly sender_address: string | null;
  readonly updated_at: Date;
}

const brandingColumns = `custom_domain, logo_type, length(logo) as logo_bytes, sender_name,
  sender_address, updated_at`;

export function findBranding(tx: Tx, tenantId: string): Promise<BrandingRow | undefined> {
  return tx.row(`select ${brandingColumns} from branding where tenant_id = $1`, [tenantId]);
}

/** Undefined leaves a field unchanged, null clears it. */
export interface BrandingChange {
  readonly custom_domain?: string | null | undefined;
  readonly logo?: { readonly bytes: Buffer; readonly type: string } | null | undefined;
  readonly sender?: { readonly name: string | null; readonly address: string } | null | undefined;
}

export async function saveBranding(
  tx: Tx,
  tenantId: string,
  { custom_domain, logo, sender }: BrandingChange,
  now: Date,
): Promise<BrandingRow> {
  const row = await tx.row<BrandingRow>(
    `insert into branding
       (tenant_id, custom_domain, logo, logo_type, sender_name, sender_address, updated_at)
     values ($1, $3, $5, $6, $8, $9, $10)
     on conflict (tenant_id) do update set
       custom_domain = case when $2 then $3 else branding.custom_domain end,
       logo = case when $4 then $5 else branding.logo end,
       logo_type = case when $4 then $6 else branding.logo_type end,
       sender_name = case when $7 then $8 else branding.sender_name end,
       sender_address = case when $7 then $9 else branding.sender_address end,
       updated_at = $10
     returning ${brandingColumns}`,
    [
      tenantId,
      custom_domain !== undefined,
      custom_domain ?? null,
      logo !== undefined,
      logo?.bytes ?? null,
      logo?.type ?? null,
      sender !== undefined,
      sender?.name ?? null,
      sender?.address ?? null,
      now,
    ],
  );
  return row!;
}

export function findLogo(
  tx: Tx,
  tenantId: string,
): Promise<{ logo: Buffer; logo_type: string } | undefined> {
  return tx.row('select logo, logo_type from branding where tenant_id = $1 and logo is not null', [
    tenantId,
  ]);
}

export interface TagRow {
  readonly id: string;
  readonly name: string;
  readonly colour: string | null;
  readonly created_at: Date;
}

const tagColumns = 'id, name, colour, created_at';

/** Oldest first. */
export function listTags(tx: Tx, tenantId: string, page: KeysetRange): Promise<TagRow[]> {
  const { key, where, order, rowsMax } = oldestFirst(page);
  return tx.rows(
    `select ${tagColumns} from tag where tenant_id = $1 and ${where('id', '$2')}
     order by id ${order} limit $3`,
    [tenantId, key, rowsMax],
  );
}

export async function insertTag(tx: Tx, tenantId: string, row: TagRow): Promise<void> {
  await tx.run(
    'insert into tag (tenant_id, id, name, colour, created_at) values ($1, $2, $3, $4, $5)',
    [tenantId, row.id, row.name, row.colour, row.created_at],
  );
}

export function findTag(tx: Tx, tenantId: string, id: string): Promise<TagRow | undefined> {
  return tx.row(`select ${tagColumns} from tag where tenant_id = $1 and id = $2`, [tenantId, id]);
}

/** Undefined leaves a field unchanged; null removes the colour. */
export function updateTag(
  tx: Tx,
  tenantId: string,
  id: string,
  { name, colour }: { name?: string | undefined; colour?: string | null | undefined },
): Promise<TagRow | undefined> {
  return tx.row(
    `update tag set name = coalesce($3, name), colour = case when $4 then $5 else colour end
     where tenant_id = $1 and id = $2 returning ${tagColumns}`,
    [tenantId, id, name, colour !== undefined, colour ?? null],
  );
}

/** Returns how many tags there were: none or one. */
export function deleteTag(tx: Tx, tenantId: string, id: string): Promise<number> {
  return tx.run('delete from tag where tenant_id = $1 and id = $2', [tenantId, id]);
}

export interface WabaRow {
  readonly account_id: string;
  readonly name: string | null;
  readonly currency: string | null;
  readonly time_zone: string | null;
  readonly phone_numbers: readonly PhoneNumber[];
  readonly updated_at: Date;
}

const wabaColumns = 'account_id, name, currency, time_zone, phone_numbers, updated_at';

export function findWaba(
  tx: Tx,
  tenantId: string,
  environment: Environment,
): Promise<WabaRow | undefined> {
  return tx.row(`select ${wabaColumns} from waba where tenant_id = $1 and environment = $2`, [
    tenantId,
    environment,
  ]);
}

export async function saveWaba(
  tx: Tx,
  tenantId: string,
  environment: Environment,
  row: WabaRow,
): Promise<void> {
  await tx.run(
    `insert into waba (tenant_id, environment, ${wabaColumns})
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (tenant_id, environment) do update set account_id = $3, name = $4, currency = $5,
       time_zone = $6, phone_numbers = $7, updated_at = $8`,
    [
      tenantId,
      environment,
      row.account_id,
      row.name,
      row.currency,
      row.time_zone,
      JSON.stringify(row.phone_numbers),
      row.updated_at,
    ],
  );
}

export interface Facts {
  readonly hasWaba: boolean;
  readonly hasFunds: boolean;
  readonly hasContact: boolean;
  readonly hasKey: boolean;
  readonly hasSender: boolean;
  readonly hasProvedSender: boolean;
  /**
   * Channels with an active app; below, those with an approved template, and those that the host
   * sells.
   */
  readonly apps: readonly string[];
  readonly templates: readonly string[];
  readonly sold: readonly string[];
}

/** Which steps of onboarding are done. */
export async function findFacts(tx: Tx, tenantId: string, environment: Environment) {
  const row = await tx.row<Facts>(
    `select
       exists (select from waba where tenant_id = $1 and environment = $2) as "hasWaba",
       exists (select from wallet where tenant_id = $1 and environment = $2
         and balance > reserved) as "hasFunds",
       exists (select from contact where tenant_id = $1 and environment = $2) as "hasContact",
       exists (select from api_key where tenant_id = $1 and environment = $2 and family = 'jc'
         and revoked_at is null) as "hasKey",
       exists (select from branding where tenant_id = $1 and sender_address is not null)
         as "hasSender",
       exists (select from branding_proof where tenant_id = $1 and kind = 'sender'
         and proved_at is not null) as "hasProvedSender",
       array (select distinct channel from channel_app where tenant_id = $1 and environment = $2
         and deleted_at is null and state = 'active') as apps,
       array (select distinct channel from message_template where tenant_id = $1
         and environment = $2 and status = 'approved') as templates,
       array (select distinct channel from price where amount > 0) as sold`,
    [tenantId, environment],
  );
  return row!;
}
