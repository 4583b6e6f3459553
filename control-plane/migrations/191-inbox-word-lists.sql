-- A page is read by one process, without compiling: starting others takes longer than the page. Memory
-- is for bitmaps, which else forget rows and look through whole pages.

-- How many rows the planner expects: of words it knows the frequency.
create function planned_rows(statement text) returns float8
  language plpgsql set search_path = public, pg_temp as $$
declare
  plan json;
begin
  execute 'explain (format json) ' || statement into plan;
  return (plan->0->'Plan'->>'Plan Rows')::float8;
end $$;

create or replace function find_inbox_messages(of_environment text, of_contact text,
    of_channel text, words text, of_assignee text, of_state text, below text, from_id text, most int)
  returns setof text
  language plpgsql security definer set search_path = public, pg_temp
  set work_mem = '64MB' set jit = off set max_parallel_workers_per_gather = 0 as $$
declare
  wanted tsquery := words_query(words);
  conversations text := conversation_condition(of_assignee, of_state);
  is_theirs boolean;
  bounds text := concat(
    case when of_channel is not null then ' and m.channel = $4' end,
    case when below is not null then ' and m.id < $5' end,
    case when from_id is not null then ' and m.id >= $6' end,
    ' order by m.id desc limit $7');
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
  elsif conversations <> '' then
    execute 'select exists (select from conversation c where c.tenant_id = $1
        and c.environment = $2 and c.contact_id = $3' || conversations || ')'
      into is_theirs using current_tenant(), of_environment, of_contact;
    if not is_theirs then return; end if;
  end if;
  if wanted is not null and not is_usual(wanted) then
    -- What was broadcast to the contact is in no index of words; it is seldom much.
    return query execute concat('select id from (
        (with told as materialized (select m.id from message m where m.tenant_id = $1
           and m.environment = $2 and m.contact_id = $3 and (m.broadcast_id is null) is false)
         select m.id from told join message m on m.id = told.id
         where message_words(m.preview) @@ $8', bounds, ') union all
        (with matched as materialized (select m.* from message m
           where hashtext(m.contact_id) = hashtext($3) and m.broadcast_id is null
             and m.contact_id is not null and message_words(m.preview) @@ $8)
         select m.id from matched m where m.tenant_id = $1 and m.environment = $2
           and m.contact_id = $3', bounds, ')) m order by id desc limit $7')
      using current_tenant(), of_environment, of_contact, of_channel, below, from_id, most, wanted;
    return;
  end if;
  return query execute concat(
    'select m.id from message m where m.tenant_id = $1 and m.environment = $2',
    case when of_contact is not null then ' and m.contact_id = $3'
         else ' and m.broadcast_id is null and m.contact_id is not null' end,
    case when wanted is not null then ' and message_words(m.preview) @@ $8' end, bounds)
    using current_tenant(), of_environment, of_contact, of_channel, below, from_id, most, wanted;
end $$;

-- Which share of the messages has the words, in all tenants.
create function share_of_words(wanted tsquery) returns float8
  language sql set search_path = public, pg_temp as $$
    select least(1, planned_rows(format('select from message m where m.broadcast_id is null
        and m.contact_id is not null and message_words(m.preview) @@ %L::tsquery', wanted))
      / greatest(1, planned_rows('select from message m where m.broadcast_id is null
        and m.contact_id is not null')))
  $$;
-- Whether a reading of messages one after another meets the words soon.
create function is_usual(wanted tsquery) returns boolean
  language sql set search_path = public, pg_temp as $$
    select share_of_words(wanted) > 0.05
  $$;

-- Words over all contacts. Rare ones are taken out of their index all at once. Of others there is too
-- much for that: they are looked for in the newest stretches of time, as far back as a page should
-- take by what the planner knows of the words and of the conversations, then further back by as much
-- as what was found falls short. Where the conversations asked for are few, or turn out to be few
-- beside the messages with the words, in those.
create or replace function find_inbox_words(of_environment text, of_channel text, wanted tsquery,
    of_assignee text, of_state text, below text, from_id text, most int)
  returns setof text
  language plpgsql security definer set search_path = public, pg_temp
  set work_mem = '64MB' set jit = off set max_parallel_workers_per_gather = 0 as $$
declare
  rare_min constant int := 1000;
  rare_max constant int := 10000;
  rest_max constant int := 200000;
  few_conversations constant int := 300;
  stretches_max constant int := 64;
  messages constant float8 := greatest(1, planned_rows('select from message m
    where m.broadcast_id is null and m.contact_id is not null'));
  has_beginnings constant boolean := wanted::text like '%:*%';
  -- Of seldom words the planner knows none, so that it takes what begins alike for rarer than it is.
  share constant float8 := greatest(share_of_words(wanted), case when has_beginnings then 0.005 end);
  all_words constant float8 := share * messages;
  conversations text := conversation_condition(of_assignee, of_state);
  -- Messages with the words that a page takes.
  needed float8 := most;
  few int;
  last_item text;
  newest bigint;
  oldest bigint;
  near bigint;
  -- Looked at is what is from here on, up to the newest; next is what is from `ahead` on.
  reached bigint;
  ahead bigint;
  letters int;
  stretch bigint;
  matches bigint;
  matches_all bigint := 0;
  matches_max float8;
  found text[] := '{}';
  more text[];
  -- $1 tenant, $2 environment, $3 words, $4 channel, $5 below, $6 from, $7 most, $8 stretches
  inbox text := 'from message m where m.tenant_id = $1 and m.environment = $2
    and m.broadcast_id is null and m.contact_id is not null';
  bounds text := ' and m.id < coalesce($5, ''n'') and m.id >= coalesce($6, '''')';
  theirs text := case when conversations <> '' then ' and exists (select from conversation c
    where c.tenant_id = $1 and c.environment = $2 and c.contact_id = m.contact_id'
    || conversations || ')' end;
  rare text := concat('with matched as materialized (select m.id, m.contact_id, m.channel ', inbox,
    ' and message_words(m.preview) @@ $3) select m.id');
  page text := concat(' from (select * from matched m where true', bounds,
    case when of_channel is not null then ' and m.channel = $4' end,
    ' order by m.id desc offset 0) m where true', theirs, ' order by m.id desc limit $7');
begin
  if current_tenant() is null then return; end if;
  if conversations <> '' then
    needed := most * greatest(1, planned_rows('select from conversation')
      / greatest(1, planned_rows('select from conversation c where true' || conversations)));
  end if;
  if of_channel is not null then
    needed := needed * messages / greatest(1, planned_rows(format('select from message m
      where m.broadcast_id is null and m.contact_id is not null and m.channel = %L', of_channel)));
  end if;
  if conversations <> '' then
    execute 'select count(*), max(last_item) from (select c.last_item from conversation c
        where c.tenant_id = $1 and c.environment = $2' || conversations
      || ' order by c.last_item desc limit $3) c'
      into few, last_item using current_tenant(), of_environment, few_conversations;
    if few < few_conversations and few * 40 < all_words then
      return query select * from find_inbox_conversations(of_environment, of_channel, wanted,
        of_assignee, of_state, below, from_id, most);
      return;
    end if;
    -- Nothing of theirs is newer.
    below := least(below, 'msg_' || last_item || '0');
  end if;
  if all_words <= greatest(rare_min, least(rare_max, 4 * needed)) then
    return query execute concat(rare, page)
      using current_tenant(), of_environment, wanted, of_channel, below, from_id, most;
    return;
  end if;
  execute concat('select message_instant((select m.id ', inbox, bounds, ' order by m.id desc limit 1)),
      message_instant((select m.id ', inbox, bounds, ' order by m.id limit 1)),
      message_instant((select m.id ', inbox, bounds, ' order by m.id desc offset 1000 limit 1))')
    into newest, oldest, near
    using current_tenant(), of_environment, wanted, of_channel, below, from_id;
  if newest is null then return; end if;
  -- Each look at beginnings of words gathers all of them first: messages are read instead where that
  -- is less, by microseconds of a gathered word, a match, a message and a conversation.
  if has_beginnings
      and all_words * 0.3 + needed * 10 > (most * 12 + needed * 3.5) / share then
    return query select * from find_inbox_beginnings(of_environment, of_channel, wanted,
      conversations, below, from_id, most, (1.2 * needed / share)::int);
    return;
  end if;
  matches_max := greatest(2000, 2 * needed);
  reached := newest + 1;
  ahead := greatest(oldest, reached - 1
    - ((newest - coalesce(near, oldest)) * 1.2 * needed / share / 1000)::bigint);
  loop
    letters := case when reached - ahead < stretches_max * (1::bigint << 20) then 10
      when reached - ahead < stretches_max * (1::bigint << 25) then 9 else 8 end;
    stretch := 1::bigint << 5 * (14 - letters);
    ahead := greatest(ahead / stretch, (reached - 1) / stretch - stretches_max) * stretch;
    execute concat('with matched as materialized (select m.id, m.contact_id, m.channel ', inbox,
        case when of_channel is not null then ' and m.channel = $4' end,
        ' and message_stretches(m.tenant_id, m.environment, m.id) && $8
          and message_words(m.preview) @@ $3)
        select array(select m.id', page, '), (select count(*) from matched)')
      into more, matches
      using current_tenant(), of_environment, wanted, of_channel,
        least(below, first_message_id(reached)), from_id, most - cardinality(found),
        array(select message_stretch(current_tenant(), of_environment,
            first_message_id(n * stretch), letters)
          from generate_series(ahead / stretch, (reached - 1) / stretch) n);
    found := found || more;
    exit when cardinality(found) = most or ahead <= oldest;
    matches_all := matches_all + matches;
    reached := ahead;
    if conversations <> '' and matches_all > matches_max then
      below := least(below, first_message_id(reached));
      if all_words < rest_max then
        return query select * from unnest(found);
        return query execute concat(rare, page) using current_tenant(), of_environment, wanted,
          of_channel, below, from_id, most - cardinality(found);
      else
        return query select * from unnest(found);
        return query select * from find_inbox_conversations(of_environment, of_channel, wanted,
          of_assignee, of_state, below, from_id, most - cardinality(found));
      end if;
      return;
    end if;
    -- Never by little, so that a word that is no longer there ends soon.
    ahead := greatest(oldest, least(reached - 1, reached - ceil((newest + 1 - reached)
      * greatest(0.3, least(matches_max / (matches_all + 1),
        1.3 * (most - cardinality(found)) / (cardinality(found) + 1))))::bigint));
  end loop;
  return query select * from unnest(found);
end $$;

-- Beginnings of words that many messages have: along the messages, newest first.
create function find_inbox_beginnings(of_environment text, of_channel text, wanted tsquery,
    conversations text, below text, from_id text, most int, count int)
  returns setof text
  language plpgsql set search_path = public, pg_temp as $$
declare
  seen int;
  found text[] := '{}';
  more text[];
begin
  loop
    execute concat('with newest as materialized (select m.id, m.contact_id from message m
        where m.tenant_id = $1 and m.environment = $2 and m.broadcast_id is null
          and m.contact_id is not null and m.id < coalesce($5, ''n'') and m.id >= coalesce($6, '''')
        order by m.id desc limit $8),
      theirs as materialized (select n.id from newest n where true',
      case when conversations <> '' then ' and exists (select from conversation c
        where c.tenant_id = $1 and c.environment = $2 and c.contact_id = n.contact_id'
        || conversations || ')' end, ')
      select array(select m.id from theirs n join message m on m.id = n.id
          where message_words(m.preview) @@ $3',
      case when of_channel is not null then ' and m.channel = $4' end,
      ' order by m.id desc limit $7), (select min(id) from newest), (select count(*) from newest)')
      into more, below, seen
      using current_tenant(), of_environment, wanted, of_channel, below, from_id,
        most - cardinality(found), count;
    found := found || more;
    exit when cardinality(found) = most or seen < count;
    count := least(16000, 2 * count);
  end loop;
  return query select * from unnest(found);
end $$;

-- Messages of some of the conversations. Where these are many, the newest messages are often theirs;
-- further back that is looked at for longer, as most conversations have newer items there.
-- Else the newest message of each is looked at, conversations with the newest items first, until no
-- further one could have a message among the newest.
create or replace function find_inbox_conversations(of_environment text, of_channel text,
    wanted tsquery, of_assignee text, of_state text, below text, from_id text, most int)
  returns setof text
  language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  conversations text := conversation_condition(of_assignee, of_state);
  people text[];
  count int := 100;
  count_max constant int := 1600;
  heads text[] := '{}';
  found text[];
  lowest text;
  -- The index of words knows contacts by it; usual words are found sooner along a contact's messages.
  hashed text := case when not is_usual(wanted) then ' and m.contact_id is not null
    and hashtext(m.contact_id) = hashtext(p.contact_id)' end;
  -- $1 tenant, $2 environment, $3 channel, $4 below, $5 from, $6 most, $7 words, $8 contacts
  bounds text := concat('m.tenant_id = $1 and m.environment = $2 and m.broadcast_id is null',
    case when of_channel is not null then ' and m.channel = $3' end,
    case when below is not null then ' and m.id < $4' end,
    case when from_id is not null then ' and m.id >= $5' end,
    case when wanted is not null then
      ' and message_words(m.preview) @@ $7' end);
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
      ' order by c.last_item desc limit $5) c')
      into people, lowest using current_tenant(), of_environment, lowest, from_id, count;
    exit when people is null;
    execute 'select array(select id from (
        select unnest($9) as id union all
        select m.id from unnest($8) p (contact_id) cross join lateral (
          select m.id from message m where ' || bounds || ' and m.contact_id = p.contact_id'
          || coalesce(hashed, '') || ' order by m.id desc limit 1) m) h
      order by id desc limit $6)'
      into heads using current_tenant(), of_environment, of_channel, below, from_id, most, wanted,
        people, heads;
    exit when cardinality(people) < count
      or cardinality(heads) = most and substr(heads[most], 5) >= lowest;
    count := least(count_max, 2 * count);
  end loop;
  -- Nothing below the last of these can be among the newest.
  return query execute concat(
    'select m.id from (select h.contact_id from message h where h.id = any($8)) p
      cross join lateral (select m.id from message m where ', bounds,
    ' and m.contact_id = p.contact_id', hashed,
    case when cardinality(heads) = most then ' and m.id >= ($8)[$6]' end,
    ' order by m.id desc limit $6) m order by m.id desc limit $6')
    using current_tenant(), of_environment, of_channel, below, from_id, most, wanted,
      heads;
end $$;
