-- Which thing a request with an Idempotency-Key made. Kept as long as the thing; whoever deletes that
-- deletes this.
create table idempotency (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  route text not null,
  key text not null,
  fingerprint text not null check (length(fingerprint) = 64),
  made_id text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, environment, route, key)
);
create index on idempotency (tenant_id, made_id);
call isolate('idempotency');
