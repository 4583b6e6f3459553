-- Which members of the current tenant have a second factor. Nothing else of it can be read.
create function members_with_second_factor() returns setof text
  language sql stable security definer set search_path = public, pg_temp as $$
    select f.user_id from second_factor f join member m on m.user_id = f.user_id
    where m.tenant_id = current_tenant() and f.confirmed_at is not null
  $$;
