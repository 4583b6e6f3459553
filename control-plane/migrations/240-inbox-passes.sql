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
  -- conversation that is asked whether it is theirs, one that is read for a join, one of which it is seen
  -- what was said in it, and one in which the words are looked for.
  entry_us constant float8 := 0.3;
  text_us constant float8 := 4;
  marked_us constant float8 := 6;
  asked_us constant float8 := 6;
  joined_us constant float8 := 0.2;
  said_us constant float8 := 12;
  person_us constant float8 := 100;
  near_us constant float8 := 5000;
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
  -- Of the messages, those with the words: as the whole database tells, and never less than the newest
  -- do. It is asked for when the page is not near.
  share float8;
  share_min float8;
  -- Those looked at to a millisecond of their time, and messages of all channels.
  in_ms float8;
  density float8;
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
  theirs constant text := concat('conversation c where c.tenant_id = $1 and c.environment = $2',
    conversations, ' and c.contact_id = ');
  -- Around a walk; $6 step, $7 most. Theirs are found in the pass that counts, by a join that fits how
  -- many there are; or words come first, and people are asked for with what is found.
  is_text_first boolean;
  with_words constant text := concat('select array(select m.id from (select id from unnest(ids) id
      order by id desc) n join message m on m.id = n.id where true', has_words);
  text_first constant text := concat(with_words,
    case when conversations <> ''
      then concat(' and exists (select from ', theirs, 'm.contact_id offset 0)') end,
    ' order by n.id desc limit $7), seen, reached from (select array_agg(n.id) as ids,
      count(*) as seen, min(n.id) as reached from (');
  theirs_first constant text := concat(with_words,
    ' order by n.id desc limit $7), seen, reached from (select array_agg(n.id)
      filter (where is_theirs) as ids, count(*) as seen, min(n.id) as reached from (');
  joined constant text := concat(' left join lateral (select true as is_theirs from ', theirs,
    'n.contact_id) c on true');
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
  share_min := (hits - 2 * sqrt(hits)) / greatest(1, seen);
  density := to_channel * seen / greatest(1, message_instant(newest) - message_instant(reached));
  hits := 0;
  reached := newest;
  while reached is not null loop
    lacking := most - cardinality(found);
    rest_us := rest * case when is_marked then marked_us else entry_us + text_us / to_theirs end;
    if not is_marked and rest_us > near_us then
      share := coalesce(share, greatest(share_min, share_of_words(words_query(words))));
      -- Who was found less often than expected is so among the marks too. Those of a stretch are taken
      -- all at once, and of no more time than is left.
      marked_rest := least(
        greatest(to_theirs * to_channel * rest / to_hit, share * density * (1::bigint << 30)),
        share * density * (message_instant(reached) - message_instant(oldest)));
      if marked_rest * marked_us < rest_us then
        is_marked := true;
        newest := reached;
        walked := 0;
        hits := 0;
        to_hit := to_theirs * to_channel;
        rest := marked_rest;
        rest_us := rest * marked_us;
        step_max := marked_step;
      end if;
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
    is_text_first := text_us * (1 - 1 / to_theirs) < least(asked_us, joined_us * people / step);
    execute concat(case when is_text_first then text_first else theirs_first end,
        case when is_marked then marked else along end, ' limit $6) n',
        case when not is_text_first then joined end, ') n')
      into more, seen, reached
      using current_tenant(), of_environment, of_channel, below, from_id, step, lacking,
        message_stretch(reached), message_stretch(oldest);
    found := found || more;
    exit when cardinality(found) = most or seen < step;
    below := reached;
    hits := hits + cardinality(more);
    walked := walked + seen;
    in_ms := walked / greatest(1, message_instant(newest) - message_instant(reached));
    if not is_marked then density := to_channel * in_ms; end if;
    -- No more than lie in the time that is left.
    rest := least((walked + to_hit) / (hits + 1) * (most - cardinality(found)),
      in_ms * (message_instant(reached) - message_instant(oldest)));
  end loop;
  return query select * from unnest(found);
end $$;

