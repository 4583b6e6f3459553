-- Who the current transaction works for; null outside of one tenant, and then no row is visible.
create function current_tenant() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('drawbridge.tenant', true), '')::uuid;

-- Every table of tenants' rows calls this. Forced, so that the owner is held by it too; with
-- `system => true` the owner may see all rows, for SECURITY DEFINER functions that look across
-- tenants.
-- The sub-select makes PostgreSQL ask for the tenant once a statement, not once a row.
create procedure isolate(
  name regclass, system boolean default false, tenant_column text default 'tenant_id')
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  execute format('create policy own_tenant on %s using (%I = (select current_tenant()))',
    name, tenant_column);
  if system then
    execute format('create policy owner on %s to %I using (true) with check (true)',
      name, current_user);
  end if;
end $$;

create table tenant (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  -- What was agreed otherwise than the settings' limits: { "read": 500 }, per key and second.
  limits jsonb not null default '{}',
  created_at timestamptz not null default now()
);
call isolate('tenant', system => true, tenant_column => 'id');

-- For the operator of the installation, who has no tenant.
create function list_tenants() returns setof tenant
  language sql stable security definer set search_path = public, pg_temp
  as $$ select * from tenant order by created_at, id $$;
