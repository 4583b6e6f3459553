import type { Channel } from '@drawbridge/messaging/message.ts';
import type { Template, TemplateCategory } from '@drawbridge/messaging/template.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import { type KeysetRange, newestFirst } from '../../platform/db/keyset.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Registration } from '../messages/message-row.ts';

export const templateStatuses = [
  'pending',
  'approved',
  'rejected',
  'paused',
  'disabled',
  'deleted',
] as const;
type TemplateStatus = (typeof templateStatuses)[number];

/** The carriers' registration of a text, with its kind (India: DLT). */
export interface DltRegistration extends Registration {
  /** The registered sender. */
  readonly header: string;
  /** Transactional, promotional, service implicit, service explicit. */
  readonly type: 'T' | 'P' | 'SI' | 'SE';
}

export interface TemplateRow {
  readonly id: string;
  readonly channel: Channel;
  readonly app_id: string | null;
  readonly name: string;
  readonly language: string;
  readonly category: TemplateCategory;
  readonly definition: Template;
  readonly registration: DltRegistration | null;
  readonly status: TemplateStatus;
  readonly reason: string | null;
  readonly quality: 'green' | 'yellow' | 'red' | 'unknown' | null;
  readonly provider_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = `id, channel, app_id, name, language, category, definition, registration, status,
  reason, quality, provider_id, created_at, updated_at`;

/** Replaces a deleted template with the same name; fails as a duplicate when another exists. */
export async function insertTemplate(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  row: Omit<TemplateRow, 'reason' | 'quality' | 'provider_id' | 'updated_at'>,
): Promise<void> {
  await tx.run(
    `with gone as (
       delete from message_template where tenant_id = $1 and environment = $2 and channel = $4
         and name = $6 and language = $7 and status = 'deleted' returning 1
     )
     insert into message_template (tenant_id, environment, id, channel, app_id, name, language,
       category, definition, registration, status, created_at, updated_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12
     from (select count(*) from gone) as after`,
    [
      tenantId,
      environment,
      row.id,
      row.channel,
      row.app_id,
      row.name,
      row.language,
      row.category,
      JSON.stringify(row.definition),
      row.registration === null ? null : JSON.stringify(row.registration),
      row.status,
      row.created_at,
    ],
  );
}

export function findTemplate(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  lock: '' | 'for update' = '',
): Promise<TemplateRow | undefined> {
  return tx.row(
    `select ${columns} from message_template
     where tenant_id = $1 and environment = $2 and id = $3 and status <> 'deleted' ${lock}`,
    [tenantId, environment, id],
  );
}

/** How a template stands at the network that reviews it. */
export interface Review {
  readonly status: TemplateStatus;
  /** Until when a change may wait for the network's answer, after which the template may stand as before. */
  readonly asking_until: Date | null;
}

/** How long a change waits for the network's answer, at most: longer than a call to it takes. */
export const changeAnswerMs = 30_000;

/** Whether the network may still refuse a change, after which the template stands as before. */
export function mayStandAsBefore(review: Review | undefined, now: Date): boolean {
  const { asking_until = null } = review ?? {};
  return asking_until !== null && asking_until > now;
}

/** Undefined where no network reviews the template. */
export function findReview(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<Review | undefined> {
  return tx.row(
    `select status, case when status = 'pending' and provider_id is not null
       then updated_at + $4 * interval '1 ms' end as asking_until
     from message_template
     where tenant_id = $1 and environment = $2 and id = $3 and app_id is not null`,
    [tenantId, environment, id, changeAnswerMs],
  );
}

/**
 * Writes what a template says, under the name in its definition, and how it stands. Replaces a deleted
 * template with that name; fails as a duplicate when another exists.
 */
export async function changeTemplate(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { id, channel, definition, registration, status, reason }: TemplateRow,
  now: Date,
): Promise<TemplateRow> {
  const { name, language, category } = definition;
  const row = await tx.row<TemplateRow>(
    `with gone as (
       delete from message_template where tenant_id = $1 and environment = $2 and channel = $4
         and name = $5 and language = $6 and status = 'deleted' returning 1
     )
     update message_template set name = $5, language = $6, category = $7, definition = $8,
       registration = $9, status = $10, reason = $11, updated_at = $12
     from (select count(*) from gone) as after
     where tenant_id = $1 and environment = $2 and id = $3
     returning ${columns}`,
    [
      tenantId,
      environment,
      id,
      channel,
      name,
      language,
      category,
      JSON.stringify(definition),
      registration === null ? null : JSON.stringify(registration),
      status,
      reason,
      now,
    ],
  );
  return row!;
}

/** The templates of that name, in every language unless one is given. */
export function findTemplatesByName(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  channel: Channel,
  name: string,
  language: string | null,
): Promise<TemplateRow[]> {
  return tx.rows(
    `select ${columns} from message_template
     where tenant_id = $1 and environment = $2 and channel = $3 and name = $4
       and ($5::text is null or language = $5) and status <> 'deleted' order by language`,
    [tenantId, environment, channel, name, language],
  );
}

/** A channel's templates, newest first. */
export function listTemplates(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  channel: Channel,
  filter: { name: string | null; status: string | null },
  page: KeysetRange,
): Promise<TemplateRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  return tx.rows(
    `select ${columns} from message_template
     where tenant_id = $1 and environment = $2 and channel = $3
       and ($4::text is null or name = $4)
       and (case when $5::text is null then status <> 'deleted' else status = $5 end)
       and ${where('id', '$6')}
     order by id ${order} limit $7`,
    [tenantId, environment, channel, filter.name, filter.status, key, rowsMax],
  );
}

/** Templates that the network knows, submitted through one of these apps; newest first. */
export function listSubmittedTemplates(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  appIds: readonly string[],
  limit: number,
): Promise<TemplateRow[]> {
  return tx.rows(
    `select ${columns} from message_template
     where tenant_id = $1 and environment = $2 and app_id = any($3) and provider_id is not null
       and status <> 'deleted'
     order by id desc limit $4`,
    [tenantId, environment, appIds, limit],
  );
}

/** How many templates an account has: networks have a limit. */
export async function countTemplates(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  appId: string,
): Promise<number> {
  const row = await tx.row<{ held: number }>(
    `select count(*) as held from message_template
     where tenant_id = $1 and environment = $2 and app_id = $3 and status <> 'deleted'`,
    [tenantId, environment, appId],
  );
  return row?.held ?? 0;
}

/** What the network says about a template; null leaves a field unchanged. */
export interface TemplateUpdate {
  readonly provider_id: string | null;
  readonly status: TemplateStatus | null;
  readonly category: TemplateCategory | null;
  readonly quality: TemplateRow['quality'];
  readonly reason: string | null;
}

export interface TemplateChange {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  readonly status: TemplateStatus;
  readonly was: TemplateStatus;
  readonly category: TemplateCategory;
  readonly category_was: TemplateCategory;
  readonly reason: string | null;
}

/** Writes only real changes; `by` is our id, or the network's name for the template. */
export function updateTemplate(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  by: { id: string } | { channel: Channel; name: string; language: string },
  update: TemplateUpdate,
  now: Date,
): Promise<TemplateChange | undefined> {
  const [id, channel, name, language] =
    'id' in by ? [by.id, null, null, null] : [null, by.channel, by.name, by.language];
  return tx.row(
    `with was as (
       select id, status, category from message_template
       where tenant_id = $1 and environment = $2 and status <> 'deleted'
         and (id = $3 or channel = $4 and name = $5 and language = $6)
       for no key update
     )
     update message_template t set provider_id = coalesce($7, provider_id),
       status = coalesce($8, t.status), category = coalesce($9, t.category),
       quality = coalesce($10, quality), updated_at = $12,
       reason = case when $8 is null then coalesce($11, reason) else $11 end
     from was where t.tenant_id = $1 and t.environment = $2 and t.id = was.id
     returning t.id, name, language, t.status, was.status as was, t.category,
       was.category as category_was, reason`,
    [
      tenantId,
      environment,
      id,
      channel,
      name,
      language,
      update.provider_id,
      update.status,
      update.category,
      update.quality,
      update.reason,
      now,
    ],
  );
}
