-- A suspended tenant's keys and sessions are refused, its jobs wait and its agents are not linked. One that
-- is being deleted stays suspended until nothing of it is left.
alter table tenant
  add column suspended_at timestamptz,
  add column deleting_at timestamptz,
  add constraint deleting_is_suspended check (deleting_at is null or suspended_at is not null);

create function list_suspended_tenants() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$ select id from tenant where suspended_at is not null $$;

-- False when there is no such tenant, or it is being deleted. A second suspension keeps the first's time.
create function set_tenant_suspended(of_tenant uuid, is_suspended boolean) returns boolean
  language sql security definer set search_path = public, pg_temp as $$
    with changed as (
      update tenant set suspended_at = case when is_suspended then coalesce(suspended_at, now()) end
      where id = of_tenant and deleting_at is null returning id
    )
    select exists (select from changed)
  $$;

-- False when there is no such tenant, or it is not suspended.
create function begin_tenant_deletion(of_tenant uuid) returns boolean
  language sql security definer set search_path = public, pg_temp as $$
    with changed as (
      update tenant set deleting_at = coalesce(deleting_at, now())
      where id = of_tenant and suspended_at is not null returning id
    )
    select exists (select from changed)
  $$;

-- The last step: fails while a row refers to the tenant.
create function end_tenant_deletion(of_tenant uuid) returns void
  language sql security definer set search_path = public, pg_temp as $$
    delete from tenant where id = of_tenant and deleting_at is not null
  $$;

-- As before, but nothing of a suspended tenant is ever due. It is listed all the same: whoever claims
-- goes on after the last tenant listed.
create or replace function job_tenants(wanted_queue text, after_tenant uuid, tenants_max int)
  returns table (tenant_id uuid, due_in_ms double precision)
  language sql security definer set search_path = public, pg_temp as $$
    with recursive visited (tenant_id, n) as (
      (select j.tenant_id, 1 from job j
       where j.queue = wanted_queue and j.tenant_id > after_tenant and j.parked_at is null
       order by j.tenant_id limit 1)
      union all
      select (select j.tenant_id from job j
              where j.queue = wanted_queue and j.tenant_id > v.tenant_id and j.parked_at is null
              order by j.tenant_id limit 1), n + 1
      from visited v where v.tenant_id is not null and n < tenants_max
    )
    select v.tenant_id, case
      when (select t.suspended_at from tenant t where t.id = v.tenant_id) is not null
        then 'infinity'::double precision
      else extract(epoch from
        (select j.run_at from job j
         where j.queue = wanted_queue and j.tenant_id = v.tenant_id and j.parked_at is null
         order by j.run_at limit 1) - clock_timestamp()) * 1000
      end
    from visited v where v.tenant_id is not null
  $$;

-- As before, but none of a suspended tenant.
create or replace function claim_doubtful_job(
  wanted_queue text, after_tenant uuid, claim uuid, lease_ms int)
  returns setof job
  language sql security definer set search_path = public, pg_temp as $$
    with due as materialized (
      select j.tenant_id, j.id, losses_of(j, lease_ms) as losses from job j
      where j.queue = wanted_queue and j.parked_at is null and (j.losses > 0 or j.attempts >= 5)
        and j.run_at <= (select clock_timestamp()) and is_doubtful(j, lease_ms)
        and (select t.suspended_at from tenant t where t.id = j.tenant_id) is null
      order by j.tenant_id <= after_tenant, j.tenant_id, j.run_at
      limit 1 for update of j skip locked
    )
    update job set claim_id = claim, attempts = attempts + 1, losses = due.losses,
      claimed_at = clock_timestamp(), run_at = clock_timestamp() + lease_ms * interval '1 ms'
    from due where job.tenant_id = due.tenant_id and job.id = due.id returning job.*
  $$;

-- A tenant's tables, and where each stands when the rows of a tenant are deleted: first those that
-- others are not referenced by, at the end those that the directory is made from, so that a row is never
-- deleted before those that name it, and the directory entries go last. `secret_columns` have a comment
-- that says so.
create function tenant_tables()
  returns table (name text, key_columns text[], secret_columns text[], has_object_key boolean)
  language sql stable set search_path = public, pg_temp as $$
    with recursive tenants as (
      select c.oid, c.relname from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname <> 'tenant_directory'
    ), reached (oid, depth) as (
      select oid, 0 from tenants
      union
      select f.conrelid, r.depth + 1 from reached r
      join pg_constraint f on f.contype = 'f' and f.confrelid = r.oid and f.conrelid <> r.oid
      join tenants t on t.oid = f.conrelid
      where r.depth < 20
    )
    select t.relname::text,
      (select array_agg(a.attname::text order by k.place) from pg_index i
       cross join unnest(i.indkey) with ordinality as k (attnum, place)
       join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum
       where i.indrelid = t.oid and i.indisprimary),
      coalesce((select array_agg(a.attname::text order by a.attnum) from pg_attribute a
       where a.attrelid = t.oid and not a.attisdropped
         and col_description(t.oid, a.attnum) = 'secret'), '{}'),
      exists (select from pg_attribute a
        where a.attrelid = t.oid and a.attname = 'object_key' and not a.attisdropped)
    from tenants t
    order by exists (select from pg_trigger g join pg_proc p on p.oid = g.tgfoid
        where g.tgrelid = t.oid and p.proname in ('keep_in_directory', 'list_short_links')),
      (select max(r.depth) from reached r where r.oid = t.oid) desc, t.relname
  $$;

-- Deletes up to so many rows of the current tenant from one of those tables. Also where the application's
-- role may not, and only while the tenant is being deleted.
create function delete_tenant_rows(wanted_table text, rows_max int) returns int
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  deleted int;
begin
  if not exists (select from tenant where id = current_tenant() and deleting_at is not null) then
    raise exception 'the tenant is not being deleted';
  end if;
  if not exists (select from pg_attribute a where a.attname = 'tenant_id'
      and a.attrelid = to_regclass(format('public.%I', wanted_table))) then
    raise exception '% is no table of tenants', wanted_table;
  end if;
  execute format('delete from %I where tenant_id = $1 and ctid = any (array('
    'select ctid from %1$I where tenant_id = $1 limit $2))', wanted_table)
    using current_tenant(), rows_max;
  get diagnostics deleted = row_count;
  return deleted;
end $$;

-- Proofs of consent are never changed, and go with their tenant.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE'
     and exists (select from tenant where id = old.tenant_id and deleting_at is not null) then
    return old;
  end if;
  raise exception 'rows of % are never changed', tg_table_name;
end $$;

-- What an export leaves out: it opens something, here or elsewhere.
comment on column api_key.hash is 'secret';
comment on column channel_app.settings is 'secret';
comment on column connector.settings is 'secret';
comment on column enrolment_token.hash is 'secret';
comment on column invitation.token_hash is 'secret';
comment on column voice_callback_once.token is 'secret';
comment on column voice_provider.flow_key_sealed is 'secret';
comment on column voice_provider.settings_sealed is 'secret';
comment on column webhook_endpoint.secrets is 'secret';
