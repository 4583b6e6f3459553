-- What calls to numbers cost, by the beginning of the number and the time.
create table voice_rate (
  id text primary key,
  tenant_id uuid not null references tenant,
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
  unique (tenant_id, environment, currency, prefix, valid_from)
);
create index on voice_rate (tenant_id, environment, id);
call isolate('voice_rate');
