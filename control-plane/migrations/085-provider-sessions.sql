-- Sessions that a provider vouched for. They are good for their workspace alone, and do nothing to what its person has
-- in others.
alter table session add column signed_in_by text not null default 'password'
  check (signed_in_by in ('password', 'provider'));

create table provider_session (
  tenant_id uuid not null,
  -- The session's.
  id text not null,
  issuer text not null,
  subject text not null,
  -- What the provider calls its own session.
  sid text check (length(sid) <= 500),
  -- Shown to the provider when the person signs out; null: too long to be kept.
  sealed_id_token text,
  primary key (tenant_id, id),
  foreign key (tenant_id, id) references session on delete cascade
);
comment on column provider_session.sealed_id_token is 'secret';
create index on provider_session (tenant_id, issuer, subject);
create index on provider_session (tenant_id, issuer, sid) where sid is not null;
call isolate('provider_session', system => true);

-- What is good once: answers to a sign-in, and the provider's notices that somebody signed out.
create table used_provider_token (
  tenant_id uuid not null references tenant,
  id text not null check (length(id) <= 200),
  expires_at timestamptz not null,
  primary key (tenant_id, id)
);
create index on used_provider_token (expires_at);
call isolate('used_provider_token', system => true);

drop function find_session(text);
-- A session that was not revoked, with the roles that its person has now.
create function find_session(wanted text)
  returns table (tenant_id uuid, user_id text, role text, einvoicing_role text, limits jsonb,
    expires_at timestamptz, proven_at timestamptz, signed_in_by text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select s.tenant_id, s.user_id, m.role, m.einvoicing_role, t.limits, s.expires_at, s.proven_at,
      s.signed_in_by
    from session s
    join member m on m.tenant_id = s.tenant_id and m.user_id = s.user_id
    join tenant t on t.id = s.tenant_id
    where s.tenant_id = tenant_of('session', wanted) and s.id = wanted and s.revoked_at is null
  $$;

drop function sessions_of(text, timestamptz, int);
-- The sessions of a person that have not ended, the newest first; with a tenant those in it.
create function sessions_of(person text, of_tenant uuid, at timestamptz, sessions_max int)
  returns table (id text, tenant_id uuid, tenant_name text, environment text, ip text,
    user_agent text, created_at timestamptz, refreshed_at timestamptz, expires_at timestamptz,
    signed_in_by text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select s.id, s.tenant_id, t.name, s.environment, s.ip, s.user_agent, s.created_at,
      s.refreshed_at, s.expires_at, s.signed_in_by
    from session s join tenant t on t.id = s.tenant_id
    where s.user_id = person and s.revoked_at is null and s.expires_at > at
      and (of_tenant is null or s.tenant_id = of_tenant)
    order by s.id desc limit sessions_max
  $$;

-- Ends all sessions of a person but one; null: all; with a tenant those in it.
create function end_sessions_of(person text, of_tenant uuid, but text, at timestamptz) returns int
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ended text;
  count int := 0;
begin
  for ended in update session set revoked_at = at
      where user_id = person and revoked_at is null and id is distinct from but
        and (of_tenant is null or tenant_id = of_tenant) returning id loop
    perform pg_notify('session', ended);
    count := count + 1;
  end loop;
  return count;
end $$;

create or replace function end_sessions_of(person text, but text, at timestamptz) returns int
  language sql security definer set search_path = public, pg_temp as $$
    select end_sessions_of(person, null, but, at)
  $$;

drop function end_session_of(text, text, timestamptz);
-- Ends one session of a person; false when there is none, or it is of another tenant than the one that is named.
create function end_session_of(person text, of_tenant uuid, wanted text, at timestamptz) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update session set revoked_at = at
    where tenant_id = tenant_of('session', wanted) and id = wanted and user_id = person
      and (of_tenant is null or tenant_id = of_tenant)
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
    delete from used_provider_token where expires_at < sessions_before;
    delete from sign_in_window
      where coalesce(tried_at[cardinality(tried_at)], '-infinity') < windows_before;
  $$;
