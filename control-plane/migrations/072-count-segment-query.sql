-- How many contacts a segment would have, before it is made.

create function count_segment_query(of_environment text, asked jsonb) returns bigint
  language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  found_count bigint;
begin
  execute 'select count(*) from contact c where c.tenant_id = $1 and c.environment = $2 and '
    || segment_filter(asked) into found_count using current_tenant(), of_environment;
  return found_count;
end $$;

create or replace function count_segment(of_environment text, of_segment text) returns bigint
  language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  asked jsonb;
  found_count bigint;
begin
  select s.query into asked from segment s where s.tenant_id = current_tenant()
    and s.environment = of_environment and s.id = of_segment;
  if asked is not null then
    return count_segment_query(of_environment, asked);
  end if;
  select count(*) into found_count from contact_segment s where s.tenant_id = current_tenant()
    and s.environment = of_environment and s.segment_id = of_segment;
  return found_count;
end $$;
