-- When a tenant's team is there, and how soon it promises to answer.
create table inbox_settings (
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  time_zone text not null,
  weekly_hours jsonb not null,
  holidays jsonb not null,
  first_response_minutes int check (first_response_minutes > 0),
  next_response_minutes int check (next_response_minutes > 0),
  updated_at timestamptz not null,
  primary key (tenant_id, environment)
);
call isolate('inbox_settings');

-- What the team tells itself; the contact never sees it.
create table conversation_note (
  id text primary key,
  tenant_id uuid not null,
  environment text not null,
  conversation_id text not null,
  author text not null,
  text text not null check (length(text) between 1 and 10000),
  created_at timestamptz not null,
  foreign key (tenant_id, environment, conversation_id)
    references conversation (tenant_id, environment, id) on delete cascade
);
create index on conversation_note (tenant_id, environment, conversation_id, id);
call isolate('conversation_note');

-- Files of the team; their bytes are in the object store under `object_key`.
create table conversation_attachment (
  id text primary key,
  tenant_id uuid not null,
  environment text not null,
  conversation_id text not null,
  name text not null check (length(name) between 1 and 255),
  -- Told from the bytes.
  media_type text not null,
  bytes bigint not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  object_key text not null,
  author text not null,
  created_at timestamptz not null,
  foreign key (tenant_id, environment, conversation_id)
    references conversation (tenant_id, environment, id) on delete cascade
);
create index on conversation_attachment (tenant_id, environment, conversation_id, id);
call isolate('conversation_attachment');

-- How much was said, by quarters of an hour, so that any period is a sum of few rows. Spread over
-- slots, so that transactions seldom wait for each other's row.
create table inbox_volume (
  tenant_id uuid not null,
  environment text not null,
  quarter timestamptz not null,
  channel text not null,
  direction text not null check (direction in ('in', 'out')),
  -- Who wrote it; '': the person.
  author text not null,
  slot smallint not null,
  count int not null,
  primary key (tenant_id, environment, quarter, channel, direction, author, slot)
) with (fillfactor = 70);
call isolate('inbox_volume');

-- What changed, for those who watch. Numbered by the writing transaction, because what is numbered
-- when it is written may become visible after a later number.
create table inbox_change (
  xact xid8 not null default pg_current_xact_id(),
  place bigint generated always as identity,
  tenant_id uuid not null,
  environment text not null,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null,
  primary key (tenant_id, environment, xact, place)
);
create index on inbox_change using brin (created_at);
call isolate('inbox_change', system => true);

create function sweep_inbox_changes(before timestamptz) returns void
  language sql security definer set search_path = public, pg_temp as $$
    delete from inbox_change where created_at < before;
  $$;
