-- Accounts at voice providers and PBXs through which a tenant calls. The settings are one sealed
-- text: nobody who reads the table learns a credential.
create table voice_provider (
  id text primary key,
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  provider text not null check (length(provider) between 1 and 40),
  name text not null check (length(name) between 1 and 100),
  settings_sealed text not null,
  -- Signs the addresses of the flow, sealed too.
  flow_key_sealed text not null,
  from_number text not null check (from_number ~ '^\+[1-9][0-9]{6,14}$'),
  calls_per_second int not null check (calls_per_second between 1 and 50),
  recording_policy text not null check (recording_policy in ('free', 'announced', 'consented')),
  recording_days int not null check (recording_days between 1 and 3650),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Calls point to it, so it is kept.
  deleted_at timestamptz,
  unique (tenant_id, environment, id)
);
create index on voice_provider (tenant_id, environment, id) where deleted_at is null;
call isolate('voice_provider', system => true);

-- Before a call-back has proven itself there is no tenant: this names the one it says to be for.
create function voice_provider_place(wanted text)
  returns table (tenant_id uuid, environment text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select p.tenant_id, p.environment from voice_provider p where p.id = wanted
  $$;

-- How a PBX was last heard of by the node that holds its websocket.
create table voice_trunk (
  tenant_id uuid not null,
  provider_id text not null,
  state text not null check (state in ('connecting', 'connected', 'lost')),
  since timestamptz not null,
  heard_at timestamptz,
  last_error text,
  primary key (tenant_id, provider_id),
  foreign key (provider_id) references voice_provider
);
call isolate('voice_trunk');

-- Tokens of call-backs that may be used once.
create table voice_callback_once (
  tenant_id uuid not null references tenant,
  provider_id text not null,
  token text not null check (length(token) between 1 and 200),
  seen_at timestamptz not null,
  primary key (tenant_id, provider_id, token)
);
create index on voice_callback_once (seen_at);
call isolate('voice_callback_once', system => true);

-- No call-back is taken later than some minutes after it was signed.
create function sweep_voice_callbacks(before timestamptz) returns bigint
  language sql security definer set search_path = public, pg_temp as $$
    with gone as (delete from voice_callback_once where seen_at < before returning 1)
    select count(*) from gone
  $$;
