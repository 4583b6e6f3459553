-- Whoever the flow of a call dialled, each with its own record and cost. A row is written before the
-- provider is given the document that dials, so what is told later always finds it; the provider's id
-- comes with the first that is told.
create table voice_call_leg (
  id text primary key,
  tenant_id uuid not null,
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
  foreign key (tenant_id, environment, call_id)
    references voice_call (tenant_id, environment, id),
  unique (tenant_id, call_id, number)
);
create unique index on voice_call_leg (tenant_id, call_id, provider_leg_id)
  where provider_leg_id is not null;
call isolate('voice_call_leg');

-- Parts of `reserved` and of `cost`, which are the whole call's.
alter table voice_call add column legs_reserved numeric(24, 6) not null default 0;
alter table voice_call add column legs_cost numeric(24, 6) not null default 0;
-- Legs that were dialled and are not known to be over: their money stays promised.
alter table voice_call add column legs_open int not null default 0 check (legs_open >= 0);
