-- Since when nobody knows what became of it.
alter table message add column unknown_at timestamptz;
-- When what was held for it was given back, because nothing was heard in the time in which its
-- provider's reports come.
alter table message add column hold_released_at timestamptz;
update message set unknown_at = now() where status = 'unknown';
create index message_unheard on message (unknown_at)
  where status = 'unknown' and hold_released_at is null and price is not null;

-- Messages of these providers of which nobody has known anything since before these instants, the
-- oldest first.
create function unheard_messages(providers text[], befores timestamptz[], most int)
  returns table (tenant_id uuid, environment text, id text)
  language sql stable security definer set search_path = public, pg_temp as $$
  select m.tenant_id, m.environment, m.id
  from message m join channel_app a on a.id = m.app_id
  join unnest(providers, befores) as p (provider, before) on p.provider = a.provider
  where m.status = 'unknown' and m.hold_released_at is null and m.price is not null
    and m.unknown_at < p.before
    and m.unknown_at < (select max(b) from unnest(befores) b)
  order by m.unknown_at limit most
$$;
