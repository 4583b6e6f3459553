-- A person changes the password, or chooses a new one by a token that a mail or the host brought; both
-- end sessions. These functions look across tenants, since a person may belong to many.
alter table session
  -- Where it began, so that its person knows it again in the list.
  add column ip text check (length(ip) <= 100),
  add column user_agent text check (length(user_agent) <= 300);
create index on session (user_id) where revoked_at is null;

-- Tokens for a new password; the token itself is in a mail and nowhere else.
create table password_reset (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id text not null references user_account,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index on password_reset (user_id);
create index on password_reset (expires_at);
comment on table password_reset is 'written by functions';

-- False when nobody has the address, or as many tokens are open already.
create function add_password_reset(
  address text, hash bytea, at timestamptz, until timestamptz, open_max int)
  returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  person text;
begin
  select id into person from user_account where email = address for update;
  if person is null then return false; end if;
  if (select count(*) from password_reset where user_id = person and expires_at > at) >= open_max
    then return false; end if;
  insert into password_reset values (hash, person, at, until);
  return true;
end $$;

create function is_password_reset(hash bytea, at timestamptz) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
    select exists (select from password_reset where token_hash = hash and expires_at > at)
  $$;

-- Ends all sessions of a person but one; null: all.
create function end_sessions_of(person text, but text, at timestamptz) returns int
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ended text;
  count int := 0;
begin
  for ended in update session set revoked_at = at
      where user_id = person and revoked_at is null and id is distinct from but returning id loop
    perform pg_notify('session', ended);
    count := count + 1;
  end loop;
  return count;
end $$;

-- Uses a token up, with all others of the person, and sets the password; the answer is whose it was.
-- Strangers' tries to sign in are forgotten: whoever reads the mail is none.
create function reset_password(hash bytea, new_hash text, at timestamptz) returns setof user_account
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  person text;
begin
  delete from password_reset where token_hash = hash and expires_at > at returning user_id into person;
  if person is null then return; end if;
  delete from password_reset where user_id = person;
  update user_account set password_hash = new_hash where id = person;
  perform end_sessions_of(person, null, at);
  delete from sign_in_window where key = (
    select 'account ' || encode(sha256(convert_to(email, 'UTF8')), 'hex')
    from user_account where id = person);
  return query select * from user_account where id = person;
end $$;

-- False when the password is another one by now. Ends all sessions but the one that changes it.
create function change_password(
  person text, old_hash text, new_hash text, from_session text, at timestamptz)
  returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update user_account set password_hash = new_hash where id = person and password_hash = old_hash;
  if not found then return false; end if;
  delete from password_reset where user_id = person;
  perform end_sessions_of(person, from_session, at);
  return true;
end $$;

-- The sessions of a person that have not ended, in all tenants, the newest first.
create function sessions_of(person text, at timestamptz, sessions_max int)
  returns table (id text, tenant_id uuid, tenant_name text, environment text, ip text,
    user_agent text, created_at timestamptz, refreshed_at timestamptz, expires_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp as $$
    select s.id, s.tenant_id, t.name, s.environment, s.ip, s.user_agent, s.created_at,
      s.refreshed_at, s.expires_at
    from session s join tenant t on t.id = s.tenant_id
    where s.user_id = person and s.revoked_at is null and s.expires_at > at
    order by s.id desc limit sessions_max
  $$;

-- Ends one session of a person; false when there is none.
create function end_session_of(person text, wanted text, at timestamptz) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update session set revoked_at = at
    where tenant_id = tenant_of('session', wanted) and id = wanted and user_id = person
      and revoked_at is null and expires_at > at;
  if not found then return false; end if;
  perform pg_notify('session', wanted);
  return true;
end $$;

create or replace function sweep_sign_in(sessions_before timestamptz, windows_before timestamptz)
  returns void
  language sql security definer set search_path = public, pg_temp as $$
    delete from session where expires_at < sessions_before;
    delete from password_reset where expires_at < sessions_before;
    delete from sign_in_window
      where coalesce(tried_at[cardinality(tried_at)], '-infinity') < windows_before;
  $$;
