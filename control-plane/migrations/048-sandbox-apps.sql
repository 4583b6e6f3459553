-- The apps of the sandbox with these providers: each start teaches them to the simulators.
create function sandbox_apps(providers text[], after_tenant uuid, after_id text, apps_max integer)
  returns table (tenant_id uuid, id text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select a.tenant_id, a.id from channel_app a
    where a.environment = 'sandbox' and a.deleted_at is null and a.provider = any (providers)
      and (a.tenant_id, a.id) > (after_tenant, after_id)
    order by a.tenant_id, a.id limit apps_max
  $$;
