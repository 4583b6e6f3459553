-- Who and in which state without a look at the conversations, which are written often.
drop index conversation_of_assignee;
create index conversation_of_assignee
  on conversation (tenant_id, environment, assignee_id, last_item) include (state, contact_id);
drop index conversation_of_state;
create index conversation_of_state
  on conversation (tenant_id, environment, state, last_item) include (assignee_id, contact_id);

drop function find_inbox_words(text, text, tsquery, text, text, text, text, int);
drop function find_inbox_conversations(text, text, tsquery, text, text, text, text, int);
drop function find_inbox_beginnings(text, text, tsquery, text, text, text, int, int);

create or replace function find_inbox_messages(of_environment text, of_contact text,
    of_channel text, words text, of_assignee text, of_state text, below text, from_id text,
    most int)
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
    return query select * from find_inbox_words(of_environment, of_channel, words, of_assignee,
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
         where true', words_condition(words), bounds, ') union all
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
    words_condition(words), bounds)
    using current_tenant(), of_environment, of_contact, of_channel, below, from_id, most;
end $$;

-- Words over all contacts, by the way that is expected to be the shortest: along the messages, where
-- words and conversations are usual; all that has the words out of their index, where that is little;
-- in the newest stretches of time, as far back as a page should take, then further back by as much as
-- what was found falls short; in the conversations, where these are few or the other ways turn out to
-- find too little. What is expected comes from the planner's statistics, and of beginnings of words, of
-- which these know little, from the newest messages.
create function find_inbox_words(of_environment text, of_channel text, words text, of_assignee text,
    of_state text, below text, from_id text, most int)
  returns setof text
  language plpgsql security definer set search_path = public, pg_temp
  set work_mem = '64MB' set jit = off set max_parallel_workers_per_gather = 0 as $$
declare
  conversations constant text := conversation_condition(of_assignee, of_state);
  few_max constant int := 1000;
  sampled constant int := 2000;
  stretches_max constant int := 64;
  -- Of a page that is looked for at first: less than all where there is another way, to see what is
  -- there; more where an index gathers all that begins alike each time.
  first_step constant float8 := case when conversations <> '' then 0.7 else 1.2 end;
  -- Microseconds: of an entry of an index, a message that is read in order, one that is read
  -- anywhere, one that an index gathers for a beginning of words, one set beside stretches of time, a
  -- conversation that is looked into, and one of which it is seen what was said in it.
  entry_us constant float8 := 0.3;
  text_us constant float8 := 1;
  message_us constant float8 := 3;
  gathered_us constant float8 := 0.3;
  stretched_us constant float8 := 12;
  conversation_us constant float8 := 100;
  said_us constant float8 := 20;
  wanted constant tsquery := words_query(words);
  has_beginnings constant boolean := wanted::text like '%:*%';
  messages constant float8 := greatest(1, planned_rows('select from message m
    where m.broadcast_id is null and m.contact_id is not null'));
  -- How many messages of all people there are to one of these, and of all channels to one of this.
  people float8 := 'infinity';
  to_theirs float8 := 1;
  to_channel float8 := 1;
  share float8;
  matches_all float8;
  -- Messages with the words that a page takes.
  needed float8;
  along_us float8;
  index_us float8;
  is_narrow boolean;
  all_us float8;
  rest_us float8;
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
  matches_seen bigint := 0;
  found text[] := '{}';
  more text[];
  -- $1 tenant, $2 environment, $3 words, $4 channel, $5 below, $6 from, $7 most, $8 stretches
  inbox constant text := 'from message m where m.tenant_id = $1 and m.environment = $2
    and m.broadcast_id is null and m.contact_id is not null';
  bounds constant text := ' and m.id < coalesce($5, ''n'') and m.id >= coalesce($6, '''')';
  of_theirs text;
  -- The order of words without spaces is looked at last.
  matching constant text := concat(inbox, ' and message_words(m.preview) @@ ',
    quote_literal(replace(wanted::text, '<->', '&')), '::tsquery');
  page text;
  is_rare boolean;
  is_elsewhere boolean := false;
  columns constant text := concat('m.id, m.contact_id, m.channel',
    case when wanted::text like '%<->%' then ', m.preview' end);
begin
  if current_tenant() is null or wanted is null then return; end if;
  if conversations <> '' then
    people := greatest(1, planned_rows('select from conversation c where true' || conversations));
    to_theirs := greatest(1, planned_rows('select from conversation') / people);
    -- All of them at once, unless they are too many for that.
    of_theirs := concat(case when to_theirs > 4 then ' and (m.contact_id in (select c.contact_id'
      else ' and (exists (select' end, ' from conversation c where c.tenant_id = $1
      and c.environment = $2', conversations, case when to_theirs > 4 then ')) is true'
      else ' and c.contact_id = m.contact_id))' end);
  end if;
  page := concat(' from (select * from matched m where true', bounds,
    case when of_channel is not null then ' and m.channel = $4' end,
    ' order by m.id desc offset 0) m where true', of_theirs,
    case when wanted::text like '%<->%' then words_condition(words) end,
    ' order by m.id desc limit $7');
  if of_channel is not null then
    to_channel := messages / greatest(1, planned_rows(format('select from message m
      where m.broadcast_id is null and m.contact_id is not null and m.channel = %L', of_channel)));
  end if;
  if has_beginnings then
    execute concat('select (count(*) filter (where true', words_condition(words), ') + 1)
        / (count(*) + 500.0) from (select m.preview ', inbox, bounds,
        ' order by m.id desc limit $3) m')
      into share
      using current_tenant(), of_environment, sampled, of_channel, below, from_id;
  else
    share := share_of_words(wanted);
  end if;
  matches_all := share * messages;
  needed := most * to_theirs * to_channel;
  along_us := (most * text_us + most * to_theirs * entry_us) / share;
  -- A seldom channel is set beside the words sooner than what has them is read.
  is_narrow := to_channel > 4;
  all_us := matches_all * message_us * case when is_narrow then 0.4 else 1 end;
  index_us := least(all_us, needed * stretched_us)
    + case when has_beginnings then matches_all * gathered_us else 0 end;

  if conversations <> '' then
    execute 'select count(*), max(last_item) from (select c.last_item from conversation c
        where c.tenant_id = $1 and c.environment = $2' || conversations
      || ' order by c.last_item desc limit $3) c'
      into few, last_item using current_tenant(), of_environment, few_max;
    if few < few_max and few * conversation_us < least(along_us, index_us) then
      return query select * from find_inbox_conversations(of_environment, of_channel, words,
        of_assignee, of_state, below, from_id, most);
      return;
    end if;
    -- Nothing of theirs is newer.
    below := least(below, 'msg_' || last_item || '0');
  end if;

  if along_us < index_us then
    select a.ids, a.reached into found, below
    from find_inbox_along(of_environment, of_channel, words, conversations,
      below, from_id, most, ceil(first_step * most * to_theirs / share)::int, entry_us + text_us / to_theirs,
      case when conversations <> '' then people * said_us else index_us end) a;
    if cardinality(found) = most or below is null then
      return query select * from unnest(found);
      return;
    elsif conversations <> '' then
      return query select * from unnest(found);
      return query select * from find_inbox_conversations(of_environment, of_channel, words,
        of_assignee, of_state, below, from_id, most - cardinality(found));
      return;
    end if;
  end if;

  is_rare := all_us <= greatest(3000, least(30000, needed * stretched_us));
  if not is_rare then
    execute concat('select message_instant((select m.id ', inbox, bounds,
        ' order by m.id desc limit 1)), message_instant((select m.id ', inbox, bounds,
        ' order by m.id limit 1)), message_instant((select m.id ', inbox, bounds,
        ' order by m.id desc offset 1000 limit 1))')
      into newest, oldest, near
      using current_tenant(), of_environment, wanted, of_channel, below, from_id;
    reached := newest + 1;
    ahead := greatest(oldest, reached - 1
      - ((newest - coalesce(near, oldest))
      * case when has_beginnings then 1.6 else first_step end * needed / share / 1000)::bigint);
  end if;
  while newest is not null and cardinality(found) < most and reached > oldest loop
    letters := case when reached - ahead < stretches_max * (1::bigint << 20) then 10
      when reached - ahead < stretches_max * (1::bigint << 25) then 9 else 8 end;
    stretch := 1::bigint << 5 * (14 - letters);
    ahead := greatest(ahead / stretch, (reached - 1) / stretch - stretches_max) * stretch;
    execute concat('with matched as materialized (select ', columns, ' ', matching,
        case when of_channel is not null then ' and m.channel = $4' end,
        ' and message_stretches(m.tenant_id, m.environment, m.id) && $8)
        select array(select m.id', page, '), (select count(*) from matched)')
      into more, matches
      using current_tenant(), of_environment, wanted, of_channel,
        least(below, first_message_id(reached)), from_id, most - cardinality(found),
        array(select message_stretch(current_tenant(), of_environment,
            first_message_id(n * stretch), letters)
          from generate_series(ahead / stretch, (reached - 1) / stretch) n);
    found := found || more;
    matches_seen := matches_seen + matches;
    reached := ahead;
    rest_us := stretched_us * least(matches_all,
      matches_seen * (most - cardinality(found)) / greatest(0.5, cardinality(found)));
    is_elsewhere := cardinality(found) < most and least(all_us, people * said_us) < rest_us;
    exit when is_elsewhere;
    -- Never by little, so that a word that is no longer there ends soon.
    ahead := greatest(oldest, least(reached - 1, reached - ceil((newest + 1 - reached)
      * greatest(0.3, least(10, 1.3 * (most - cardinality(found)) / (cardinality(found) + 1))))
      ::bigint));
  end loop;

  return query select * from unnest(found);
  if is_elsewhere then below := least(below, first_message_id(reached)); end if;
  if is_rare or is_elsewhere and all_us < people * said_us then
    return query execute concat('with matched as materialized (select ', columns, ' ', matching,
        case when is_narrow then ' and m.channel = $4' end, ') select m.id', page)
      using current_tenant(), of_environment, wanted, of_channel, below, from_id,
        most - cardinality(found);
  elsif is_elsewhere then
    return query select * from find_inbox_conversations(of_environment, of_channel, words,
      of_assignee, of_state, below, from_id, most - cardinality(found));
  end if;
end $$;

-- Along the messages, newest first, `count` at first, until the rest of the page would take longer
-- than to look for it elsewhere. Answers what was found, and below which message there may be more;
-- null where there is none.
create function find_inbox_along(of_environment text, of_channel text, words text,
    conversations text, below text, from_id text, most int, count int, entry_us float8,
    elsewhere_us float8, out ids text[], out reached text)
  language plpgsql set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  step int := count;
  walked int := 0;
  more text[];
  newest constant text := concat('from message m where m.tenant_id = $1 and m.environment = $2
    and m.broadcast_id is null and m.contact_id is not null
    and m.id < coalesce($4, ''n'') and m.id >= coalesce($5, '''')',
    case when of_channel is not null then ' and m.channel = $3' end, ' order by m.id desc ');
begin
  ids := '{}';
  reached := below;
  loop
    execute concat('select array(select m.id from ', case when conversations = ''
        then concat('(select m.id, m.preview ', newest, 'limit $7) m where true')
        else concat('(select m.id, m.contact_id ', newest, 'limit $7) n
          join message m on m.id = n.id where n.contact_id in (select c.contact_id from conversation c
            where c.tenant_id = $1 and c.environment = $2', conversations, ')') end,
      words_condition(words), ' order by m.id desc limit $6)')
      into more
      using current_tenant(), of_environment, of_channel, reached, from_id,
        most - cardinality(ids), step;
    ids := ids || more;
    exit when cardinality(ids) = most;
    execute concat('select m.id ', newest, 'limit 1 offset $6') into reached
      using current_tenant(), of_environment, of_channel, reached, from_id, step - 1;
    walked := walked + step;
    exit when reached is null or entry_us * walked * (most - cardinality(ids))
      / greatest(0.5, cardinality(ids)) > elsewhere_us;
    step := ceil(walked * least(2, 1.2 * (most - cardinality(ids))
      / greatest(1, cardinality(ids))));
  end loop;
end $$;

-- Messages of some of the conversations. Where these are many, the newest messages are often theirs;
-- further back that is looked at for longer, as most conversations have newer items there.
-- Else the newest message of each is looked at, conversations with the newest items first, until no
-- further one could have a message among the newest.
create function find_inbox_conversations(of_environment text, of_channel text, words text,
    of_assignee text, of_state text, below text, from_id text, most int)
  returns setof text
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  conversations constant text := conversation_condition(of_assignee, of_state);
  people text[];
  count int := 100;
  count_max constant int := 1600;
  heads text[] := '{}';
  found text[];
  lowest text;
  -- The index of words knows contacts by it; usual words and beginnings are found sooner along a
  -- contact's messages.
  hashed constant text := case when words_query(words)::text not like '%:*%'
    and not is_usual(words_query(words))
    then ' and hashtext(m.contact_id) = hashtext(p.contact_id)' end;
  -- $1 tenant, $2 environment, $3 channel, $4 below, $5 from, $6 most, $7 contacts
  bounds constant text := concat(' m.tenant_id = $1 and m.environment = $2
    and m.broadcast_id is null and m.contact_id is not null',
    case when of_channel is not null then ' and m.channel = $3' end,
    case when below is not null then ' and m.id < $4' end,
    case when from_id is not null then ' and m.id >= $5' end);
  of_person constant text := ' and m.contact_id = p.contact_id';
  -- What a contact's index knows is asked first, as it knows the channel too.
  said constant text := case when words is null then concat('message m where', bounds, of_person)
    when hashed is null then concat('(select m.id from message m where', bounds, of_person,
      ' order by m.id desc offset 0) n join message m on m.id = n.id where true',
      words_condition(words))
    else concat('message m where', bounds, of_person, hashed,
      format(' and message_words(m.preview) @@ %L::tsquery', words_query(words))) end;
begin
  if current_tenant() is null then return; end if;
  if words is null then
    execute 'select array(select n.id from (select m.id, m.contact_id from message m where'
        || bounds || ' order by m.id desc limit '
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
        where c.tenant_id = $1 and c.environment = $2', conversations, said_condition(words),
      case when lowest is not null then ' and c.last_item < $3' end,
      case when from_id is not null then ' and c.last_item >= substr($4, 5)' end,
      ' order by c.last_item desc limit $5) c')
      into people, lowest using current_tenant(), of_environment, lowest, from_id, count;
    exit when people is null;
    execute 'select array(select id from (
        select unnest($8) as id union all
        select m.id from unnest($7) p (contact_id) cross join lateral (
          select m.id from ' || said || ' order by m.id desc limit 1) m) h
      order by id desc limit $6)'
      into heads using current_tenant(), of_environment, of_channel, below, from_id, most,
        people, heads;
    exit when cardinality(people) < count
      or cardinality(heads) = most and substr(heads[most], 5) >= lowest;
    count := least(count_max, 2 * count);
  end loop;
  -- Nothing below the last of these can be among the newest.
  return query execute concat(
    'select m.id from (select h.contact_id from message h where h.id = any($7)) p
      cross join lateral (select m.id from ', said,
    case when cardinality(heads) = most then ' and m.id >= ($7)[$6]' end,
    ' order by m.id desc limit $6) m order by m.id desc limit $6')
    using current_tenant(), of_environment, of_channel, below, from_id, most, heads;
end $$;
