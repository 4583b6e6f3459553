-- A call and its detail record. `intent` is written before the provider is asked: a row
-- that a crash left at `asked` may be ringing, and is never asked for again.
create table voice_call (
  id text primary key,
  tenant_id uuid not null references tenant,
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
  duration_seconds int,
  billed_seconds int,
  cost numeric(24, 6),
  created_at timestamptz not null,
  rang_at timestamptz,
  answered_at timestamptz,
  ended_at timestamptz,
  foreign key (tenant_id, environment, provider_id)
    references voice_provider (tenant_id, environment, id),
  foreign key (tenant_id, environment, template_id)
    references voice_template (tenant_id, environment, id),
  unique (tenant_id, environment, id)
);
create index on voice_call (tenant_id, environment, to_number, id);
create index on voice_call (tenant_id, environment, status, id);
create index on voice_call (tenant_id, environment, provider_id, id);
create unique index voice_call_of_provider on voice_call (tenant_id, provider_id, provider_call_id)
  where provider_call_id is not null;
call isolate('voice_call');

-- What befell calls, in the order it was told; `once` drops what is told again.
create table voice_call_event (
  id text primary key,
  tenant_id uuid not null,
  environment text not null,
  call_id text not null,
  kind text not null check (kind in
    ('ringing', 'answered', 'dtmf', 'transfer', 'recording', 'hangup', 'leg')),
  once text not null,
  data jsonb not null,
  at timestamptz not null,
  foreign key (tenant_id, environment, call_id)
    references voice_call (tenant_id, environment, id),
  unique (tenant_id, call_id, once)
);
create index on voice_call_event (tenant_id, environment, id);
create index on voice_call_event (tenant_id, environment, call_id, id);
call isolate('voice_call_event');
