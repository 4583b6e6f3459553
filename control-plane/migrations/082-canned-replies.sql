-- Texts that a team answers with often. Its shortcut is what people type to find one.
create table canned_reply (
  tenant_id uuid not null references tenant,
  id text not null,
  environment text not null check (environment in ('live', 'sandbox')),
  shortcut text not null check (shortcut ~ '^[a-z0-9][a-z0-9_-]{0,31}$'),
  title text not null check (length(title) between 1 and 100),
  text text not null check (length(text) between 1 and 5000),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, environment, id),
  unique (tenant_id, environment, shortcut)
);
call isolate('canned_reply');
