-- Pages of contacts and of the inbox's messages are also read backward: from where the list is cut towards its
-- first row, which is the newest one. These functions then read their indexes the other way.

drop function find_contacts(text, text, jsonb[], text, text, text, text, text, int);
drop function find_inbox_messages(text, text, text, text, text, text, text, text, int);
drop function find_messages_by_conversation(text, text, text, text, text, text, int);
drop function find_messages_by_words(text, text, text, text, text, text, text, text, int);
drop function search_periods(text, text, text, int);

-- A page of ids, newest first: those below `page_key`, or backward those from it on, oldest first. Operators of
-- text and JSON may not be pushed below row-level security, so a tenant's own query would read all its rows;
-- this function tests the tenant itself instead. Put together from the filters that are given, so that each
-- combination has a plan of its own.
create function find_contacts(of_environment text, words text, attribute jsonb[], of_segment text,
    of_phone text, from_id text, until_id text, page_key text, is_backward boolean, most int)
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
  if of_phone is not null then source := source || ' and c.phone = $6'; end if;
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

-- The last id of a period, and of its time: none is made with these last letters.
create function search_period_end(period text) returns text
  language sql immutable parallel safe
  return rpad(left(period, 8) || translate(substr(period, 9), '08gr', '7fqz'), 30, 'z');

-- The newest periods that have messages between these ids, each found by its newest message; or the oldest ones,
-- each by its oldest.
create function search_periods(of_environment text, below text, from_id text, oldest_first boolean,
    most int)
  returns text[]
  language plpgsql stable security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    with recursive period (id) as (
      select search_period(case when oldest_first then min(m.id) else max(m.id) end) from message m
      where m.tenant_id = current_tenant() and m.environment = of_environment
        and m.broadcast_id is null and m.contact_id is not null and m.id < below and m.id >= from_id
      union all
      select (
        select search_period(case when oldest_first then min(m.id) else max(m.id) end) from message m
        where m.tenant_id = current_tenant() and m.environment = of_environment
          and m.broadcast_id is null and m.contact_id is not null
          and m.id < case when oldest_first then below else p.id end
          and m.id >= case when oldest_first then search_period_end(p.id) else from_id end)
      from period p where p.id is not null)
    select id from period where id is not null limit most);
end $$;

-- A page of ids below `below` and from `from_id` on, newest or oldest first. Where a page is not full although
-- the list goes on, because enough was read for one page, its last row is no match: the next page begins
-- below that id, or with it when the oldest are first. Operators of text may not be pushed below row-level
-- security, so this function tests the tenant itself. PostgreSQL plans it for the given filters at each call,
-- so that of an order by `case when oldest_first then id end, id desc` either term is left out.
--
-- 1. The first messages that pass the other filters are read; common words are found in their texts.
-- 2. Where the conversations asked for are few, or few of them are among the first messages, their
--    first messages are read instead.
-- 3. What is missing then is found by the index of words.
create function find_inbox_messages(of_environment text, of_contact text, of_channel text,
    words text, of_assignee text, of_state text, below text, from_id text, oldest_first boolean,
    most int)
  returns table (message_id text, is_match boolean)
  language plpgsql stable security definer set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan set jit = off
  set max_parallel_workers_per_gather = 0 as $$
declare
  texts_max constant int := 2000;
  scanned_max constant int := 5000;
  few_conversations constant int := 200;
  tenant constant uuid := current_tenant();
  wanted constant tsquery := words_query(words);
  patterns constant text[] := word_patterns(words);
  read_max constant int := case when words is null then most else texts_max end;
  filters_conversations boolean := of_assignee is not null or of_state is not null;
  are_few boolean := false;
  is_all boolean := false;
  highest text;
  last_read text;
  ids text[] := '{}';
  found text[];
begin
  if tenant is null or words is not null and wanted is null then return; end if;
  below := coalesce(below, 'n');
  from_id := coalesce(from_id, '');
  if filters_conversations then
    select 'msg_' || max(c.last_item) || '0', count(*) < few_conversations into highest, are_few
    from (select c.last_item from conversation c
      where c.tenant_id = tenant and c.environment = of_environment
        and (of_contact is null or c.contact_id = of_contact) and is_listed(c, of_assignee, of_state)
      order by c.last_item desc limit few_conversations) c;
    if highest is null then return; end if;
    -- Nothing of these conversations is newer.
    below := least(below, highest);
    filters_conversations := of_contact is null;
  end if;

  if not (filters_conversations and are_few) then
    with scanned as materialized (
      select m.id, m.contact_id from message m
      where m.tenant_id = tenant and m.environment = of_environment
        and case when of_contact is null then m.broadcast_id is null and m.contact_id is not null
          else m.contact_id = of_contact end
        and (of_channel is null or m.channel = of_channel) and m.id < below and m.id >= from_id
      order by case when oldest_first then m.id end, m.id desc
      limit case when filters_conversations then scanned_max else read_max end)
    select array(
        select s.id from scanned s
        where not filters_conversations or s.contact_id in (select c.contact_id from conversation c
          where c.tenant_id = tenant and c.environment = of_environment
            and is_listed(c, of_assignee, of_state))
        order by case when oldest_first then s.id end, s.id desc limit read_max),
      (select case when oldest_first then max(s.id) else min(s.id) end from scanned s),
      (select count(*) < case when filters_conversations then scanned_max else read_max end from scanned)
      into ids, last_read, is_all;
  end if;
  if filters_conversations and not is_all and cardinality(ids) < most then
    ids := array(select * from find_messages_by_conversation(of_environment, of_channel, of_assignee,
      of_state, below, from_id, oldest_first, read_max));
    is_all := true;
  end if;
  if words is null then
    return query select id, true from unnest(ids) id;
    return;
  end if;

  if cardinality(ids) = read_max then
    is_all := false;
    last_read := ids[read_max];
  end if;
  found := array(
    select m.id from message m
    where m.tenant_id = tenant and m.environment = of_environment and m.id = any (ids)
      and lower(m.preview) like all (patterns) and message_words(m.preview) @@ wanted
    order by case when oldest_first then m.id end, m.id desc limit most);
  return query select id, true from unnest(found) id;
  if not is_all and cardinality(found) < most then
    return query select * from find_messages_by_words(of_environment, of_contact, of_channel, words,
      of_assignee, of_state, case when oldest_first then below else last_read end,
      case when oldest_first then last_read || '0' else from_id end, oldest_first,
      most - cardinality(found));
  end if;
end $$;

-- The first messages of the conversations asked for. A page of them is from as many conversations at
-- most: those whose first message is the first.
create function find_messages_by_conversation(of_environment text, of_channel text, of_assignee text,
    of_state text, below text, from_id text, oldest_first boolean, most int)
  returns setof text
  language plpgsql stable security definer set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan as $$
begin
  return query
    with first_one as materialized (
      select c.contact_id, m.id from conversation c cross join lateral (
        select m.id from message m
        where m.tenant_id = current_tenant() and m.environment = of_environment
          and m.contact_id = c.contact_id and m.broadcast_id is null
          and (of_channel is null or m.channel = of_channel) and m.id < below and m.id >= from_id
        order by case when oldest_first then m.id end, m.id desc limit 1) m
      where c.tenant_id = current_tenant() and c.environment = of_environment
        and c.last_item >= substr(from_id, 5) and is_listed(c, of_assignee, of_state)
      order by case when oldest_first then m.id end, m.id desc limit most),
    last_one as materialized (
      select case when count(*) < most then case when oldest_first then below else from_id end
        when oldest_first then max(id) else min(id) end as id from first_one)
    select m.id from first_one f, last_one l cross join lateral (
      select m.id from message m
      where m.tenant_id = current_tenant() and m.environment = of_environment
        and m.contact_id = f.contact_id and m.broadcast_id is null
        and (of_channel is null or m.channel = of_channel) and m.id < below
        and m.id >= least(f.id, l.id) and m.id <= greatest(f.id, l.id)
      order by case when oldest_first then m.id end, m.id desc limit most) m
    order by case when oldest_first then m.id end, m.id desc limit most;
end $$;

-- By the index of words: in the first period, then in up to four times as many at a time, until the page
-- is full or about `matches_max` messages with the words were read (a tenth of a second; half a second when
-- none of them is in memory). A subquery of its own asks the index, so that no plan reads along the messages
-- instead. Broadcasts to a contact are not in it.
create function find_messages_by_words(of_environment text, of_contact text, of_channel text,
    words text, of_assignee text, of_state text, below text, from_id text, oldest_first boolean,
    most int)
  returns table (message_id text, is_match boolean)
  language plpgsql stable security definer set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan set jit = off
  set max_parallel_workers_per_gather = 0 as $$
declare
  matches_max constant int := 10000;
  tenant constant uuid := current_tenant();
  wanted constant tsquery := words_query(words);
  filters_conversations constant boolean := of_contact is null
    and (of_assignee is not null or of_state is not null);
  -- What is not read yet is below the one and from the other on.
  unread_below text := below;
  unread_from text := from_id;
  last_period text;
  period_count int := 1;
  periods text[];
  queries tsquery[];
  found text[] := '{}';
  more text[];
  matches int := 0;
  matched int;
  is_all boolean := false;
begin
  if tenant is null or wanted is null then return; end if;
  while cardinality(found) < most and matches < matches_max loop
    periods := search_periods(of_environment, unread_below, unread_from, oldest_first, period_count);
    is_all := periods = '{}';
    exit when is_all;
    queries := search_queries(words, array(
      select search_prefix(tenant, of_environment, period) from unnest(periods) period));
    with matching as materialized (
      select m.* from unnest(queries) query cross join lateral (
        select * from message m
        where m.broadcast_id is null and m.contact_id is not null
          and message_search_terms(m.tenant_id, m.environment, m.id, m.preview) @@ query offset 0) m
      where m.tenant_id = tenant and m.environment = of_environment)
    select array(
        select n.id from (
          select m.id, m.preview from matching m
          where m.id < unread_below and m.id >= unread_from
            and (of_channel is null or m.channel = of_channel)
            and (of_contact is null or m.contact_id = of_contact)
            and (not filters_conversations or m.contact_id in (select c.contact_id from conversation c
              where c.tenant_id = tenant and c.environment = of_environment
                and is_listed(c, of_assignee, of_state)))
          order by case when oldest_first then m.id end, m.id desc offset 0) n
        where message_words(n.preview) @@ wanted
        order by case when oldest_first then n.id end, n.id desc limit most - cardinality(found)),
      (select count(*) from matching)
      into more, matched;
    found := found || more;
    matches := matches + matched;
    last_period := periods[cardinality(periods)];
    if oldest_first then unread_from := search_period_end(last_period);
    else unread_below := last_period; end if;
    period_count := least(4 * period_count,
      greatest(1, (matches_max - matches) * cardinality(periods) / greatest(1, matched)));
  end loop;
  if of_contact is not null then
    found := found || array(
      select m.id from (
        select m.id from message m
        where m.tenant_id = tenant and m.environment = of_environment and m.contact_id = of_contact
          and (m.broadcast_id is null) is false and (of_channel is null or m.channel = of_channel)
          and m.id < case when oldest_first and not is_all then unread_from else below end
          and m.id >= case when oldest_first or is_all then from_id else unread_below end
        order by case when oldest_first then m.id end, m.id desc offset 0) b
      join message m on m.tenant_id = tenant and m.id = b.id
      where message_words(m.preview) @@ wanted
      order by case when oldest_first then m.id end, m.id desc limit most);
  end if;
  return query select id, true from unnest(found) id
    order by case when oldest_first then id end, id desc limit most;
  if not is_all and cardinality(found) < most then
    -- The newest period that was read, as an id, which has 30 letters: every message of it is above that.
    return query select case when oldest_first then unread_from else rpad(unread_below, 30, '0') end, false;
  end if;
end $$;
