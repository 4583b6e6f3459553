/** Reads whom a broadcast reaches, and writes the first state of its messages. */
import type { Channel } from '@drawbridge/messaging/message.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { columnArrays, unnest } from '../../../platform/db/insert.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { Attributes } from '../../contacts/store.ts';

/** A contact of the segment, with everything that decides whether and how it gets a message. */
export interface Candidate {
  /** Where it stands in the audience, for the next page. */
  readonly place: string;
  readonly contact_id: string;
  readonly name: string | null;
  readonly phone: string | null;
  readonly attributes: Attributes;
  /** Null: the channel does not reach it. */
  readonly address: string | null;
  readonly is_opted_out: boolean;
  /** The latest answer about the channel was yes. */
  readonly is_consenting: boolean;
  /** Another contact of the segment has this address too. */
  readonly is_duplicate: boolean;
  /** For channels that only reach people who have started them. */
  readonly has_started: boolean;
  readonly is_blocked: boolean;
  /** The provider's answer; null: it was not asked, or did not say. */
  readonly is_reached: boolean | null;
}

/** Whom a broadcast goes to. */
export type Audience =
  | { readonly kind: 'segment'; readonly segmentId: string }
  /** The contacts of an earlier broadcast whose messages stand so. */
  | { readonly kind: 'resend'; readonly of: string; readonly statuses: readonly string[] }
  | { readonly kind: 'named'; readonly contactIds: readonly string[] };

export interface AudiencePage {
  readonly audience: Audience;
  readonly channel: Channel;
  readonly appId: string;
  /** Candidates after this place; '' for the first page. */
  readonly after: string;
  readonly limit: number;
  /** The provider's answers about reach are valid since then; null: it is never asked. */
  readonly reachSince: Date | null;
}

// The lateral join makes the planner look up each contact of the page by its key, whatever the
// statistics say: a segment is often broadcast right after its import, when there are none.
const contactOf = `cross join lateral (select id, name, phone, attributes from contact
    where id = p.contact_id and tenant_id = $1 and environment = $2 limit 1) c`;

interface AudienceSource {
  /** Gives the page after $4, at most $5, from $3. */
  readonly page: string;
  /** Whether the contact that has the address is in the audience too. */
  readonly hasAddress: string;
  readonly value: string | readonly string[];
}

const contactWithAddress = `(select id from contact
  where tenant_id = $1 and environment = $2 and phone = a.address)`;

function sourceOf(audience: Audience): AudienceSource {
  switch (audience.kind) {
    case 'segment':
      return {
        page: `(select contact_id as place, contact_id
          from contacts_of_segment($2, $3, $4, $5) s (contact_id)) p`,
        hasAddress: `is_of_segment($2, $3, ${contactWithAddress})`,
        value: audience.segmentId,
      };
    case 'resend':
      // Each status is read along its index. An address had one message in the earlier broadcast.
      return {
        page: `(select m.id as place, m.contact_id
          from unnest(($3::text[])[2:]) w (status) cross join lateral (
            select id, contact_id from message where tenant_id = $1 and environment = $2
              and broadcast_id = ($3::text[])[1] and status = w.status and id > $4
              and contact_id is not null
            order by id limit $5) m
          order by m.id limit $5) p`,
        hasAddress: 'false',
        value: [audience.of, ...audience.statuses],
      };
    case 'named':
      return {
        page: `(select n.id as place, n.id as contact_id from unnest($3::text[]) n (id)
          where n.id > $4 order by n.id limit $5) p`,
        hasAddress: `coalesce(${contactWithAddress} = any($3::text[]), false)`,
        value: audience.contactIds,
      };
  }
}

const said = `exists (select from opt_out where tenant_id = $1 and environment = $2
    and channel = $6 and address = a.address limit 1) as is_opted_out,
  coalesce((select state = 'granted' from consent_event where tenant_id = $1 and environment = $2
    and channel = $6 and address = a.address order by id desc limit 1), false) as is_consenting`;

/**
 * A page of a segment, for channels that reach people by number; a contact without a number is
 * reached by the network's id for it.
 */
export function listByPhone(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { audience, after, limit, channel, appId, reachSince }: AudiencePage,
): Promise<Candidate[]> {
  const source = sourceOf(audience);
  return tx.rows(
    `select p.place, c.id as contact_id, c.name, c.phone, c.attributes, a.address, ${said},
       c.phone is null and ${source.hasAddress} as is_duplicate,
       true as has_started, false as is_blocked,
       case when $8::timestamptz is not null then (select is_reached from channel_reach
         where tenant_id = $1 and environment = $2 and app_id = $7 and phone = a.address
           and checked_at >= $8 limit 1) end as is_reached
     from ${source.page} ${contactOf}
     cross join lateral (select coalesce(c.phone, (select external_id from contact_identity
       where tenant_id = $1 and environment = $2 and contact_id = c.id and channel = $6
       order by external_id limit 1)) as address) a
     order by p.place`,
    [tenantId, environment, source.value, after, limit, channel, appId, reachSince],
  );
}

/** The same for channels that only reach people who have started the app. */
export function listByStart(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { audience, after, limit, channel, appId }: AudiencePage,
): Promise<Candidate[]> {
  const source = sourceOf(audience);
  return tx.rows(
    `select p.place, c.id as contact_id, c.name, c.phone, c.attributes, a.address, ${said},
       false as is_duplicate, coalesce(a.started, false) as has_started,
       coalesce(a.blocked, false) as is_blocked, null::boolean as is_reached
     from ${source.page} ${contactOf}
     left join lateral (select i.external_id as address, k.address is not null as started,
         k.blocked_at is not null as blocked
       from contact_identity i left join lateral (select address, blocked_at, last_inbound_at
         from correspondent where tenant_id = $1 and environment = $2 and app_id = $7
           and address = i.external_id limit 1) k on true
       where i.tenant_id = $1 and i.environment = $2 and i.contact_id = c.id and i.channel = $6
       order by started desc, blocked, k.last_inbound_at desc, i.external_id limit 1) a on true
     order by p.place`,
    [tenantId, environment, source.value, after, limit, channel, appId],
  );
}

/** A message of a broadcast before it is sent. */
export interface NewRecipient {
  readonly id: string;
  readonly contact_id: string;
  readonly address: string;
  /** JSON. */
  readonly content: string;
  readonly preview: string;
  readonly due_at: Date;
  readonly price: string | null;
  readonly time_zone: string;
}

/** What all messages of a broadcast share. */
export interface RecipientsOf {
  readonly broadcastId: string;
  readonly channel: Channel;
  readonly appId: string;
  /** JSON, or null. */
  readonly registration: string | null;
  readonly currency: string | null;
  readonly now: Date;
}

const recipientColumns = {
  id: 'text',
  contact_id: 'text',
  address: 'text',
  content: 'text',
  preview: 'text',
  due_at: 'timestamptz',
  price: 'numeric',
  time_zone: 'text',
} as const;

export function insertRecipients(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { broadcastId, channel, appId, registration, currency, now }: RecipientsOf,
  rows: readonly NewRecipient[],
): Promise<number> {
  return tx.run(
    `insert into message (tenant_id, environment, broadcast_id, channel, direction, app_id,
       registration, currency, created_at, status, id, contact_id, address, content, preview,
       due_at, price, time_zone)
     select $9::uuid, $10, $11, $12, 'out', $13, $14::jsonb,
       case when price is not null then $15::text end, $16::timestamptz, 'queued', id, contact_id,
       address, content::jsonb, preview, due_at, price, time_zone
     from ${unnest(Object.values(recipientColumns))}
       as r (id, contact_id, address, content, preview, due_at, price, time_zone)`,
    [
      ...columnArrays(recipientColumns, rows),
      tenantId,
      environment,
      broadcastId,
      channel,
      appId,
      registration,
      currency,
      now,
    ],
  );
}

/**
 * All statements of the transaction see one snapshot, and get more time; must be called before any
 * other statement.
 */
export async function beginSnapshot(tx: Tx): Promise<void> {
  await tx.run('set transaction isolation level repeatable read');
}
