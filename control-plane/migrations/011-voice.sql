-- Accounts at voice providers and PBXs through which a tenant calls. The settings are one sealed
-- text: nobody who reads the table learns a credential.
create table voice_provider (
  tenant_id uuid not null references tenant,
  id text not null,
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
  primary key (tenant_id, id),
  unique (tenant_id, environment, id)
);
create index on voice_provider (tenant_id, environment, id) where deleted_at is null;
create trigger directory after insert or delete on voice_provider
  for each row execute function keep_in_directory('voice_provider', 'id');
call isolate('voice_provider', system => true);

-- Before a call-back has proven itself there is no tenant: this names the one it says to be for.
create function owner_of_voice_provider(wanted text)
  returns table (tenant_id uuid, environment text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select p.tenant_id, p.environment from voice_provider p
    where p.tenant_id = tenant_of('voice_provider', wanted) and p.id = wanted
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
  foreign key (tenant_id, provider_id) references voice_provider
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

-- Call flows. A flow is never changed: a call keeps to the one it began with.
create table voice_template (
  tenant_id uuid not null references tenant,
  id text not null,
  environment text not null check (environment in ('live', 'sandbox')),
  name text not null check (length(name) between 1 and 100),
  flow jsonb not null,
  created_at timestamptz not null,
  -- No longer shown, nor used for new calls.
  removed_at timestamptz,
  primary key (tenant_id, environment, id)
);
create index on voice_template (tenant_id, environment, id) where removed_at is null;
call isolate('voice_template');

-- A call and its detail record. `intent` is written before the provider is asked: a row
-- that a crash left at `asked` may be ringing, and is never asked for again.
create table voice_call (
  tenant_id uuid not null references tenant,
  id text not null,
  environment text not null check (environment in ('live', 'sandbox')),
  provider_id text not null,
  template_id text not null,
  to_number text not null check (to_number ~ '^\+[1-9][0-9]{6,14}$'),
  from_number text not null check (from_number ~ '^\+[1-9][0-9]{6,14}$'),
  variables jsonb not null,
  is_recorded boolean not null,
  machine_detection text not null check (machine_detection in ('off', 'continue', 'hangup')),
  limit_seconds int not null,
  status text not null check (status in ('queued', 'ringing', 'in_progress', 'completed', 'busy',
    'no_answer', 'canceled', 'failed', 'machine', 'unknown')),
  intent text not null default 'waiting'
    check (intent in ('waiting', 'asked', 'placed', 'unknown', 'refused')),
  asked_at timestamptz,
  request_id text,
  provider_call_id text,
  answered_by text check (answered_by in ('human', 'machine')),
  hangup_cause text,
  error_code text,
  error_detail text,
  -- Where the flow stands; see packages/messaging/call-flow.
  flow_state jsonb not null,
  hangup_asked boolean not null default false,
  rate jsonb not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  reserved numeric(24, 6) not null,
  -- Parts of `reserved` and of `cost`, which are the whole call's.
  legs_reserved numeric(24, 6) not null default 0,
  legs_cost numeric(24, 6) not null default 0,
  -- Legs that were dialled and are not known to be over: their money stays promised.
  legs_open int not null default 0 check (legs_open >= 0),
  duration_seconds int,
  billed_seconds int,
  cost numeric(24, 6),
  created_at timestamptz not null,
  rang_at timestamptz,
  answered_at timestamptz,
  ended_at timestamptz,
  primary key (tenant_id, environment, id),
  foreign key (tenant_id, environment, provider_id)
    references voice_provider (tenant_id, environment, id),
  foreign key (tenant_id, environment, template_id)
    references voice_template (tenant_id, environment, id)
);
create index on voice_call (tenant_id, environment, to_number, id);
create index on voice_call (tenant_id, environment, status, id);
create index on voice_call (tenant_id, environment, provider_id, id);
create unique index voice_call_of_provider on voice_call (tenant_id, provider_id, provider_call_id)
  where provider_call_id is not null;
call isolate('voice_call');

-- What befell calls, in the order it was told; `once` drops what is told again.
create table voice_call_event (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  call_id text not null,
  kind text not null check (kind in
    ('ringing', 'answered', 'dtmf', 'transfer', 'recording', 'hangup', 'leg')),
  once text not null,
  data jsonb not null,
  at timestamptz not null,
  primary key (tenant_id, environment, id),
  foreign key (tenant_id, environment, call_id)
    references voice_call (tenant_id, environment, id),
  unique (tenant_id, call_id, once)
);
create index on voice_call_event (tenant_id, environment, call_id, id);
call isolate('voice_call_event');

-- Whoever the flow of a call dialled, each with its own record and cost. A row is written before the
-- provider is given the document that dials, so what is told later always finds it; the provider's id
-- comes with the first that is told.
create table voice_call_leg (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  call_id text not null,
  -- The call itself is 1.
  number int not null check (number >= 2),
  -- The document that dialled it, by its place in the call, and the node of the flow.
  document int not null,
  node text not null,
  to_address text not null check (length(to_address) between 1 and 300),
  provider_leg_id text,
  status text not null check (status in ('queued', 'ringing', 'in_progress', 'completed', 'busy',
    'no_answer', 'canceled', 'failed', 'unknown')),
  cause text,
  -- As it was when the leg was dialled; null: nothing prices it.
  rate jsonb,
  started_at timestamptz not null,
  answered_at timestamptz,
  -- With it the leg is over, as far as anybody knows.
  ended_at timestamptz,
  duration_seconds int,
  billed_seconds int,
  cost numeric(24, 6) check (cost >= 0),
  primary key (tenant_id, id),
  foreign key (tenant_id, environment, call_id)
    references voice_call (tenant_id, environment, id),
  unique (tenant_id, call_id, number)
);
create unique index on voice_call_leg (tenant_id, call_id, provider_leg_id)
  where provider_leg_id is not null;
call isolate('voice_call_leg');

-- Sound of calls. The file is in the object store; the row stays when the file's time is over.
create table voice_recording (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  call_id text not null,
  provider_recording_id text not null,
  -- Where the provider has it; forgotten once it is here.
  source_url text,
  state text not null default 'fetching'
    check (state in ('fetching', 'stored', 'failed', 'deleted')),
  media_type text,
  bytes bigint,
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  object_key text,
  duration_seconds int,
  error text,
  created_at timestamptz not null,
  stored_at timestamptz,
  delete_after timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, environment, call_id)
    references voice_call (tenant_id, environment, id),
  unique (tenant_id, call_id, provider_recording_id)
);
create index on voice_recording (tenant_id, environment, id);
create index on voice_recording (delete_after) where state = 'stored';
call isolate('voice_recording', system => true);

-- Files whose time is over, over all tenants.
create function voice_recordings_over(at timestamptz, most int)
  returns table (tenant_id uuid, id text, object_key text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select r.tenant_id, r.id, r.object_key from voice_recording r
    where r.state = 'stored' and r.delete_after <= at order by r.delete_after limit most
  $$;

-- Every yes and no to being recorded, with what proves it; never changed.
create table voice_recording_consent (
  tenant_id uuid not null references tenant,
  id text not null,
  environment text not null check (environment in ('live', 'sandbox')),
  phone text not null check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  call_id text,
  state text not null check (state in ('granted', 'revoked')),
  method text not null,
  evidence text not null check (length(evidence) between 1 and 2000),
  recorded_by text not null,
  given_at timestamptz not null,
  created_at timestamptz not null,
  primary key (tenant_id, environment, id),
  foreign key (tenant_id, environment, call_id)
    references voice_call (tenant_id, environment, id)
);
create index on voice_recording_consent (tenant_id, environment, phone, id);
call isolate('voice_recording_consent');

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed', tg_table_name;
end $$;
create trigger append_only before update or delete on voice_recording_consent
  for each row execute function refuse_change();

-- What calls to numbers cost, by the beginning of the number and the time.
create table voice_rate (
  tenant_id uuid not null references tenant,
  id text not null,
  environment text not null check (environment in ('live', 'sandbox')),
  prefix text not null check (prefix ~ '^\+([1-9][0-9]{0,14})?$'),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  per_minute numeric(24, 6) not null check (per_minute >= 0),
  connection_fee numeric(24, 6) not null check (connection_fee >= 0),
  first_seconds int not null check (first_seconds between 1 and 3600),
  step_seconds int not null check (step_seconds between 1 and 3600),
  valid_from timestamptz not null,
  valid_until timestamptz check (valid_until > valid_from),
  created_at timestamptz not null,
  primary key (tenant_id, environment, id),
  unique (tenant_id, environment, currency, prefix, valid_from)
);
call isolate('voice_rate');
