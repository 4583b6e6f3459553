-- What a tenant says of its own company, for all its connectors: fills what a source does not hold.
create table company (
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  -- { "legal_name": "…", "country": "AE", "trn": "…" }
  profile jsonb not null,
  updated_at timestamptz not null,
  primary key (tenant_id, environment)
);
call isolate('company');
