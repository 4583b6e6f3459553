-- While a tenant is suspended nobody tries its endpoints: that time is none in which they fail, so that none is
-- disabled by its first failure once the tenant is resumed.
set local check_function_bodies = off;

create or replace function set_tenant_suspended(of_tenant uuid, is_suspended boolean) returns boolean
  language sql security definer set search_path = public, pg_temp as $$
    with before as (
      select id, suspended_at from tenant where id = of_tenant and deleting_at is null for update
    ), changed as (
      update tenant t set suspended_at = case when is_suspended then coalesce(t.suspended_at, now()) end
      from before b where t.id = b.id
    ), endpoints as (
      update webhook_endpoint e set failing_since = e.failing_since + (now() - b.suspended_at)
      from before b where not is_suspended and e.tenant_id = b.id
    )
    select exists (select from before)
  $$;
