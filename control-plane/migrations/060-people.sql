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
  id text primary key,
  tenant_id uuid not null references tenant,
  email text not null check (length(email) between 3 and 254),
  role text not null,
  token_hash bytea not null unique check (length(token_hash) = 32),
  invited_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create unique index on invitation (tenant_id, email);
call isolate('invitation', system => true);

-- One signing in and all that was refreshed from it. Only the newest refresh token is good; an older
-- one that comes again means that somebody has a copy, and ends the session.
create table session (
  id text primary key,
  tenant_id uuid not null,
  user_id text not null,
  environment text not null check (environment in ('live', 'sandbox')),
  refresh_id text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  foreign key (tenant_id, user_id) references member on delete cascade
);
create index on session (tenant_id, user_id);
create index on session (expires_at);
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
    where s.id = wanted and s.revoked_at is null
  $$;

-- Uses an invitation up; the answer is what it was for.
create function take_invitation(hash bytea, at timestamptz)
  returns table (tenant_id uuid, email text, role text)
  language sql security definer set search_path = public, pg_temp as $$
    delete from invitation where token_hash = hash and expires_at > at
    returning tenant_id, email, role
  $$;

create function find_invitation(hash bytea, at timestamptz)
  returns table (tenant_id uuid, email text, role text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select tenant_id, email, role from invitation where token_hash = hash and expires_at > at
  $$;

create function sweep_sign_in(sessions_before timestamptz, windows_before timestamptz) returns void
  language sql security definer set search_path = public, pg_temp as $$
    delete from session where expires_at < sessions_before;
    delete from sign_in_window
      where coalesce(tried_at[cardinality(tried_at)], '-infinity') < windows_before;
  $$;
