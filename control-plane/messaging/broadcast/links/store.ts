import type { Environment } from '../../../platform/auth/principal.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { columnArrays, unnest } from '../../../platform/db/insert.ts';
import { type KeysetRange, newestFirst } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';

export interface NewLink {
  readonly code: string;
  readonly message_id: string;
  readonly url: string;
}

const linkColumns = { code: 'text', message_id: 'text', url_id: 'text' } as const;

/** The ids of the addresses; each address also counts the messages that now contain it. */
export function ensureUrls(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  broadcastId: string,
  urls: readonly { readonly id: string; readonly url: string; readonly links: number }[],
): Promise<{ id: string; url: string }[]> {
  return tx.rows(
    `insert into tracked_url as t (tenant_id, environment, id, broadcast_id, url, links)
     select $1, $2, u.id, $3, u.url, u.links
     from unnest($4::text[], $5::text[], $6::int[]) as u (id, url, links) order by u.url
     on conflict (tenant_id, broadcast_id, md5(url)) do update set links = t.links + excluded.links
     returning id, url`,
    [
      tenantId,
      environment,
      broadcastId,
      urls.map(({ id }) => id),
      urls.map(({ url }) => url),
      urls.map(({ links }) => links),
    ],
  );
}

/** Fails as a duplicate when a code is in use. */
export function insertLinks(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  broadcastId: string,
  links: readonly { readonly code: string; readonly message_id: string; readonly url_id: string }[],
): Promise<number> {
  return tx.run(
    `insert into short_link (code, message_id, url_id, tenant_id, environment, broadcast_id)
     select *, $4::uuid, $5, $6 from ${unnest(Object.values(linkColumns))}`,
    [...columnArrays(linkColumns, links), tenantId, environment, broadcastId],
  );
}

/** The codes among these that are in use. */
export async function takenCodes(tx: Tx, codes: readonly string[]): Promise<Set<string>> {
  const rows = await tx.rows<{ code: string }>('select * from taken_codes($1) as t (code)', [
    codes,
  ]);
  return new Set(rows.map(({ code }) => code));
}

/** The address behind a code. */
export interface LinkTarget {
  readonly tenant_id: string;
  readonly environment: Environment;
  readonly broadcast_id: string;
  readonly channel: string;
  readonly message_id: string;
  readonly url_id: string;
  readonly url: string;
}

/** `host`: where the visitor came. At a tenant's domain its links are found, and at the service's own host all. */
export function findTarget(
  tx: Tx,
  code: string,
  environment: Environment,
  host: string,
  isOwnHost: boolean,
): Promise<LinkTarget | undefined> {
  const given = [code, environment, host, isOwnHost];
  return tx.row('select * from find_short_link($1, $2, $3, $4)', given);
}

export interface NewClick extends LinkTarget {
  readonly id: string;
  readonly code: string;
  readonly is_bot: boolean;
  readonly user_agent: string | null;
  readonly clicked_at: Date;
}

/** Records a click; returns whether a person opened this link for the first time. */
export async function insertClick(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  click: NewClick,
): Promise<boolean> {
  const row = await tx.row<{ is_first: boolean }>(
    `with click as (
       insert into link_click (id, tenant_id, environment, broadcast_id, message_id, url_id, code,
         is_bot, user_agent, clicked_at) values ($3, $1, $2, $4, $5, $6, $7, $8, $9, $10)
     ), opened as (
       update short_link set first_click_at = $10
       where tenant_id = $1 and code = $7 and first_click_at is null and not $8 returning 1
     ), counted as (
       update tracked_url set clicks = clicks + (not $8)::int, bot_clicks = bot_clicks + $8::int,
         unique_clicks = unique_clicks + (select count(*) from opened)
       where tenant_id = $1 and environment = $2 and id = $6
     )
     select exists (select from opened) as is_first`,
    [
      tenantId,
      environment,
      click.id,
      click.broadcast_id,
      click.message_id,
      click.url_id,
      click.code,
      click.is_bot,
      click.user_agent,
      click.clicked_at,
    ],
  );
  return row?.is_first ?? false;
}

/** Marks the message as clicked; true the first time. */
export async function noteClicked(
  tx: Tx,
  { tenantId }: TenantScope,
  messageId: string,
  broadcastId: string,
  now: Date,
): Promise<boolean> {
  const changed = await tx.run(
    `insert into broadcast_response as r (tenant_id, message_id, broadcast_id, clicked_at)
     values ($1, $2, $3, $4)
     on conflict (tenant_id, message_id) do update set clicked_at = excluded.clicked_at
     where r.clicked_at is null`,
    [tenantId, messageId, broadcastId, now],
  );
  return changed === 1;
}

/** A broadcast's message that was answered. */
export interface RepliedMessage {
  readonly message_id: string;
  readonly broadcast_id: string;
  readonly channel: string;
}

/**
 * Marks the broadcast messages that these people answer: for each person the last one sent since
 * then. Returns those that had no answer before.
 */
export function noteReplies(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  replies: readonly { readonly contact_id: string; readonly channel: string }[],
  since: Date,
  now: Date,
): Promise<RepliedMessage[]> {
  return tx.rows(
    `with answered as (
       select distinct on (m.id) m.id, m.broadcast_id, m.channel
       from unnest($3::text[], $4::text[]) as r (contact_id, channel)
       cross join lateral (
         select n.* from (
           select id, broadcast_id, channel, direction, sent_at from message
           where tenant_id = $1 and environment = $2 and contact_id = r.contact_id
           order by id desc limit ${searchedMax}) n
         where n.channel = r.channel and n.broadcast_id is not null and n.sent_at >= $5
         order by n.sent_at desc limit 1) m
       order by m.id
     ), noted as (
       insert into broadcast_response as r (tenant_id, message_id, broadcast_id, replied_at)
       select $1, id, broadcast_id, $6 from answered
       on conflict (tenant_id, message_id) do update set replied_at = excluded.replied_at
       where r.replied_at is null returning message_id
     )
     select a.id as message_id, a.broadcast_id, a.channel from answered a
     join noted on noted.message_id = a.id`,
    [
      tenantId,
      environment,
      replies.map(({ contact_id }) => contact_id),
      replies.map(({ channel }) => channel),
      since,
      now,
    ],
  );
}

/** How many of a person's latest messages are searched for the one that they answer. */
const searchedMax = 50;

export interface TrackedUrlRow {
  readonly id: string;
  readonly broadcast_id: string;
  readonly url: string;
  readonly links: number;
  readonly clicks: number;
  readonly unique_clicks: number;
  readonly bot_clicks: number;
}

/** Addresses, newest first, of one broadcast or all. */
export function listUrls(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  broadcastId: string | null,
  page: KeysetRange,
): Promise<TrackedUrlRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  return tx.rows(
    `select id, broadcast_id, url, links, clicks, unique_clicks, bot_clicks from tracked_url
     where tenant_id = $1 and environment = $2 and ($3::text is null or broadcast_id = $3)
       and ${where('id', '$4')} order by id ${order} limit $5`,
    [tenantId, environment, broadcastId, key, rowsMax],
  );
}

export interface ClickRow {
  readonly id: string;
  readonly broadcast_id: string;
  readonly message_id: string;
  readonly contact_id: string | null;
  readonly url: string;
  readonly is_bot: boolean;
  readonly user_agent: string | null;
  readonly clicked_at: Date;
}

/** Clicks, newest first, of one broadcast or all. */
export function listClicks(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  broadcastId: string | null,
  page: KeysetRange,
): Promise<ClickRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  return tx.rows(
    `select c.id, c.broadcast_id, c.message_id, m.contact_id, u.url, c.is_bot, c.user_agent,
       c.clicked_at
     from (select * from link_click where tenant_id = $1 and environment = $2
         and ($3::text is null or broadcast_id = $3) and ${where('id', '$4')}
       order by id ${order} limit $5) c
     join tracked_url u
       on u.tenant_id = c.tenant_id and u.environment = c.environment and u.id = c.url_id
     left join message m
       on m.tenant_id = c.tenant_id and m.environment = c.environment and m.id = c.message_id
     order by c.id ${order}`,
    [tenantId, environment, broadcastId, key, rowsMax],
  );
}
