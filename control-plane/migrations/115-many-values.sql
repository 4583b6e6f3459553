-- A query may name thousands of values. Comparing each contact with each of them took longer than a statement may;
-- a hash of them is asked once a condition. Few values stay comparisons that the index of attributes answers.

-- One of the values of a condition `is`, as `segment_condition` has it.
create function segment_values(asked jsonb) returns text
  language sql stable set search_path = public, pg_temp as $$
  select format('(c.attributes -> %L) = any (%L::jsonb[])', asked ->> 'attribute', array_agg(v)::text)
    from jsonb_array_elements(case jsonb_typeof(asked -> 'is') when 'array' then asked -> 'is'
      else jsonb_build_array(asked -> 'is') end) a
    cross join lateral (values (a), (to_jsonb(a #>> '{}'))) as each (v)
$$;

-- The whole of a query, for contacts under the name c.
create or replace function segment_filter(query jsonb) returns text
  language sql stable strict set search_path = public, pg_temp as $$
  with size as (
    select count(*) as value_count from jsonb_path_query(query, '$.*[*].is[*]')
  ), condition as (
    select g.name,
      case when a ? 'is' and value_count > 50 then segment_values(a) else segment_condition(a) end as held
    from size, (values ('all'), ('any'), ('none')) g (name), jsonb_array_elements(query -> g.name) a
  )
  select concat_ws(' and ', 'true',
    (select string_agg('(' || held || ')', ' and ') from condition where name = 'all'),
    (select '(' || string_agg('(' || held || ')', ' or ') || ')' from condition where name = 'any'),
    (select string_agg('(' || held || ') is not true', ' and ') from condition where name = 'none'))
$$;
