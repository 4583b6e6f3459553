-- What messages with the words are marked with; null when there is no word.
create function marks_of(words text) returns text[]
  language sql stable set search_path = public, pg_temp as $$
    select array_agg(mark) from (
      select case when is_beginning then '^' || left(lexeme, 4) else lexeme end as mark
      from lexemes_of(words)
      union
      select unnest(inbox_marks(message_words(word))) from regexp_split_to_table(words, '\s+') word
      where word ~ '[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]') marks
  $$;

drop function find_inbox_along(text, text, text, text, text, text, int, int, float8, float8);

create or replace function find_inbox_messages(of_environment text, of_contact text,
    of_channel text, words text, of_assignee text, of_state text, below text, from_id text,
    most int)
  returns setof text
  language plpgsql security definer set search_path = public, pg_temp
  set work_mem = '64MB' set jit = off set max_parallel_workers_per_gather = 0
  set effective_io_concurrency = 0 as $$
declare
  conversations constant text := conversation_condition(of_assignee, of_state);
  is_theirs boolean;
begin
  if current_tenant() is null or (words is not null and words_query(words) is null) then return; end if;
  if of_contact is null and words is not null then
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
  if words is not null then
    return query select * from find_contact_words(of_environment, of_contact, of_channel, words,
      below, from_id, most);
    return;
  end if;
  return query execute concat(
    'select m.id from message m where m.tenant_id = $1 and m.environment = $2',
    case when of_contact is not null then ' and m.contact_id = $3'
         else ' and m.broadcast_id is null and m.contact_id is not null' end,
    case when of_channel is not null then ' and m.channel = $4' end,
    case when below is not null then ' and m.id < $5' end,
    case when from_id is not null then ' and m.id >= $6' end,
    ' order by m.id desc limit $7')
    using current_tenant(), of_environment, of_contact, of_channel, below, from_id, most;
end $$;

-- Words over all contacts, newest first: along the messages; or along those with the marks of the
-- words, one stretch of time after another; or in the conversations. The newest messages tell how usual
-- the words are, and each step tells what the rest of the page would take: the shortest way is taken
-- from there.
create or replace function find_inbox_words(of_environment text, of_channel text, words text,
    of_assignee text, of_state text, below text, from_id text, most int)
  returns setof text
  language plpgsql security definer set search_path = public, pg_temp
  set work_mem = '64MB' set jit = off set max_parallel_workers_per_gather = 0
  set effective_io_concurrency = 0 set enable_seqscan = off as $$
declare
  -- Microseconds: of an entry of an index, a text that is looked at, a message that the marks find, a
  -- conversation of which it is seen what was said in it, and one in which the words are looked for.
  entry_us constant float8 := 0.3;
  text_us constant float8 := 4;
  marked_us constant float8 := 6;
  said_us constant float8 := 12;
  person_us constant float8 := 100;
  sampled constant int := 300;
  along_step constant int := 5000;
  marked_step constant int := 1000;
  step_min constant int := 100;
  growth_max constant int := 10;
  unlucky_max constant int := 5;
  conversations constant text := conversation_condition(of_assignee, of_state);
  has_words constant text := words_condition(words);
  keys constant text := (select string_agg(format('(stretch << 42) + %s', key), ', ')
    from unnest(mark_keys(current_tenant(), of_environment, 0, marks_of(words))) key);
  people float8 := 'infinity';
  -- How many messages there are to one of these people, and to one of this channel.
  to_theirs float8 := 1;
  to_channel float8 := 1;
  -- Messages with the words in a stretch: its marks are taken all at once.
  in_stretch float8;
  last_item text;
  newest text;
  oldest text;
  -- Looked at is what is from here on.
  reached text;
  found text[] := '{}';
  more text[];
  lacking int;
  step_max int := along_step;
  step int;
  seen int;
  -- Since this way was taken; how many it looks at for each hit, as was expected; and how many it has
  -- still to look at.
  is_marked boolean := false;
  walked float8 := 0;
  hits float8;
  to_hit float8;
  rest float8;
  rest_us float8;
  marked_rest float8;
  -- $1 tenant, $2 environment, $3 channel, $4 below, $5 from, $6 step, $7 most, $8 newest and
  -- $9 oldest stretch
  inbox constant text := 'from message m where m.tenant_id = $1 and m.environment = $2
    and m.broadcast_id is null and m.contact_id is not null';
  bounds constant text := concat(' and m.id < $4 and m.id >= $5',
    case when of_channel is not null then ' and m.channel = $3' end, ' order by m.id');
  along constant text := concat('select m.id, m.contact_id ', inbox, bounds, ' desc');
  -- In the order of the stretches, as one is gone through after the other.
  marked constant text := concat('select m.* from generate_series($8, $9, -1) stretch
    cross join lateral (select m.id, m.contact_id from (select m.id, m.contact_id, m.channel ', inbox,
    ' and message_keys(m.tenant_id, m.environment, m.id, m.preview) @> array[', keys, ']
      offset 0) m where true', bounds, ' desc) m');
  page constant text := concat(' limit $6), theirs as materialized (select n.id from candidates n',
      case when conversations <> '' then concat(' where n.contact_id in (select c.contact_id
        from conversation c where c.tenant_id = $1 and c.environment = $2', conversations, ')') end,
    ') select array(select n.id from (select id from theirs order by id desc) n
        join message m on m.id = n.id where true', has_words, ' order by n.id desc limit $7),
      (select count(*) from candidates), (select min(id) from candidates)');
begin
  if current_tenant() is null or keys is null then return; end if;
  if conversations <> '' then
    people := greatest(1, planned_rows('select from conversation c where true' || conversations));
    to_theirs := greatest(1, planned_rows('select from conversation') / people);
    execute 'select max(c.last_item) from conversation c where c.tenant_id = $1
        and c.environment = $2' || conversations
      into last_item using current_tenant(), of_environment;
  end if;
  if of_channel is not null then
    to_channel := greatest(1, planned_rows('select from message m
        where m.broadcast_id is null and m.contact_id is not null')
      / greatest(1, planned_rows(format('select from message m
        where m.broadcast_id is null and m.contact_id is not null and m.channel = %L', of_channel))));
  end if;
  -- Nothing of theirs is newer.
  below := coalesce(least(below, 'msg_' || last_item || '0'), 'n');
  from_id := coalesce(from_id, '');
  execute concat('select max(m.id), min(m.id), count(*), count(*) filter (where true', has_words, '),
      (select m.id ', inbox, bounds, ' limit 1)
    from (select m.id, m.preview ', inbox, bounds, ' desc limit $6) m')
    into newest, reached, seen, hits, oldest
    using current_tenant(), of_environment, of_channel, below, from_id, sampled;
  to_hit := to_theirs * seen / (hits + 0.5);
  rest := most * to_hit;
  in_stretch := hits * to_channel * (1::bigint << 30)
    / greatest(1, message_instant(newest) - message_instant(reached));
  hits := 0;
  reached := newest;
  while reached is not null loop
    lacking := most - cardinality(found);
    rest_us := rest * case when is_marked then marked_us else entry_us + text_us / to_theirs end;
    -- Who was found less often than expected is so among the marks too.
    marked_rest := greatest(to_theirs * to_channel * rest / to_hit, in_stretch);
    if not is_marked and marked_rest * marked_us < rest_us then
      is_marked := true;
      newest := reached;
      walked := 0;
      hits := 0;
      to_hit := to_theirs * to_channel;
      rest := marked_rest;
      rest_us := rest * marked_us;
      step_max := marked_step;
    end if;
    -- Where none was found among many, few of these people said the words.
    if people * (case when hits = 0 and walked > unlucky_max * to_hit then said_us
        else person_us end) < rest_us then
      return query select * from unnest(found);
      return query select * from find_inbox_conversations(of_environment, of_channel, words,
        of_assignee, of_state, below, from_id, lacking);
      return;
    end if;
    step := greatest(step_min, least(1.2 * rest, step_max));
    step_max := growth_max * step;
    execute concat('with candidates as materialized (',
        case when is_marked then marked else along end, page)
      into more, seen, reached
      using current_tenant(), of_environment, of_channel, below, from_id, step, lacking,
        message_stretch(reached), message_stretch(oldest);
    found := found || more;
    exit when cardinality(found) = most or seen < step;
    below := reached;
    hits := hits + cardinality(more);
    walked := walked + seen;
    rest := (walked + to_hit) / (hits + 1) * (most - cardinality(found));
    if is_marked then
      -- As many as lie in the time that is left, at most.
      rest := least(rest, walked * (message_instant(reached) - message_instant(oldest))
        / greatest(1, message_instant(newest) - message_instant(reached)));
    end if;
  end loop;
  return query select * from unnest(found);
end $$;

-- Words of one contact: along the messages where they are usual, which of beginnings the newest tell;
-- else by the index of words. What was broadcast to the contact is in no index of words; it is seldom
-- much.
create function find_contact_words(of_environment text, of_contact text, of_channel text,
    words text, below text, from_id text, most int)
  returns setof text
  language plpgsql set search_path = public, pg_temp as $$
declare
  sampled constant int := 500;
  walk_max constant int := 8000;
  wanted constant tsquery := words_query(words);
  are_usual boolean;
  -- $1 tenant, $2 environment, $3 contact, $4 channel, $5 below, $6 from, $7 most, $8 words
  bounds constant text := concat(' and m.id < $5 and m.id >= $6',
    case when of_channel is not null then ' and m.channel = $4' end);
  theirs constant text := concat('from message m where m.tenant_id = $1 and m.environment = $2
    and m.contact_id = $3', bounds);
  has_words constant text := words_condition(words);
begin
  below := coalesce(below, 'n');
  from_id := coalesce(from_id, '');
  if wanted::text like '%:*%' then
    execute concat('select count(*) < $7 or $7 * $8 < $9 * count(*) filter (where true', has_words, ')
        from (select m.preview ', theirs, ' order by m.id desc limit $7) m')
      into are_usual using current_tenant(), of_environment, of_contact, of_channel, below, from_id,
        sampled, most, walk_max;
  else
    are_usual := is_usual(wanted);
  end if;
  return query execute case when are_usual then concat('select m.id ', theirs, has_words,
      ' order by m.id desc limit $7') else concat('select id from (
        (with told as materialized (select m.id from message m where m.tenant_id = $1
           and m.environment = $2 and m.contact_id = $3 and (m.broadcast_id is null) is false)
         select m.id from told join message m on m.id = told.id
         where true', has_words, bounds, ') union all
        (with matched as materialized (select m.* from message m
           where hashtext(m.contact_id) = hashtext($3) and m.broadcast_id is null
             and m.contact_id is not null and message_words(m.preview) @@ $8)
         select m.id from matched m where m.tenant_id = $1 and m.environment = $2
           and m.contact_id = $3', bounds, ')) m order by id desc limit $7') end
    using current_tenant(), of_environment, of_contact, of_channel, below, from_id, most, wanted;
end $$;
