-- One message to many people. Who they are is not known before `schedule_at`: then the segment's
-- contacts become rows of `message`, all in one transaction.
create table broadcast (
  id text primary key,
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  channel text not null check (channel in ('wa', 'sms', 'botchat', 'rcs')),
  app_id text not null,
  template_id text not null,
  template text not null,
  language text not null,
  segment_id text not null,
  segment text not null,
  -- Variable of the template → where its value comes from.
  variables jsonb not null,
  -- Of people who have no `time_zone` among their attributes.
  time_zone text not null,
  quiet_from text,
  quiet_to text,
  require_consent boolean not null,
  track_urls boolean not null,
  schedule_at timestamptz not null,
  state text not null
    check (state in ('queued', 'running', 'paused', 'completed', 'failed', 'canceled')),
  -- Why it paused or failed: a code, and what there is to say to it.
  reason text,
  detail text,
  recipients int not null default 0,
  -- Reason → how many people were left out for it.
  skipped jsonb not null default '{}',
  -- What it costs at most; null: nothing is asked for the channel.
  cost numeric(24, 6),
  currency text,
  -- Time zones of the recipients.
  zones jsonb not null default '[]',
  author text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  check ((quiet_from is null) = (quiet_to is null))
);
create index on broadcast (tenant_id, environment, id);
call isolate('broadcast', system => true);

-- The clock that quiet hours go by; of broadcasts' messages only.
alter table message add column time_zone text;

-- A status change touches every index anyway, so one that begins with the status costs nothing more,
-- and pages by status need no scan.
drop index message_of_broadcast;
create index message_of_broadcast on message (broadcast_id, status, id)
  where broadcast_id is not null;
