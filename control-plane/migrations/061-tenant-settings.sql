-- What a tenant's customers see of it; the same in both environments.
create table branding (
  tenant_id uuid primary key references tenant,
  custom_domain text unique check (length(custom_domain) <= 253),
  logo bytea check (length(logo) <= 262144),
  logo_type text check (logo_type in ('image/png', 'image/jpeg')),
  sender_name text check (length(sender_name) <= 100),
  sender_address text check (length(sender_address) <= 254),
  updated_at timestamptz not null,
  check ((logo is null) = (logo_type is null))
);
call isolate('branding');

-- For filtering across an organization's tenants and records.
create table tag (
  id text primary key,
  tenant_id uuid not null references tenant,
  name text not null check (length(name) between 1 and 100),
  colour text check (colour ~ '^#[0-9a-f]{6}$'),
  created_at timestamptz not null
);
create unique index on tag (tenant_id, lower(name));
create index on tag (tenant_id, id);
call isolate('tag');

-- The business account on the chat-app network.
create table waba (
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  account_id text not null,
  name text,
  currency text,
  time_zone text,
  phone_numbers jsonb not null default '[]',
  updated_at timestamptz not null,
  primary key (tenant_id, environment)
);
call isolate('waba');
