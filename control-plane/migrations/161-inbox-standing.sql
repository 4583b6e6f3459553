-- What was open at an instant is what spans it: by its beginning or its end alone it would be looked
-- for among all that was before or since.
create extension if not exists btree_gist schema extension;
create index conversation_opening_span on conversation_opening using gist
  (tenant_id, environment, tstzrange(least(opened_at, closed_at), closed_at, '(]'));
create index conversation_response_span on conversation_response using gist
  (tenant_id, environment, tstzrange(least(asked_at, ended_at), ended_at, '(]'));

-- Row-level security asks no index for ranges, so this does, and tests the tenant itself.
do $$ begin
  execute format('create policy owner on conversation_opening to %I using (true) with check (true)',
    current_user);
  execute format('create policy owner on conversation_response to %I using (true) with check (true)',
    current_user);
end $$;

-- Conversations that were open at an instant, and people who waited for an answer.
create function count_standing(of_environment text, instant timestamptz, out open int, out waiting int)
  language sql stable security definer set search_path = public, pg_temp as $$
    select
      (select count(*) from conversation_opening where tenant_id = current_tenant()
        and environment = of_environment
        and tstzrange(least(opened_at, closed_at), closed_at, '(]') @> instant),
      (select count(*) from conversation_response where tenant_id = current_tenant()
        and environment = of_environment
        and tstzrange(least(asked_at, ended_at), ended_at, '(]') @> instant)
  $$;
