-- Where a tenant's events are sent. Deleted ones are hidden, because their deliveries refer to them.
create table webhook_endpoint (
  id text primary key,
  tenant_id uuid not null references tenant,
  service text not null check (service in ('einvoice', 'messaging')),
  -- Null: events of both environments.
  environment text check (environment in ('live', 'sandbox')),
  url text not null check (length(url) between 1 and 2000),
  -- Event names, or all of a subject (`invoice.*`); empty: every event.
  event_types text[] not null default '{}',
  description text not null default '' check (length(description) <= 500),
  state text not null default 'active' check (state in ('active', 'degraded', 'disabled')),
  disabled_reason text check (disabled_reason in ('requested', 'gone', 'failing')),
  -- [{ id, sealed, created_at, expires_at }], newest first.
  secrets jsonb not null,
  breaker jsonb not null default '{"state":"closed","probeAtMs":0,"samples":[]}',
  failing_since timestamptz,
  -- Requests a second, retries included.
  rate integer not null default 200 check (rate between 1 and 200),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index webhook_endpoint_of_tenant on webhook_endpoint (tenant_id, service, id);
call isolate('webhook_endpoint', system => true);

-- What happened, written in the transaction in which it happened. The text of the payload is what gets signed.
create table webhook_event (
  id text primary key,
  tenant_id uuid not null,
  environment text not null,
  service text not null,
  type text not null,
  subject_id text not null,
  payload json not null,
  created_at timestamptz not null
);
create index webhook_event_of_invoice on webhook_event (subject_id) where service = 'einvoice';
call isolate('webhook_event', system => true);

-- One event on its way to one endpoint. No foreign keys: rows come by the hundred, from one statement.
create table webhook_delivery (
  endpoint_id text not null,
  environment text not null,
  event_id text not null,
  tenant_id uuid not null,
  -- Order of the events, which their ids have by the millisecond only.
  seq bigint not null generated always as identity,
  subject_id text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempt smallint not null default 0,
  -- Attempts that had been made when the schedule last began: at first, or with a resend.
  round_start smallint not null default 0,
  next_at timestamptz not null default now(),
  is_test boolean not null default false,
  last_status smallint,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  primary key (endpoint_id, environment, event_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 1);
create index webhook_delivery_pending on webhook_delivery (endpoint_id, environment, event_id)
  where state = 'pending';
create index webhook_delivery_failed on webhook_delivery (endpoint_id, environment, event_id)
  where state = 'failed';
create index webhook_delivery_fresh on webhook_delivery (endpoint_id, seq)
  where state = 'pending' and attempt = round_start;
create index webhook_delivery_retry on webhook_delivery (endpoint_id, next_at)
  where state = 'pending' and attempt > round_start;
-- Rows lie in the order of time, so a few pages of index find the old ones.
create index webhook_delivery_by_age on webhook_delivery using brin (created_at);
-- Until its second attempt an event keeps later ones of its subject back.
create index webhook_delivery_blocking on webhook_delivery (endpoint_id, subject_id)
  where state = 'pending' and attempt = round_start + 1;
create index webhook_delivery_test on webhook_delivery (endpoint_id)
  where state = 'pending' and is_test;
call isolate('webhook_delivery', system => true);

create table webhook_attempt (
  endpoint_id text not null,
  event_id text not null,
  n smallint not null,
  tenant_id uuid not null,
  at timestamptz not null,
  ms integer not null,
  status smallint,
  error text,
  response_head text not null,
  response_body text not null,
  primary key (endpoint_id, event_id, n)
);
call isolate('webhook_attempt', system => true);

-- Which process sends to an endpoint: one at a time, or its rate would not be exact. The same lease
-- keeps a delivery from being sent twice at once, and fences off what a former owner still writes.
create table webhook_lane (
  endpoint_id text primary key,
  tenant_id uuid not null,
  owner uuid not null,
  until timestamptz not null,
  -- A second after the former owner may last have sent.
  ready_at timestamptz not null
);
call isolate('webhook_lane', system => true);
