-- One message to many people. Who they are is not known before `schedule_at`: then the segment's
-- contacts become rows of `message`, all in one transaction.
create table broadcast (
  tenant_id uuid not null references tenant,
  id text not null,
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
  primary key (tenant_id, environment, id),
  check ((quiet_from is null) = (quiet_to is null))
);
call isolate('broadcast', system => true);

-- What was counted, hour by hour (UTC). `sent`, `delivered` and `read` count all that came so far.
create table broadcast_count (
  tenant_id uuid not null,
  environment text not null,
  broadcast_id text not null,
  hour timestamptz not null,
  unknown int not null,
  sent int not null,
  delivered int not null,
  read int not null,
  failed int not null,
  canceled int not null,
  clicks int not null,
  bot_clicks int not null,
  clicked int not null,
  replied int not null,
  primary key (tenant_id, broadcast_id, hour)
) with (fillfactor = 70);
call isolate('broadcast_count', system => true);

-- The same over all broadcasts of a channel.
create table channel_count (
  tenant_id uuid not null,
  environment text not null,
  channel text not null,
  hour timestamptz not null,
  unknown int not null,
  sent int not null,
  delivered int not null,
  read int not null,
  failed int not null,
  canceled int not null,
  clicks int not null,
  bot_clicks int not null,
  clicked int not null,
  replied int not null,
  primary key (tenant_id, environment, channel, hour)
) with (fillfactor = 70);
call isolate('channel_count', system => true);

-- Changes that are not added yet. Whoever moves messages only inserts here, so that no two of them
-- ever wait for the same row of counts, in whatever order they hold others.
create table count_change (
  tenant_id uuid not null,
  id bigint generated always as identity primary key,
  environment text not null,
  channel text not null,
  broadcast_id text not null,
  hour timestamptz not null,
  unknown int not null,
  sent int not null,
  delivered int not null,
  read int not null,
  failed int not null,
  canceled int not null,
  clicks int not null,
  bot_clicks int not null,
  clicked int not null,
  replied int not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index on count_change (broadcast_id);
create index on count_change (tenant_id, environment);
call isolate('count_change', system => true);

-- Adds up to `most` changes to the counts; answers how many there were. One node at a time.
create function add_count_changes(most int) returns bigint
  language sql security definer set search_path = public, pg_temp as $$
    with taken as (
      delete from count_change where id in (
        select id from count_change where (select pg_try_advisory_xact_lock(7021071))
        order by id limit most)
      returning *
    ), of_broadcasts as (
      insert into broadcast_count as c
      select tenant_id, environment, broadcast_id, hour, sum(unknown), sum(sent), sum(delivered),
        sum(read), sum(failed), sum(canceled), sum(clicks), sum(bot_clicks), sum(clicked),
        sum(replied)
      from taken group by tenant_id, environment, broadcast_id, hour
      on conflict (tenant_id, broadcast_id, hour) do update set unknown = c.unknown + excluded.unknown,
        sent = c.sent + excluded.sent, delivered = c.delivered + excluded.delivered,
        read = c.read + excluded.read, failed = c.failed + excluded.failed,
        canceled = c.canceled + excluded.canceled, clicks = c.clicks + excluded.clicks,
        bot_clicks = c.bot_clicks + excluded.bot_clicks, clicked = c.clicked + excluded.clicked,
        replied = c.replied + excluded.replied
    ), of_channels as (
      insert into channel_count as c
      select tenant_id, environment, channel, hour, sum(unknown), sum(sent), sum(delivered),
        sum(read), sum(failed), sum(canceled), sum(clicks), sum(bot_clicks), sum(clicked),
        sum(replied)
      from taken group by tenant_id, environment, channel, hour
      on conflict (tenant_id, environment, channel, hour) do update set
        unknown = c.unknown + excluded.unknown,
        sent = c.sent + excluded.sent, delivered = c.delivered + excluded.delivered,
        read = c.read + excluded.read, failed = c.failed + excluded.failed,
        canceled = c.canceled + excluded.canceled, clicks = c.clicks + excluded.clicks,
        bot_clicks = c.bot_clicks + excluded.bot_clicks, clicked = c.clicked + excluded.clicked,
        replied = c.replied + excluded.replied
    )
    select count(*) from taken
  $$;

-- An address that messages of a broadcast lead to, with what became of it.
create table tracked_url (
  tenant_id uuid not null references tenant,
  id text not null,
  environment text not null check (environment in ('live', 'sandbox')),
  broadcast_id text not null,
  url text not null check (length(url) <= 2000),
  -- Messages that it stands in.
  links int not null,
  -- Of people, and how many of the messages they came from.
  clicks int not null default 0,
  primary key (tenant_id, environment, id),
  unique_clicks int not null default 0,
  bot_clicks int not null default 0
);
-- An address may be longer than an index takes.
create unique index on tracked_url (tenant_id, broadcast_id, md5(url));
create index on tracked_url (broadcast_id, id);
call isolate('tracked_url', system => true);

-- One address in one message, under the code that stands for it.
create table short_link (
  tenant_id uuid not null,
  code text not null check (code ~ '^[0-9a-hjkmnp-tv-z]{8,16}$'),
  environment text not null,
  broadcast_id text not null,
  message_id text not null,
  url_id text not null,
  first_click_at timestamptz,
  primary key (tenant_id, code)
);
call isolate('short_link', system => true);
-- Links come by the thousand, so all of a statement are listed at once.
create function list_short_links() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into tenant_directory (kind, key, tenant_id) select 'short_link', code, tenant_id from added;
  return null;
end $$;
create trigger directory after insert on short_link referencing new table as added
  for each statement execute function list_short_links();

create table link_click (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  broadcast_id text not null,
  message_id text not null,
  url_id text not null,
  code text not null,
  -- A program that looked at it, not a person.
  is_bot boolean not null,
  user_agent text,
  clicked_at timestamptz not null,
  primary key (tenant_id, environment, id)
);
create index on link_click (broadcast_id, id);
call isolate('link_click', system => true);

-- What people did with a message of a broadcast, each counted once a message.
create table broadcast_response (
  tenant_id uuid not null,
  message_id text not null,
  broadcast_id text not null,
  clicked_at timestamptz,
  replied_at timestamptz,
  primary key (tenant_id, message_id)
);
call isolate('broadcast_response');

-- Where a code leads: whoever opens it says no tenant.
create function find_short_link(wanted text, of_environment text)
  returns table (tenant_id uuid, broadcast_id text, channel text, message_id text, url_id text,
    url text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select l.tenant_id, l.broadcast_id, b.channel, l.message_id, l.url_id, u.url
    from short_link l
    join tracked_url u
      on u.tenant_id = l.tenant_id and u.environment = l.environment and u.id = l.url_id
    join broadcast b
      on b.tenant_id = l.tenant_id and b.environment = l.environment and b.id = l.broadcast_id
    where l.tenant_id = tenant_of('short_link', wanted) and l.code = wanted
      and l.environment = of_environment
  $$;

-- Which of these codes stand for something already, whosever.
create function taken_codes(codes text[]) returns setof text
  language sql stable security definer set search_path = public, pg_temp as $$
    select key from tenant_directory where kind = 'short_link' and key = any(codes)
  $$;
