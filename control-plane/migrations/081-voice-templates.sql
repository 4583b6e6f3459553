-- Call flows. A flow is never changed: a call keeps to the one it began with.
create table voice_template (
  id text primary key,
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  name text not null check (length(name) between 1 and 100),
  flow jsonb not null,
  created_at timestamptz not null,
  -- No longer shown, nor used for new calls.
  removed_at timestamptz,
  unique (tenant_id, environment, id)
);
create index on voice_template (tenant_id, environment, id) where removed_at is null;
call isolate('voice_template');
