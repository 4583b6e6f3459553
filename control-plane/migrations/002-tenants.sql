create table api_key (
  tenant_id uuid not null references tenant,
  id text not null,
  -- Which service it opens: sk (e-invoicing) or jc (messaging).
  family text not null check (family in ('sk', 'jc')),
  environment text not null check (environment in ('live', 'sandbox')),
  name text not null check (length(name) between 1 and 200),
  shown text not null,
  hash bytea not null check (length(hash) = 32),
  scopes jsonb not null,
  -- CIDR ranges; empty: from anywhere.
  allowed_ips jsonb not null default '[]',
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (tenant_id, id)
);
create index on api_key (tenant_id, created_at);
create trigger directory after insert or delete on api_key
  for each row execute function keep_in_directory('api_key', 'id');
call isolate('api_key', system => true);

-- Before a key is known there is no tenant, so these two look across tenants.
create function find_api_key(wanted text) returns table (key api_key, limits jsonb)
  language sql stable security definer set search_path = public, pg_temp as $$
    select k, t.limits from api_key k join tenant t on t.id = k.tenant_id
    where k.tenant_id = tenant_of('api_key', wanted) and k.id = wanted
  $$;

create function touch_api_keys(ids text[], used timestamptz[]) returns void
  language sql security definer set search_path = public, pg_temp as $$
    update api_key set last_used_at = greatest(last_used_at, seen.used)
    from unnest(ids, used) as seen (id, used)
    join tenant_directory d on d.kind = 'api_key' and d.key = seen.id
    where api_key.tenant_id = d.tenant_id and api_key.id = seen.id
  $$;

-- A person, known by an address, who may belong to many tenants. Before somebody is signed in there
-- is no tenant, so what is asked then is asked through the functions below.
create table user_account (
  id text primary key,
  -- Lower case.
  email text not null unique check (length(email) between 3 and 254),
  name text not null check (length(name) between 1 and 200),
  -- argon2id, in its own notation.
  password_hash text not null,
  created_at timestamptz not null
);
alter table user_account enable row level security;
alter table user_account force row level security;

create table member (
  tenant_id uuid not null references tenant,
  user_id text not null references user_account,
  role text not null,
  created_at timestamptz not null,
  primary key (tenant_id, user_id)
);
-- Signing in asks, before there is a tenant, to which ones a person belongs.
create index on member (user_id);
call isolate('member', system => true);

-- A tenant sees the people who are its members, and no others.
create policy fellow on user_account for select
  using (exists (select from member where user_id = user_account.id));
do $$ begin
  execute format('create policy owner on user_account to %I using (true) with check (true)',
    current_user);
end $$;

-- Asked to join; the token itself is in a mail and nowhere else.
create table invitation (
  tenant_id uuid not null references tenant,
  id text not null,
  email text not null check (length(email) between 3 and 254),
  role text not null,
  token_hash bytea not null check (length(token_hash) = 32),
  invited_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id)
);
create unique index on invitation (tenant_id, email);
create trigger directory after insert or update of token_hash or delete on invitation
  for each row execute function keep_in_directory('invitation', 'token_hash');
call isolate('invitation', system => true);

-- One signing in and all that was refreshed from it. Only the newest refresh token is good; an older
-- one that comes again means that somebody has a copy, and ends the session.
create table session (
  tenant_id uuid not null,
  id text not null,
  user_id text not null,
  environment text not null check (environment in ('live', 'sandbox')),
  refresh_id text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references member on delete cascade
);
create index on session (tenant_id, user_id);
create index on session (expires_at);
create trigger directory after insert or delete on session
  for each row execute function keep_in_directory('session', 'id');
call isolate('session', system => true);

-- Keys that sign tokens, sealed; the newest signs, all verify.
create table signing_key (
  id text primary key,
  public_jwk jsonb not null,
  sealed_private_jwk text not null,
  created_at timestamptz not null default clock_timestamp()
);

-- When signing in was tried, by account and by address of the network.
create unlogged table sign_in_window (
  key text primary key,
  tried_at timestamptz[] not null
);
create index on sign_in_window ((tried_at[cardinality(tried_at)]));

-- Counts one try of every key, unless one of them has had `most` tries within the window: then none
-- is counted, and the answer is the seconds until one more is. Counted before the password is looked
-- at, so that a thousand tries at once are no more than `most`.
create function take_sign_in(keys text[], mosts int[], window_seconds int)
  returns double precision
  language plpgsql as $$
declare
  now_at timestamptz;
  wait double precision;
begin
  insert into sign_in_window (key, tried_at) select k, '{}' from unnest(keys) k order by k
    on conflict (key) do nothing;
  perform from sign_in_window where key = any(keys) order by key for update;
  now_at := clock_timestamp();
  update sign_in_window set tried_at = array(
      select t from unnest(tried_at) t where t > now_at - window_seconds * interval '1 s' order by t)
    where key = any(keys);
  select max(extract(epoch from w.tried_at[cardinality(w.tried_at) - limits.most + 1] - now_at)
      + window_seconds) into wait
    from unnest(keys, mosts) as limits (key, most) join sign_in_window w using (key)
    where cardinality(w.tried_at) >= limits.most;
  if wait is not null then return greatest(wait, 0.001); end if;
  update sign_in_window set tried_at = tried_at || now_at where key = any(keys);
  return null;
end $$;

-- For signing in: the person behind an address.
create function find_account(wanted text) returns setof user_account
  language sql stable security definer set search_path = public, pg_temp as $$
    select * from user_account where email = wanted
  $$;

create function add_account(new_id text, address text, full_name text, hash text, at timestamptz)
  returns void
  language sql security definer set search_path = public, pg_temp as $$
    insert into user_account values (new_id, address, full_name, hash, at)
  $$;

-- The tenants that a person belongs to, oldest membership first.
create function memberships_of(wanted text) returns table (tenant_id uuid, name text, role text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select m.tenant_id, t.name, m.role from member m join tenant t on t.id = m.tenant_id
    where m.user_id = wanted order by m.created_at, m.tenant_id
  $$;

-- A session that has not ended, with the role that its person has now.
create function find_session(wanted text)
  returns table (tenant_id uuid, user_id text, role text, limits jsonb)
  language sql stable security definer set search_path = public, pg_temp as $$
    select s.tenant_id, s.user_id, m.role, t.limits from session s
    join member m on m.tenant_id = s.tenant_id and m.user_id = s.user_id
    join tenant t on t.id = s.tenant_id
    where s.tenant_id = tenant_of('session', wanted) and s.id = wanted and s.revoked_at is null
  $$;

-- Uses an invitation up; the answer is what it was for.
create function take_invitation(hash bytea, at timestamptz)
  returns table (tenant_id uuid, email text, role text)
  language sql security definer set search_path = public, pg_temp as $$
    delete from invitation where tenant_id = tenant_of('invitation', hash_key(hash))
      and token_hash = hash and expires_at > at
    returning tenant_id, email, role
  $$;

create function find_invitation(hash bytea, at timestamptz)
  returns table (tenant_id uuid, email text, role text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select tenant_id, email, role from invitation
    where tenant_id = tenant_of('invitation', hash_key(hash)) and token_hash = hash
      and expires_at > at
  $$;

create function sweep_sign_in(sessions_before timestamptz, windows_before timestamptz) returns void
  language sql security definer set search_path = public, pg_temp as $$
    delete from session where expires_at < sessions_before;
    delete from sign_in_window
      where coalesce(tried_at[cardinality(tried_at)], '-infinity') < windows_before;
  $$;

-- Who was a member once: what they wrote stays, and a record of it says who they were.
create table departed_member (
  tenant_id uuid not null references tenant,
  user_id text not null,
  name text not null,
  email text not null,
  departed_at timestamptz not null default now(),
  primary key (tenant_id, user_id)
);
call isolate('departed_member', system => true);

create function keep_departed_member() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into departed_member (tenant_id, user_id, name, email)
  select old.tenant_id, u.id, u.name, u.email from user_account u where u.id = old.user_id
  on conflict (tenant_id, user_id)
    do update set name = excluded.name, email = excluded.email, departed_at = now();
  return null;
end $$;
create trigger departed after delete on member
  for each row execute function keep_departed_member();

-- What a tenant's customers see of it; the same in both environments.
create table branding (
  tenant_id uuid not null references tenant,
  custom_domain text check (length(custom_domain) <= 253),
  logo bytea check (length(logo) <= 262144),
  logo_type text check (logo_type in ('image/png', 'image/jpeg')),
  sender_name text check (length(sender_name) <= 100),
  sender_address text check (length(sender_address) <= 254),
  updated_at timestamptz not null,
  primary key (tenant_id),
  check ((logo is null) = (logo_type is null))
);
create trigger directory after insert or update of custom_domain or delete on branding
  for each row execute function keep_in_directory('custom_domain', 'custom_domain');
call isolate('branding');

-- For filtering across an organization's tenants and records.
create table tag (
  tenant_id uuid not null references tenant,
  id text not null,
  name text not null check (length(name) between 1 and 100),
  colour text check (colour ~ '^#[0-9a-f]{6}$'),
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create unique index on tag (tenant_id, lower(name));
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

-- What a tenant has paid the host in advance. `reserved` is promised to messages on their way: it
-- cannot be spent again, and these checks hold whatever races.
create table wallet (
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  balance numeric(24, 6) not null default 0 check (balance >= 0),
  reserved numeric(24, 6) not null default 0 check (reserved >= 0),
  -- Below this what is free in the wallet is told as low; null: a hundred times the dearest message.
  low_at numeric(24, 6) check (low_at >= 0),
  -- Told as low, and not topped up since.
  is_low boolean not null default false,
  primary key (tenant_id, environment),
  check (reserved <= balance)
);
call isolate('wallet', system => true);

-- A promise of the wallet to one thing, named by it; asked for twice, it is one.
create table wallet_hold (
  tenant_id uuid not null,
  environment text not null,
  reference text not null check (length(reference) between 1 and 200),
  amount numeric(24, 6) not null check (amount >= 0),
  state text not null default 'open' check (state in ('open', 'settled', 'released')),
  created_at timestamptz not null,
  primary key (tenant_id, environment, reference),
  foreign key (tenant_id, environment) references wallet
);
call isolate('wallet_hold');

-- Every change of the balance, never changed itself: the balance is the sum of its amounts.
create table wallet_entry (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  kind text not null check (kind in ('top_up', 'correction', 'charge')),
  amount numeric(24, 6) not null,
  balance_after numeric(24, 6) not null,
  reference text not null,
  created_at timestamptz not null,
  primary key (tenant_id, environment, id),
  unique (tenant_id, environment, kind, reference),
  foreign key (tenant_id, environment) references wallet
);
call isolate('wallet_entry');

-- What the host asks for one message or minute, by channel and the beginning of the number.
create table price (
  channel text not null check (channel in ('wa', 'sms', 'botchat', 'rcs', 'voice')),
  prefix text not null check (prefix ~ '^(\+[1-9][0-9]{0,14})?$'),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount numeric(24, 6) not null check (amount >= 0),
  primary key (channel, currency, prefix)
);

-- Whether it is low now; null when the host sells nothing in its currency.
create function is_below_low(w wallet) returns boolean language sql stable as $$
  select w.balance - w.reserved < coalesce(w.low_at, 100 * (select max(amount) from price p
    where p.currency = w.currency))
$$;

-- Wallets that became low, or are low no more, where that is not written down yet. Over all tenants.
create function wallets_with_changed_level() returns table (tenant_id uuid, environment text)
  language sql stable security definer set search_path = public, pg_temp as $$
  select w.tenant_id, w.environment from wallet w where is_below_low(w) <> w.is_low
$$;
