-- A registered text with places for values, as the network or the carriers know it.
create table message_template (
  id text primary key,
  tenant_id uuid not null references tenant,
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
  unique (tenant_id, environment, channel, name, language)
);
create index on message_template (tenant_id, environment, channel, id);
call isolate('message_template');

-- Every message of every channel and direction.
create table message (
  id text primary key,
  tenant_id uuid not null,
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
  failed_at timestamptz
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02);
create index message_of_tenant on message (tenant_id, environment, id);
create index message_of_channel on message (tenant_id, environment, channel, id);
create index message_of_contact on message (tenant_id, environment, contact_id, id)
  where contact_id is not null;
create index message_of_broadcast on message (broadcast_id, id) where broadcast_id is not null;
create index message_due on message (broadcast_id, due_at, id)
  where broadcast_id is not null and status = 'queued';
-- What a node that died may have sent.
create index message_claimed on message (tenant_id, app_id, id) where status = 'sending';
-- A repeat of what came in is dropped by it, and a report finds its message.
create unique index message_provider_id on message (app_id, provider_id, direction)
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
  id bigint generated always as identity primary key,
  tenant_id uuid not null,
  environment text not null,
  app_id text not null,
  provider_id text not null,
  report jsonb not null,
  created_at timestamptz not null
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
  place smallint not null,
  total smallint not null,
  provider_id text not null,
  text text not null,
  created_at timestamptz not null,
  primary key (tenant_id, app_id, address, reference, place)
);
create index on text_part using brin (created_at);
call isolate('text_part', system => true);
