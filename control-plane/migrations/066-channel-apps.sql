-- A number, bot or agent through which a tenant sends: one account at one provider. Deleted ones are
-- hidden, because messages refer to them.
create table channel_app (
  id text primary key,
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  channel text not null check (channel in ('wa', 'sms', 'botchat', 'rcs')),
  provider text not null,
  name text not null check (length(name) between 1 and 100),
  -- Sealed JSON.
  settings text not null,
  -- Takes webhooks that no signature proves.
  allow_unsigned boolean not null default false,
  -- Sends again what a crash left unknown, though it may then come twice.
  resend_unknown boolean not null default false,
  state text not null default 'active' check (state in ('active', 'stopped')),
  -- Why the provider or a person stopped it.
  stopped_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  unique (tenant_id, environment, id)
);
create unique index channel_app_name on channel_app (tenant_id, environment, channel, name)
  where deleted_at is null;
call isolate('channel_app', system => true);

-- Whose app a webhook is for: a provider calls without a key, and says no tenant.
create function owner_of_app(app_id text) returns table (tenant_id uuid, environment text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select a.tenant_id, a.environment from channel_app a where a.id = app_id and a.deleted_at is null
  $$;

-- Proofs of webhooks that may be used by one request only.
create table webhook_proof (
  tenant_id uuid not null,
  app_id text not null,
  proof text not null check (length(proof) between 1 and 200),
  created_at timestamptz not null,
  primary key (tenant_id, app_id, proof)
);
create index on webhook_proof using brin (created_at);
call isolate('webhook_proof', system => true);
