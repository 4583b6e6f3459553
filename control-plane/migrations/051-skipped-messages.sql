-- A person may opt out between the fixing of an audience and the sending: such a message is skipped,
-- which is nobody's failure.
alter table broadcast_count add column skipped int not null default 0;
alter table channel_count add column skipped int not null default 0;
alter table count_change add column skipped int not null default 0;

create or replace function message_rank(status text) returns int
  language sql immutable parallel safe
  return array_position(array['queued', 'sending', 'unknown', 'sent', 'canceled', 'skipped', 'expired',
    'failed', 'delivered', 'read'], status);

create or replace function add_count_changes(most int) returns bigint
  language sql security definer set search_path = public, pg_temp as $$
    with taken as (
      delete from count_change where id in (
        select id from count_change where (select pg_try_advisory_xact_lock(7021071))
        order by id limit most)
      returning *
    ), of_broadcasts as (
      insert into broadcast_count as c (tenant_id, environment, broadcast_id, hour, unknown, sent,
        delivered, read, failed, canceled, skipped, clicks, bot_clicks, clicked, replied)
      select tenant_id, environment, broadcast_id, hour, sum(unknown), sum(sent), sum(delivered),
        sum(read), sum(failed), sum(canceled), sum(skipped), sum(clicks), sum(bot_clicks),
        sum(clicked), sum(replied)
      from taken group by tenant_id, environment, broadcast_id, hour
      on conflict (tenant_id, broadcast_id, hour) do update set unknown = c.unknown + excluded.unknown,
        sent = c.sent + excluded.sent, delivered = c.delivered + excluded.delivered,
        read = c.read + excluded.read, failed = c.failed + excluded.failed,
        canceled = c.canceled + excluded.canceled, skipped = c.skipped + excluded.skipped,
        clicks = c.clicks + excluded.clicks, bot_clicks = c.bot_clicks + excluded.bot_clicks,
        clicked = c.clicked + excluded.clicked, replied = c.replied + excluded.replied
    ), of_channels as (
      insert into channel_count as c (tenant_id, environment, channel, hour, unknown, sent, delivered,
        read, failed, canceled, skipped, clicks, bot_clicks, clicked, replied)
      select tenant_id, environment, channel, hour, sum(unknown), sum(sent), sum(delivered),
        sum(read), sum(failed), sum(canceled), sum(skipped), sum(clicks), sum(bot_clicks),
        sum(clicked), sum(replied)
      from taken group by tenant_id, environment, channel, hour
      on conflict (tenant_id, environment, channel, hour) do update set
        unknown = c.unknown + excluded.unknown,
        sent = c.sent + excluded.sent, delivered = c.delivered + excluded.delivered,
        read = c.read + excluded.read, failed = c.failed + excluded.failed,
        canceled = c.canceled + excluded.canceled, skipped = c.skipped + excluded.skipped,
        clicks = c.clicks + excluded.clicks, bot_clicks = c.bot_clicks + excluded.bot_clicks,
        clicked = c.clicked + excluded.clicked, replied = c.replied + excluded.replied
    )
    select count(*) from taken
  $$;
