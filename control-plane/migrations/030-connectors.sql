-- A connector binds one client ERP. What was submitted through it keeps referring to it, so it is never deleted, only hidden.
create table connector (
  id text primary key,
  tenant_id uuid not null references tenant,
  pattern text not null check (pattern in ('API', 'database', 'file', 'agent', 'email')),
  kind text not null,
  name text not null check (length(name) between 1 and 200),
  agent_id text,
  default_profile text,
  duplicates text not null default 'warn' check (duplicates in ('warn', 'reject')),
  -- Sealed JSON: it may hold passwords.
  settings text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  unique (tenant_id, id)
);
call isolate('connector');

-- From the ERP's columns to the model, for one profile.
create table mapping (
  tenant_id uuid not null references tenant,
  connector_id text not null,
  profile text not null,
  version integer not null default 1,
  document jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, connector_id, profile),
  foreign key (tenant_id, connector_id) references connector (tenant_id, id)
);
call isolate('mapping');
