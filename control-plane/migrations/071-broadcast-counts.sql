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
  primary key (broadcast_id, hour)
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
  id bigint generated always as identity primary key,
  tenant_id uuid not null,
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
      on conflict (broadcast_id, hour) do update set unknown = c.unknown + excluded.unknown,
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
