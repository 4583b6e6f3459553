-- An address that messages of a broadcast lead to, with what became of it.
create table tracked_url (
  id text primary key,
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  broadcast_id text not null,
  url text not null check (length(url) <= 2000),
  -- Messages that it stands in.
  links int not null,
  -- Of people, and how many of the messages they came from.
  clicks int not null default 0,
  unique_clicks int not null default 0,
  bot_clicks int not null default 0
);
-- An address may be longer than an index takes.
create unique index on tracked_url (broadcast_id, md5(url));
create index on tracked_url (tenant_id, environment, id);
create index on tracked_url (broadcast_id, id);
call isolate('tracked_url', system => true);

-- One address in one message, under the code that stands for it.
create table short_link (
  code text primary key check (code ~ '^[0-9a-hjkmnp-tv-z]{8,16}$'),
  tenant_id uuid not null,
  environment text not null,
  broadcast_id text not null,
  message_id text not null,
  url_id text not null,
  first_click_at timestamptz
);
call isolate('short_link', system => true);

create table link_click (
  id text primary key,
  tenant_id uuid not null,
  environment text not null,
  broadcast_id text not null,
  message_id text not null,
  url_id text not null,
  code text not null,
  -- A program that looked at it, not a person.
  is_bot boolean not null,
  user_agent text,
  clicked_at timestamptz not null
);
create index on link_click (tenant_id, environment, id);
create index on link_click (broadcast_id, id);
call isolate('link_click', system => true);

-- What people did with a message of a broadcast, each counted once a message.
create table broadcast_response (
  message_id text primary key,
  tenant_id uuid not null,
  broadcast_id text not null,
  clicked_at timestamptz,
  replied_at timestamptz
);
call isolate('broadcast_response');

-- Where a code leads: whoever opens it says no tenant.
create function find_short_link(wanted text, of_environment text)
  returns table (tenant_id uuid, broadcast_id text, channel text, message_id text, url_id text,
    url text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select l.tenant_id, l.broadcast_id, b.channel, l.message_id, l.url_id, u.url
    from short_link l join tracked_url u on u.id = l.url_id
    join broadcast b on b.id = l.broadcast_id
    where l.code = wanted and l.environment = of_environment
  $$;

-- Which of these codes stand for something already, whosever.
create function taken_codes(codes text[]) returns setof text
  language sql stable security definer set search_path = public, pg_temp as $$
    select code from short_link where code = any(codes)
  $$;
