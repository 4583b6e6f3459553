-- The team inbox reads messages that were not broadcast: a broadcast costs these indexes nothing.
-- Ids sort by time, so a page is a piece of an index; whose it is stands in the index too.
create index message_of_inbox on message (tenant_id, environment, id) include (contact_id)
  where broadcast_id is null and contact_id is not null;
create index message_of_inbox_channel on message (tenant_id, environment, channel, id)
  include (contact_id) where broadcast_id is null and contact_id is not null;
-- `left(id, 9)` is a stretch of nine hours: newest first, words are looked for some at a time.
create index message_words on message using gin
  (tenant_id, environment, contact_id, channel, left(id, 9),
   to_tsvector('simple'::regconfig, left(preview, 2000)))
  where broadcast_id is null and contact_id is not null;

-- How common a word is; what is gathered for an index of only some rows is not asked.
create statistics message_word_count on (to_tsvector('simple'::regconfig, left(preview, 2000)))
  from message;
alter statistics message_word_count set statistics 500;

-- All of the words, in whatever order; null when there is none. A star at its end makes a word the
-- beginning of one, but only where it is long enough to be rare: the index gathers every message
-- that has any such word before it looks at anything else.
create function words_query(words text) returns tsquery
  language sql stable set search_path = public, pg_temp as $$
    select string_agg(distinct
        '''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''''
        || case when word like '%*' and length(lexeme) >= 4 then ':*' else '' end, ' & ')::tsquery
      from regexp_split_to_table(words, '\s+') word, unnest(to_tsvector('simple'::regconfig, word))
  $$;

-- Which conversations a list is of, as a condition on `c`. '' as assignee: nobody.
create function conversation_condition(of_assignee text, of_state text) returns text
  language sql immutable set search_path = public, pg_temp as $$
    select concat(
      case when of_assignee = '' then ' and c.assignee_id is null'
           when of_assignee is not null then format(' and c.assignee_id = %L', of_assignee) end,
      case when of_state is not null then format(' and c.state = %L', of_state) end)
  $$;

-- The milliseconds that an id of a message begins with, and the lowest id of an instant.
create function message_instant(id text) returns bigint
  language sql immutable parallel safe
  return (select sum((position(substr(id, 4 + n, 1) in '0123456789abcdefghjkmnpqrstvwxyz') - 1)
    * (1::bigint << (5 * (10 - n)))) from generate_series(1, 10) n)::bigint;
create function first_message_id(instant bigint) returns text
  language sql immutable parallel safe
  return 'msg_' || (select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
    ((greatest(instant, 0) >> (5 * (10 - n))) & 31)::int + 1, 1), '' order by n)
    from generate_series(1, 10) n) || repeat('0', 16);

-- A page of ids of messages, newest first. As find_contacts (063) it tests the tenant itself, and is
-- put together from the filters that are given. `below` is exclusive. (Volatile, as the planner's guess
-- may not be asked otherwise.)
create function find_inbox_messages(of_environment text, of_contact text, of_channel text,
    words text, of_assignee text, of_state text, below text, from_id text, most int)
  returns setof text
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  wanted tsquery := words_query(words);
  conversations text := conversation_condition(of_assignee, of_state);
begin
  if current_tenant() is null or (words is not null and wanted is null) then return; end if;
  if of_contact is null and wanted is not null then
    return query select * from find_inbox_words(of_environment, of_channel, wanted, of_assignee,
      of_state, below, from_id, most);
    return;
  elsif of_contact is null and conversations <> '' then
    return query select * from find_inbox_conversations(of_environment, of_channel, null,
      of_assignee, of_state, below, from_id, most);
    return;
  end if;
  return query execute concat(
    'select m.id from message m where m.tenant_id = $1 and m.environment = $2',
    case when of_contact is not null then ' and m.contact_id = $3'
         else ' and m.broadcast_id is null and m.contact_id is not null' end,
    case when of_channel is not null then ' and m.channel = $4' end,
    case when wanted is not null then
      ' and to_tsvector(''simple''::regconfig, left(m.preview, 2000)) @@ $5' end,
    case when below is not null then ' and m.id < $6' end,
    case when from_id is not null then ' and m.id >= $7' end,
    case when conversations <> '' then ' and exists (select from conversation c
      where c.tenant_id = $1 and c.environment = $2 and c.contact_id = $3' || conversations || ')'
    end,
    ' order by m.id desc limit $8')
    using current_tenant(), of_environment, of_contact, of_channel, wanted, below, from_id, most;
end $$;

-- Words over all contacts. Rare ones are looked for everywhere. Of others there is too much for that:
-- they are looked for in the newest stretch of time, then in more of them, by as much as what was
-- found so far falls short; and if the conversations asked for are few, at last in those.
create function find_inbox_words(of_environment text, of_channel text, wanted tsquery,
    of_assignee text, of_state text, below text, from_id text, most int)
  returns setof text
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  stretch constant bigint := 1 << 25;
  stretches_max constant int := 128;
  rows_max constant int := 2000;
  conversations text := conversation_condition(of_assignee, of_state);
  newest text;
  oldest text;
  done int := 0;
  count int := 2;
  found text[] := '{}';
  more text[];
  matches bigint;
  matches_before bigint := 0;
  guess json;
  -- $1 tenant, $2 environment, $3 words, $4 channel, $5 below, $6 from, $7 most, $8 stretches
  source text := concat('with matched as materialized (select m.id, m.contact_id from message m
    where m.tenant_id = $1 and m.environment = $2 and m.broadcast_id is null
      and m.contact_id is not null
      and to_tsvector(''simple''::regconfig, left(m.preview, 2000)) @@ $3',
    case when of_channel is not null then ' and m.channel = $4' end, ' %s)
    select array(select m.id from matched m where true',
    case when below is not null then ' and m.id < $5' end,
    case when from_id is not null then ' and m.id >= $6' end,
    case when conversations <> '' then ' and exists (select from conversation c
      where c.tenant_id = $1 and c.environment = $2 and c.contact_id = m.contact_id'
      || conversations || ')' end,
    ' order by m.id desc limit $7), (select count(*) from matched)');
begin
  if current_tenant() is null then return; end if;
  newest := (select m.id from message m where m.tenant_id = current_tenant()
    and m.environment = of_environment and m.broadcast_id is null and m.contact_id is not null
    and m.id < coalesce(below, 'n') order by m.id desc limit 1);
  if newest is null then return; end if;
  -- What the planner knows of the words, in all tenants.
  execute format('explain (format json) select from message m where m.broadcast_id is null
    and m.contact_id is not null
    and to_tsvector(''simple''::regconfig, left(m.preview, 2000)) @@ %L::tsquery', wanted) into guess;
  while (guess->0->'Plan'->>'Plan Rows')::float8 > rows_max loop
    -- Each by itself: a range of an inverted index would gather all that is in it.
    execute format(source, 'and left(m.id, 9) = any($8)')
      into more, matches using current_tenant(), of_environment, wanted, of_channel, below,
        from_id, most, array(select left(first_message_id(message_instant(newest) - n * stretch), 9)
          from generate_series(done, count - 1) n);
    found := found || more;
    matches := matches + matches_before;
    matches_before := matches;
    if cardinality(found) >= most or from_id >
        left(first_message_id(message_instant(newest) - (count - 1) * stretch), 9) then
      return query select * from unnest(found[:most]);
      return;
    end if;
    -- Much of the word and little of the conversations: there is a better way.
    exit when count = stretches_max or matches > 2 * rows_max;
    done := count;
    count := least(stretches_max,
      count * greatest(2, least(8, 2 * most / greatest(1, cardinality(found)))),
      count + 1 + 4 * rows_max * count / greatest(1, matches));
  end loop;
  if conversations <> '' and matches is not null then
    oldest := (select m.id from message m where m.tenant_id = current_tenant()
      and m.environment = of_environment and m.broadcast_id is null and m.contact_id is not null
      order by m.id limit 1);
    if matches * (message_instant(newest) - message_instant(coalesce(from_id, oldest)))
        / (count * stretch) > 10 * rows_max then
      return query select * from find_inbox_conversations(of_environment, of_channel, wanted,
        of_assignee, of_state, below, from_id, most);
      return;
    end if;
  end if;
  execute format(source, '') into found, matches
    using current_tenant(), of_environment, wanted, of_channel, below, from_id, most;
  return query select * from unnest(found);
end $$;

-- Messages of some of the conversations. Where these are many, the newest messages are often theirs;
-- further back that is looked at for longer, as most conversations have newer items there.
-- Else the newest message of each is looked at, conversations with the newest items first, until no
-- further one could have a message among the newest.
create function find_inbox_conversations(of_environment text, of_channel text, wanted tsquery,
    of_assignee text, of_state text, below text, from_id text, most int)
  returns setof text
  language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  conversations text := conversation_condition(of_assignee, of_state);
  people text[];
  heads text[] := '{}';
  found text[];
  lowest text;
  -- $1 tenant, $2 environment, $3 channel, $4 below, $5 from, $6 most, $7 words, $8 contacts
  bounds text := concat('m.tenant_id = $1 and m.environment = $2 and m.broadcast_id is null',
    case when of_channel is not null then ' and m.channel = $3' end,
    case when below is not null then ' and m.id < $4' end,
    case when from_id is not null then ' and m.id >= $5' end,
    -- Not as the index has it: here messages are read along the ids, and the first that fits ends it.
    case when wanted is not null then
      ' and to_tsvector(''simple''::regconfig, left(m.preview, 2000) || '''') @@ $7' end);
begin
  if current_tenant() is null then return; end if;
  if wanted is null then
    execute 'select array(select n.id from (select m.id, m.contact_id from message m where '
        || bounds || ' and m.contact_id is not null order by m.id desc limit '
        || case when below is null then 500 else 4000 end || ') n
      where exists (select from conversation c where c.tenant_id = $1 and c.environment = $2
        and c.contact_id = n.contact_id' || conversations || ') order by n.id desc limit $6)'
      into found using current_tenant(), of_environment, of_channel, below, from_id, most;
    if cardinality(found) = most then
      return query select * from unnest(found);
      return;
    end if;
  end if;
  loop
    execute concat('select array_agg(contact_id), min(last_item) from (
        select c.contact_id, c.last_item from conversation c
        where c.tenant_id = $1 and c.environment = $2', conversations,
      case when lowest is not null then ' and c.last_item < $3' end,
      case when from_id is not null then ' and c.last_item >= substr($4, 5)' end,
      ' order by c.last_item desc limit 100) c')
      into people, lowest using current_tenant(), of_environment, lowest, from_id;
    exit when people is null;
    execute 'select array(select id from (
        select unnest($9) as id union all
        select m.id from unnest($8) p (contact_id) cross join lateral (
          select m.id from message m where ' || bounds || ' and m.contact_id = p.contact_id
          order by m.id desc limit 1) m) h
      order by id desc limit $6)'
      into heads using current_tenant(), of_environment, of_channel, below, from_id, most, wanted,
        people, heads;
    exit when cardinality(heads) = most and substr(heads[most], 5) >= lowest;
  end loop;
  -- Nothing below the last of these can be among the newest.
  return query execute concat(
    'select m.id from (select h.contact_id from message h where h.id = any($8)) p
      cross join lateral (select m.id from message m where ', bounds,
    ' and m.contact_id = p.contact_id',
    case when cardinality(heads) = most then ' and m.id >= ($8)[$6]' end,
    ' order by m.id desc limit $6) m order by m.id desc limit $6')
    using current_tenant(), of_environment, of_channel, below, from_id, most, wanted, heads;
end $$;
