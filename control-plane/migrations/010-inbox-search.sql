-- Lists of the team inbox's messages, newest first, and the search for words in them. Ids sort by time,
-- so a page is a piece of an index. Broadcasts are left out: they are no conversation, and cost these
-- indexes nothing.
create index message_of_inbox on message (tenant_id, environment, id) include (contact_id)
  where broadcast_id is null and contact_id is not null;
create index message_of_inbox_channel on message (tenant_id, environment, channel, id)
  include (contact_id) where broadcast_id is null and contact_id is not null;

-- A Chinese or Japanese letter, as a pattern. These are written without spaces, so each is a word.
create function unspaced_letter() returns text
  language sql immutable parallel safe
  return '[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]';

-- A space for each sign of any script, and around each unspaced letter.
create function spaced_words(written text) returns text
  language sql immutable parallel safe
  return case when written ~ '[^\u0001-\u007f]' then regexp_replace(regexp_replace(written,
        '[\u00a0-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb\u00bf\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2000-\u206f' ||
          '\u3000-\u3020\u30fb\uff00-\uff0f\uff1a-\uff20\uff5b-\uff65]', ' ', 'g'),
        '(' || unspaced_letter() || ')', ' \1 ', 'g')
    else written end;

create function message_words(preview text) returns tsvector
  language sql immutable parallel safe
  return to_tsvector('simple'::regconfig, spaced_words(left(preview, 2000)));

create function quoted_word(word text, is_beginning boolean) returns text
  language sql immutable parallel safe
  return '''' || replace(replace(word, '\', '\\'), '''', '''''') || ''''
    || case when is_beginning then ':*' else '' end;

-- Whether a word that is searched for is the beginning of one: it ends with a star, and has four
-- letters or more, so that few words begin with it.
create function is_beginning(written text, word text) returns boolean
  language sql immutable parallel safe
  return written like '%*' and length(word) >= 4 and written !~ unspaced_letter();

-- All of the words, in whatever order; null when there is none. Unspaced letters follow each other.
create function words_query(words text) returns tsquery
  language sql stable set search_path = public, pg_temp as $$
    select string_agg(part, ' & ')::tsquery from (
      select '(' || phrase::text || ')' as part
      from regexp_split_to_table(words, '\s+') written,
        phraseto_tsquery('simple'::regconfig, spaced_words(written)) phrase
      where written ~ unspaced_letter() and numnode(phrase) > 0
      union
      select quoted_word(lexeme, is_beginning(written, lexeme))
      from regexp_split_to_table(words, '\s+') written, unnest(message_words(written))
      where written !~ unspaced_letter()) parts
  $$;

-- What each text with the words is like. To compare letters is ten times as fast as to make out the words
-- of a text, so that is done first.
create function word_patterns(words text) returns text[]
  language sql stable set search_path = public, pg_temp as $$
    select array_agg('%' || regexp_replace(lexeme, '[%_\\]', '\\\&', 'g') || '%')
    from unnest(message_words(words))
  $$;

-- The index of words knows a message by its words, and by each pair of unspaced letters that follow each
-- other. Before each stands a hash of its tenant, environment and period, so that a search reads the words
-- of one tenant, the newest periods first, and no more periods than it takes to fill a page. Where two
-- hashes are the same, the message itself tells. A period is three days, named as the ids in it begin.
create function search_period(message_id text) returns text
  language sql immutable parallel safe
  return left(message_id, 8) || translate(substr(message_id, 9, 1),
    '0123456789abcdefghjkmnpqrstvwxyz', '0000000088888888ggggggggrrrrrrrr');

create function search_prefix(of_tenant uuid, of_environment text, period text) returns text
  language sql immutable parallel safe
  return to_hex(hashtext(of_tenant::text || of_environment || period));

create function search_terms(words tsvector, prefix text) returns text[]
  language plpgsql immutable parallel safe as $$
declare
  terms text[] := tsvector_to_array(words);
  written constant text := array_to_string(terms, ' ');
begin
  if terms = '{}' then return terms; end if;
  if written ~ public.unspaced_letter() then
    terms := terms || array(
      with letter as (
        select lexeme, position from unnest(words), unnest(positions) position
        where lexeme ~ ('^' || public.unspaced_letter() || '$'))
      select a.lexeme || b.lexeme from letter a join letter b on b.position = a.position + 1);
  end if;
  -- A tsvector takes words of 2046 bytes; nobody searches for more than 200 letters.
  if octet_length(written) > 2000 then
    terms := array(select left(term, 200) from unnest(terms) term);
  end if;
  return string_to_array(prefix || array_to_string(terms, E'\t' || prefix), E'\t');
end $$;

create function message_search_terms(of_tenant uuid, of_environment text, message_id text,
    preview text) returns tsvector
  language sql immutable parallel safe
  return array_to_tsvector(search_terms(message_words(preview),
    search_prefix(of_tenant, of_environment, search_period(message_id))));

-- New words go into the few pages of the newest period, so none are kept waiting to be put in.
create index message_search on message using gin
  (message_search_terms(tenant_id, environment, id, preview)) with (fastupdate = off)
  where broadcast_id is null and contact_id is not null;

-- What messages with all of the words are indexed by, for each of these prefixes.
create function search_queries(words text, prefixes text[]) returns tsquery[]
  language sql stable set search_path = public, pg_temp as $$
    with term as materialized (
      select distinct term, is_beginning(written, term) from regexp_split_to_table(words, '\s+') written,
        unnest(search_terms(message_words(written), '')) term)
    select array(
      select (select string_agg(quoted_word(prefix || term, is_beginning), ' & ')::tsquery from term)
      from unnest(prefixes) prefix)
  $$;

-- '' as assignee: nobody.
create function is_listed(c conversation, of_assignee text, of_state text) returns boolean
  language sql stable
  return (of_state is null or c.state = of_state)
    and case when of_assignee is null then true when of_assignee = '' then c.assignee_id is null
      else c.assignee_id = of_assignee end;

-- A page of ids, newest first, below `below` and from `from_id` on. Where a page is not full although the
-- list goes on, because enough was read for one page, its last row is no match: the next page begins
-- below that id. Operators of text may not be pushed below row-level security, so this function tests the
-- tenant itself. PostgreSQL plans it for the given filters at each call.
--
-- 1. The newest messages that pass the other filters are read; common words are found in their texts.
-- 2. Where the conversations asked for are few, or few of them are among the newest messages, their
--    newest messages are read instead.
-- 3. What is missing then is found by the index of words.
create function find_inbox_messages(of_environment text, of_contact text, of_channel text,
    words text, of_assignee text, of_state text, below text, from_id text, most int)
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
  lowest text;
  ids text[] := '{}';
  found text[];
begin
  if tenant is null or words is not null and wanted is null then return; end if;
  below := coalesce(below, 'n');
  from_id := coalesce(from_id, '');
  if filters_conversations then
    select 'msg_' || max(c.last_item) || '0', count(*) < few_conversations into lowest, are_few
    from (select c.last_item from conversation c
      where c.tenant_id = tenant and c.environment = of_environment
        and (of_contact is null or c.contact_id = of_contact) and is_listed(c, of_assignee, of_state)
      order by c.last_item desc limit few_conversations) c;
    if lowest is null then return; end if;
    -- Nothing of these conversations is newer.
    below := least(below, lowest);
    filters_conversations := of_contact is null;
  end if;

  if not (filters_conversations and are_few) then
    with scanned as materialized (
      select m.id, m.contact_id from message m
      where m.tenant_id = tenant and m.environment = of_environment
        and case when of_contact is null then m.broadcast_id is null and m.contact_id is not null
          else m.contact_id = of_contact end
        and (of_channel is null or m.channel = of_channel) and m.id < below and m.id >= from_id
      order by m.id desc limit case when filters_conversations then scanned_max else read_max end)
    select array(
        select s.id from scanned s
        where not filters_conversations or s.contact_id in (select c.contact_id from conversation c
          where c.tenant_id = tenant and c.environment = of_environment
            and is_listed(c, of_assignee, of_state))
        order by s.id desc limit read_max),
      (select min(s.id) from scanned s),
      (select count(*) < case when filters_conversations then scanned_max else read_max end from scanned)
      into ids, lowest, is_all;
  end if;
  if filters_conversations and not is_all and cardinality(ids) < most then
    ids := array(select * from find_messages_by_conversation(of_environment, of_channel, of_assignee,
      of_state, below, from_id, read_max));
    is_all := true;
  end if;
  if words is null then
    return query select id, true from unnest(ids) id;
    return;
  end if;

  if cardinality(ids) = read_max then
    is_all := false;
    lowest := ids[read_max];
  end if;
  found := array(
    select m.id from message m
    where m.tenant_id = tenant and m.environment = of_environment and m.id = any (ids)
      and lower(m.preview) like all (patterns) and message_words(m.preview) @@ wanted
    order by m.id desc limit most);
  return query select id, true from unnest(found) id;
  if not is_all and cardinality(found) < most then
    return query select * from find_messages_by_words(of_environment, of_contact, of_channel, words,
      of_assignee, of_state, lowest, from_id, most - cardinality(found));
  end if;
end $$;

-- The newest messages of the conversations asked for. A page of them is from as many conversations at
-- most: those whose newest message is the newest.
create function find_messages_by_conversation(of_environment text, of_channel text,
    of_assignee text, of_state text, below text, from_id text, most int)
  returns setof text
  language plpgsql stable security definer set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan as $$
begin
  return query
    with newest as materialized (
      select c.contact_id, m.id from conversation c cross join lateral (
        select m.id from message m
        where m.tenant_id = current_tenant() and m.environment = of_environment
          and m.contact_id = c.contact_id and m.broadcast_id is null
          and (of_channel is null or m.channel = of_channel) and m.id < below and m.id >= from_id
        order by m.id desc limit 1) m
      where c.tenant_id = current_tenant() and c.environment = of_environment
        and c.last_item >= substr(from_id, 5) and is_listed(c, of_assignee, of_state)
      order by m.id desc limit most),
    lowest as materialized (
      select case when count(*) = most then min(id) else from_id end as id from newest)
    select m.id from newest n, lowest l cross join lateral (
      select m.id from message m
      where m.tenant_id = current_tenant() and m.environment = of_environment
        and m.contact_id = n.contact_id and m.broadcast_id is null
        and (of_channel is null or m.channel = of_channel) and m.id <= n.id and m.id >= l.id
      order by m.id desc limit most) m
    order by m.id desc limit most;
end $$;

-- The newest periods that have messages between these ids, each found by its newest message.
create function search_periods(of_environment text, below text, from_id text, most int)
  returns text[]
  language plpgsql stable security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    with recursive period (id) as (
      select search_period(max(m.id)) from message m
      where m.tenant_id = current_tenant() and m.environment = of_environment
        and m.broadcast_id is null and m.contact_id is not null and m.id < below and m.id >= from_id
      union all
      select (select search_period(max(m.id)) from message m
        where m.tenant_id = current_tenant() and m.environment = of_environment
          and m.broadcast_id is null and m.contact_id is not null and m.id < p.id and m.id >= from_id)
      from period p where p.id is not null)
    select id from period where id is not null limit most);
end $$;

-- By the index of words: in the newest period, then in up to four times as many at a time, until the page
-- is full or about `matches_max` messages with the words were read (a tenth of a second; half a second when
-- none of them is in memory). A subquery of its own asks the index, so that no plan reads along the messages
-- instead. Broadcasts to a contact are not in it.
create function find_messages_by_words(of_environment text, of_contact text, of_channel text,
    words text, of_assignee text, of_state text, below text, from_id text, most int)
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
  lowest text := below;
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
    periods := search_periods(of_environment, lowest, from_id, period_count);
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
          where m.id < lowest and m.id >= from_id
            and (of_channel is null or m.channel = of_channel)
            and (of_contact is null or m.contact_id = of_contact)
            and (not filters_conversations or m.contact_id in (select c.contact_id from conversation c
              where c.tenant_id = tenant and c.environment = of_environment
                and is_listed(c, of_assignee, of_state)))
          order by m.id desc offset 0) n
        where message_words(n.preview) @@ wanted
        order by n.id desc limit most - cardinality(found)),
      (select count(*) from matching)
      into more, matched;
    found := found || more;
    matches := matches + matched;
    lowest := periods[cardinality(periods)];
    period_count := least(4 * period_count,
      greatest(1, (matches_max - matches) * cardinality(periods) / greatest(1, matched)));
  end loop;
  if of_contact is not null then
    found := found || array(
      select m.id from (
        select m.id from message m
        where m.tenant_id = tenant and m.environment = of_environment and m.contact_id = of_contact
          and (m.broadcast_id is null) is false and (of_channel is null or m.channel = of_channel)
          and m.id < below and m.id >= case when is_all then from_id else lowest end
        order by m.id desc offset 0) b
      join message m on m.tenant_id = tenant and m.id = b.id
      where message_words(m.preview) @@ wanted order by m.id desc limit most);
  end if;
  return query select id, true from unnest(found) id order by id desc limit most;
  if not is_all and cardinality(found) < most then
    -- The period as an id, which has 30 letters: every message of the period is above it.
    return query select rpad(lowest, 30, '0'), false;
  end if;
end $$;
