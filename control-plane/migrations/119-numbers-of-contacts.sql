-- A contact is found by each of its numbers: a merge leaves the second one as an identifier.
set local check_function_bodies = off;

create or replace function find_contacts(of_environment text, words text, attribute jsonb[], of_segment text,
    of_phone text, from_id text, until_id text, page_key text, is_backward boolean, most integer)
  returns setof text
  language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  wanted tsquery;
  asked jsonb;
  narrow text := '';
  first text := '';
  contacts text := 'contact';
  source text;
  id_column text := 'c.id';
  bounds text;
begin
  if current_tenant() is null then return; end if;
  if of_segment is not null then
    select s.query into asked from segment s where s.tenant_id = current_tenant()
      and s.environment = of_environment and s.id = of_segment;
  end if;
  -- Nothing is known beforehand of how rare an attribute or a word is, and to look for a rare one
  -- along the ids is to read all contacts; so the index is asked first, for whatever that finds.
  if attribute is not null then
    narrow := format('(%s)', (select string_agg(format('c.attributes @> ($4)[%s]', n), ' or ')
      from generate_series(1, cardinality(attribute)) n));
  end if;
  if narrow <> '' or asked @? '$.all[*] ? (exists (@.is) || exists (@.text))' then
    narrow := concat_ws(' and ', nullif(narrow, ''), segment_filter(asked));
    contacts := 'matched';
    first := 'with matched as materialized (
      select c.id, c.tenant_id, c.environment, c.phone, c.search from contact c
      where c.tenant_id = $1 and c.environment = $2 and ' || narrow || ') ';
  end if;
  source := format('select c.id from %s c where c.tenant_id = $1 and c.environment = $2', contacts);
  if asked is not null then
    if contacts = 'contact' then source := source || ' and ' || segment_filter(asked); end if;
  elsif of_segment is not null then
    source := format('select s.contact_id from contact_segment s join %s c
      on c.tenant_id = s.tenant_id and c.environment = s.environment and c.id = s.contact_id
      where s.tenant_id = $1 and s.environment = $2 and s.segment_id = $5', contacts);
    id_column := 's.contact_id';
  end if;
  if words is not null then
    -- Each word is the beginning of one; what is no word at all finds nothing.
    select string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''':*', ' & ')
      into wanted from unnest(to_tsvector('simple'::regconfig, words));
    if wanted is null then return; end if;
    source := source || ' and c.search @@ $3';
  end if;
  if of_phone is not null then
    source := source || ' and c.id = any (array(
      select p.id from contact p where p.tenant_id = $1 and p.environment = $2 and p.phone = $6
      union all select i.contact_id from contact_identity i where i.tenant_id = $1
        and i.environment = $2 and i.channel in (''wa'', ''sms'', ''rcs'', ''voice'') and i.external_id = $6))';
  end if;
  bounds := concat(case when from_id is not null then ' and %1$s >= $7' end,
    case when until_id is not null then ' and %1$s < $8' end,
    case when page_key is not null then ' and %1$s ' || case when is_backward then '>=' else '<' end || ' $9' end);
  source := source || format(bounds, id_column);
  -- What holds for one side of a join is not known of the other, which would be read from its first row on.
  if id_column <> 'c.id' then source := source || format(bounds, 'c.id'); end if;
  source := source || format(' order by %s %s limit $10', id_column,
    case when is_backward then 'asc' else 'desc' end);
  return query execute first || source using current_tenant(), of_environment, wanted, attribute,
    of_segment, of_phone, from_id, until_id, page_key, most;
end $$;
