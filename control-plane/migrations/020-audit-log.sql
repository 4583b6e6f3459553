-- What people, keys and the host changed, and who signed in. Append-only: see the comment below, from
-- which the application's role gets its rights.
create table audit_event (
  tenant_id uuid not null,
  -- Ids are ordered by time.
  id text not null,
  happened_at timestamptz not null,
  actor_kind text not null check (actor_kind in ('user', 'key', 'host', 'nobody')),
  actor_id text check (length(actor_id) <= 200),
  -- Which API was called, and at which address; null: neither, for example a command of the host.
  service text check (service in ('einvoice', 'messaging')),
  environment text check (environment in ('live', 'sandbox')),
  ip text check (length(ip) <= 100),
  request_id text check (length(request_id) <= 128),
  action text not null check (length(action) between 1 and 100),
  subject text check (length(subject) <= 500),
  outcome text not null check (outcome in ('done', 'refused')),
  before jsonb,
  after jsonb,
  primary key (tenant_id, id)
);
create index on audit_event (tenant_id, action, id);
create index on audit_event (tenant_id, actor_id, id);
create index on audit_event (tenant_id, subject, id);
call isolate('audit_event');

-- The same of the host itself: its commands, and who tried to sign in without being known.
create table host_audit_event (
  id text primary key,
  happened_at timestamptz not null,
  actor_kind text not null check (actor_kind in ('user', 'key', 'host', 'nobody')),
  actor_id text check (length(actor_id) <= 200),
  environment text check (environment in ('live', 'sandbox')),
  ip text check (length(ip) <= 100),
  request_id text check (length(request_id) <= 128),
  action text not null check (length(action) between 1 and 100),
  -- The tenant that it was about, if any; not whose row it is.
  about_tenant uuid,
  subject text check (length(subject) <= 500),
  outcome text not null check (outcome in ('done', 'refused')),
  before jsonb,
  after jsonb
);

comment on table audit_event is 'append-only';
comment on table host_audit_event is 'append-only';
