-- A delivery that is set aside is counted as such, and not as a retry too. It stands among the retries in
-- their index, so the bound is on what is read there: however many are set aside, the count ends.
create or replace function count_pending_deliveries(deliveries_max int)
  returns table (kind text, deliveries bigint)
  language sql stable security definer set search_path = public, pg_temp as $$
    select 'new', (select count(*) from (
      select from webhook_delivery where state = 'pending' and is_fresh and not is_kept_back
      order by tenant_id, endpoint_id limit deliveries_max) c)
    union all
    select 'retry', (select count(*) filter (where set_aside_at is null) from (
      select set_aside_at from webhook_delivery
      where state = 'pending' and not is_fresh and not is_kept_back
      order by tenant_id, endpoint_id limit deliveries_max) c)
    union all
    select 'set_aside', (select count(*) from (
      select from webhook_delivery where state = 'pending' and set_aside_at is not null
      order by tenant_id, endpoint_id limit deliveries_max) c)
  $$;
