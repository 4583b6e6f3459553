-- The control plane may have several identities on the link: the newest is the one to be trusted, and an
-- older one stays until the agents that trust it have followed.
alter table control_plane_identity
  drop column single,
  add column number bigint generated always as identity,
  add column created_at timestamptz not null default now(),
  add primary key (public_key),
  add unique (number);
comment on table control_plane_identity is 'written by functions';

-- Which of them the agent trusts; null: one that is gone, so that it must be enrolled again.
alter table agent add column control_plane_key text references control_plane_identity on delete set null;
update agent set control_plane_key = (select public_key from control_plane_identity);

-- Adds the identity unless there is one already.
create function add_first_control_plane_identity(public text, sealed_secret text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(7314203);
  insert into control_plane_identity (public_key, sealed_secret_key)
    select public, sealed_secret where not exists (select from control_plane_identity);
end $$;

-- Adds an identity, which is the newest then.
create function add_control_plane_identity(public text, sealed_secret text) returns void
  language sql security definer set search_path = public, pg_temp as $$
    insert into control_plane_identity (public_key, sealed_secret_key) values (public, sealed_secret)
  $$;

-- The same identity, sealed anew; false when it was changed meanwhile.
create function reseal_control_plane_identity(of_key text, known text, resealed text) returns boolean
  language sql security definer set search_path = public, pg_temp as $$
    with changed as (update control_plane_identity set sealed_secret_key = resealed
      where public_key = of_key and sealed_secret_key = known returning public_key)
    select exists (select from changed)
  $$;

-- How many agents trust each key; a null key: one that is gone.
create function count_agents_by_control_plane_key() returns table (control_plane_key text, agents int)
  language sql stable security definer set search_path = public, pg_temp as $$
    select control_plane_key, count(*)::int from agent where revoked_at is null group by 1
  $$;

-- Agents that trust an identity older than this one, the longest unseen first.
create function agents_behind_control_plane_key(wanted_key text, agents_max int)
  returns table (tenant_id uuid, id text, hostname text, software text, seen_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp as $$
    select a.tenant_id, a.id, a.hostname, a.software, a.seen_at from agent a
    join control_plane_identity i on i.public_key = a.control_plane_key
    where a.revoked_at is null
      and i.number < (select number from control_plane_identity where public_key = wanted_key)
    order by a.seen_at nulls first, a.tenant_id, a.id limit agents_max
  $$;

-- Deletes the identities older than this one and answers their keys; null, and nothing is deleted, while
-- an agent trusts one of them, unless forced.
create function retire_control_plane_identities(kept_key text, is_forced boolean) returns text[]
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  retired text[];
begin
  -- An agent that is being enrolled or linked refers to one of them: it is waited for, and seen below.
  perform from control_plane_identity i
    where i.number < (select k.number from control_plane_identity k where k.public_key = kept_key)
    for update;
  if not is_forced and exists (select from agents_behind_control_plane_key(kept_key, 1)) then
    return null;
  end if;
  with gone as (
    delete from control_plane_identity i
    where i.number < (select k.number from control_plane_identity k where k.public_key = kept_key)
    returning i.public_key, i.number)
  select coalesce(array_agg(public_key order by number), '{}') into retired from gone;
  return retired;
end $$;

drop function find_agent(text);
create function find_agent(wanted text)
  returns table (id text, tenant_id uuid, public_key text, control_plane_key text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select id, tenant_id, public_key, control_plane_key from agent
    where tenant_id = tenant_of('agent', wanted) and id = wanted and revoked_at is null
  $$;

-- Uses a token and makes its agent, both or neither; answers the tenant, or nothing. `trusted_key`: the
-- control plane's, as the agent is told it.
drop function enrol_agent(bytea, text, text, text, text);
create function enrol_agent(
  token_hash bytea, new_id text, host text, key text, version text, trusted_key text)
  returns table (tenant_id uuid)
  language sql security definer set search_path = public, pg_temp as $$
    with used as (
      update enrolment_token set used_at = now()
      where tenant_id = tenant_of('enrolment_token', hash_key(token_hash)) and hash = token_hash
        and used_at is null and expires_at > now()
        and (hostname is null or hostname = host)
      returning enrolment_token.tenant_id
    )
    insert into agent (id, tenant_id, hostname, public_key, software, control_plane_key)
    select new_id, used.tenant_id, host, key, version, trusted_key from used
    returning agent.tenant_id
  $$;
