-- A number, bot or agent through which a tenant sends: one account at one provider. Deleted ones are
-- hidden, because messages refer to them.
create table channel_app (
  tenant_id uuid not null references tenant,
  id text not null,
  environment text not null check (environment in ('live', 'sandbox')),
  channel text not null check (channel in ('wa', 'sms', 'botchat', 'rcs')),
  provider text not null,
  name text not null check (length(name) between 1 and 100),
  -- Sealed JSON.
  settings text not null,
  -- Takes webhooks that no signature proves.
  allow_unsigned boolean not null default false,
  -- Sends again what a crash left unknown, though it may then come twice.
  resend_unknown boolean not null default false,
  state text not null default 'active' check (state in ('active', 'stopped')),
  -- Why the provider or a person stopped it.
  stopped_reason text,
  -- What the network thinks of a number: { "quality": "green", "tier": "TIER_10K", "reported_at": … }.
  health jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (tenant_id, environment, id)
);
create trigger directory after insert or delete on channel_app
  for each row execute function keep_in_directory('channel_app', 'id');
create unique index channel_app_name on channel_app (tenant_id, environment, channel, name)
  where deleted_at is null;
call isolate('channel_app', system => true);

-- Whose app a webhook is for: a provider calls without a key, and says no tenant.
create function owner_of_app(app_id text) returns table (tenant_id uuid, environment text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select a.tenant_id, a.environment from channel_app a
    where a.tenant_id = tenant_of('channel_app', app_id) and a.id = app_id and a.deleted_at is null
  $$;

-- Proofs of webhooks that may be used by one request only.
create table webhook_proof (
  tenant_id uuid not null,
  app_id text not null,
  proof text not null check (length(proof) between 1 and 200),
  created_at timestamptz not null,
  primary key (tenant_id, app_id, proof)
);
create index on webhook_proof using brin (created_at);
call isolate('webhook_proof', system => true);

-- What a provider said of whom an app reaches, so that it is not asked anew for each broadcast.
create table channel_reach (
  tenant_id uuid not null,
  environment text not null,
  app_id text not null,
  phone text not null,
  is_reached boolean not null,
  checked_at timestamptz not null,
  primary key (tenant_id, environment, app_id, phone)
);
call isolate('channel_reach');

-- A registered text with places for values, as the network or the carriers know it.
create table message_template (
  tenant_id uuid not null references tenant,
  id text not null,
  environment text not null check (environment in ('live', 'sandbox')),
  channel text not null check (channel in ('wa', 'sms', 'botchat', 'rcs')),
  -- The app through which it was submitted; null where nobody but us must know it.
  app_id text,
  name text not null check (length(name) between 1 and 512),
  language text not null check (length(language) between 1 and 20),
  category text not null check (category in ('AUTHENTICATION', 'MARKETING', 'UTILITY')),
  definition jsonb not null,
  -- What the carriers' registry knows it by (India: DLT).
  registration jsonb,
  status text not null
    check (status in ('pending', 'approved', 'rejected', 'paused', 'disabled', 'deleted')),
  reason text,
  quality text check (quality in ('green', 'yellow', 'red', 'unknown')),
  -- The network's id.
  provider_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, environment, channel, name, language)
);
create index on message_template (tenant_id, environment, channel, id);
call isolate('message_template');

-- Every message of every channel and direction.
create table message (
  tenant_id uuid not null,
  id text not null,
  environment text not null check (environment in ('live', 'sandbox')),
  channel text not null check (channel in ('wa', 'sms', 'botchat', 'rcs')),
  direction text not null check (direction in ('in', 'out')),
  app_id text not null,
  contact_id text,
  -- Of the person: E.164, or the network's own id.
  address text not null,
  broadcast_id text,
  -- `Content` or `InboundContent`, as JSON.
  content jsonb not null,
  -- The same as a person reads it.
  preview text not null,
  -- As in packages/messaging/status.ts, and `received` of those that came in.
  status text not null,
  -- The network's id of it.
  provider_id text,
  -- The network's id of the message it answers.
  reply_to text,
  ttl_seconds int,
  registration jsonb,
  -- While it is queued: when it may go.
  due_at timestamptz,
  attempts smallint not null default 0,
  -- The sending that has it; what was claimed under an older one is nobody's any more.
  claim_id uuid,
  error_code text,
  error_detail text,
  -- What the host asks for it; null: nothing.
  price numeric(24, 6),
  currency text,
  -- Key or user that sent it; null: a broadcast, or the person itself.
  author text,
  created_at timestamptz not null,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  failed_at timestamptz,
  -- Since when nobody knows what became of it.
  unknown_at timestamptz,
  -- When what was held for it was given back, because nothing was heard in the time in which its
  -- provider's reports come.
  hold_released_at timestamptz,
  -- The clock that quiet hours go by; of broadcasts' messages only.
  time_zone text,
  primary key (tenant_id, environment, id)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02);
create index message_of_channel on message (tenant_id, environment, channel, id);
-- A contact's newest of a channel, broadcasts left out, without a look at the messages themselves.
create index message_of_contact on message (tenant_id, environment, contact_id, id)
  include (channel, broadcast_id) where contact_id is not null;
create index message_of_broadcast on message (broadcast_id, status, id)
  where broadcast_id is not null;
create index message_due on message (broadcast_id, due_at, id)
  where broadcast_id is not null and status = 'queued';
-- What a node that died may have sent.
create index message_claimed on message (tenant_id, app_id, id) where status = 'sending';
-- A repeat of what came in is dropped by it, and a report finds its message.
create unique index message_provider_id on message (tenant_id, app_id, provider_id, direction)
  where provider_id is not null;
call isolate('message', system => true);

-- A person whom an app knows: who wrote when, and who let the bot in. Networks count a window from it.
create table correspondent (
  tenant_id uuid not null,
  environment text not null,
  app_id text not null,
  address text not null,
  channel text not null,
  first_seen_at timestamptz not null,
  last_inbound_at timestamptz not null,
  -- Since when the person keeps the bot out.
  blocked_at timestamptz,
  primary key (tenant_id, environment, app_id, address)
);
call isolate('correspondent');

-- A report that was faster than the answer which tells the id it names.
create table early_report (
  tenant_id uuid not null,
  id bigint generated always as identity,
  environment text not null,
  app_id text not null,
  provider_id text not null,
  report jsonb not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create index on early_report (tenant_id, app_id, provider_id);
create index on early_report using brin (created_at);
call isolate('early_report', system => true);

-- Parts of a long text that have come, until all have.
create table text_part (
  tenant_id uuid not null,
  environment text not null,
  app_id text not null,
  address text not null,
  reference text not null,
  number smallint not null,
  total smallint not null,
  provider_id text not null,
  text text not null,
  created_at timestamptz not null,
  primary key (tenant_id, app_id, address, reference, number)
);
create index on text_part using brin (created_at);
call isolate('text_part', system => true);

create index message_unreported on message (unknown_at)
  where status = 'unknown' and hold_released_at is null and price is not null;

-- A status only ever rises; packages/messaging/status.ts has the same order, and a test holds the two
-- together.
create function message_rank(status text) returns int
  language sql immutable parallel safe
  return array_position(array['queued', 'sending', 'unknown', 'sent', 'canceled', 'expired',
    'failed', 'delivered', 'read'], status);

-- What is waited for longer than anything is waited for: an answer that never came, a report for no
-- message, a part of a text whose others are lost.
create function sweep_messaging(proofs_before timestamptz, parts_before timestamptz) returns void
  language sql security definer set search_path = public, pg_temp as $$
    delete from webhook_proof where created_at < proofs_before;
    delete from early_report where created_at < parts_before;
    delete from text_part where created_at < parts_before;
  $$;

-- Messages of these providers of which nobody has known anything since before these instants, the
-- oldest first.
create function unreported_messages(providers text[], befores timestamptz[], most int)
  returns table (tenant_id uuid, environment text, id text)
  language sql stable security definer set search_path = public, pg_temp as $$
  select m.tenant_id, m.environment, m.id
  from message m join channel_app a
    on a.tenant_id = m.tenant_id and a.environment = m.environment and a.id = m.app_id
  join unnest(providers, befores) as p (provider, before) on p.provider = a.provider
  where m.status = 'unknown' and m.hold_released_at is null and m.price is not null
    and m.unknown_at < p.before
    and m.unknown_at < (select max(b) from unnest(befores) b)
  order by m.unknown_at limit most
$$;
