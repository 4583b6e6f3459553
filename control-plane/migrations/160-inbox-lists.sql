-- Lists of the inbox whose filters few messages pass: all that they look at is in an index.

-- A contact's newest of a channel, broadcasts left out, without a look at the messages themselves.
drop index message_of_contact;
create index message_of_contact on message (tenant_id, environment, contact_id, id)
  include (channel, broadcast_id) where contact_id is not null;

-- `left(id, 9)` is a stretch of nine hours, `left(id, 8)` one of twelve days: newest first, words are
-- looked for in some of them at a time. Whose messages they are is part of the stretch, because
-- setting a word beside all messages of a tenant costs more than reading what has the word.
drop index message_words;
create index message_words on message using gin
  ((tenant_id::text || environment || left(id, 9)), (tenant_id::text || environment || left(id, 8)),
   contact_id, channel, to_tsvector('simple'::regconfig, left(preview, 2000)))
  where broadcast_id is null and contact_id is not null;

-- As before (076), but quick enough for a hundred of them in a list.
create or replace function first_message_id(instant bigint) returns text
  language plpgsql immutable parallel safe as $$
declare
  rest bigint := greatest(instant, 0);
  digits text := '';
begin
  for n in 1..10 loop
    digits := substr('0123456789abcdefghjkmnpqrstvwxyz', (rest & 31)::int + 1, 1) || digits;
    rest := rest >> 5;
  end loop;
  return 'msg_' || digits || repeat('0', 16);
end $$;

-- Words over all contacts: in the newest stretch of time, then further back, by as much as what was
-- found so far falls short. Where the conversations asked for are few, or turn out to be few beside
-- the messages with the words, in those.
create or replace function find_inbox_words(of_environment text, of_channel text, wanted tsquery,
    of_assignee text, of_state text, below text, from_id text, most int)
  returns setof text
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  long constant bigint := 1 << 30;
  stretches_max constant bigint := 256;
  few_conversations constant int := 300;
  matches_max constant bigint := 4000;
  conversations text := conversation_condition(of_assignee, of_state);
  newest bigint;
  oldest bigint;
  -- Looked at is what is from here on, up to the newest; next is what is from `ahead` on.
  reached bigint;
  ahead bigint;
  letters int;
  stretch bigint;
  matches bigint;
  matches_all bigint := 0;
  found text[] := '{}';
  more text[];
  few bigint;
  -- $1 tenant, $2 environment, $3 words, $4 channel, $5 below, $6 from, $7 most, $8 stretches of
  -- $9 letters
  source text := concat('with matched as materialized (select m.id, m.contact_id from message m
    where m.tenant_id = $1 and m.environment = $2 and m.broadcast_id is null
      and m.contact_id is not null
      and m.tenant_id::text || m.environment || left(m.id, $9) = any($8)
      and to_tsvector(''simple''::regconfig, left(m.preview, 2000)) @@ $3',
    case when of_channel is not null then ' and m.channel = $4' end, ')
    select array(select m.id from matched m where m.id < $5',
    case when from_id is not null then ' and m.id >= $6' end,
    case when conversations <> '' then ' and exists (select from conversation c
      where c.tenant_id = $1 and c.environment = $2 and c.contact_id = m.contact_id'
      || conversations || ')' end,
    ' order by m.id desc limit $7), (select count(*) from matched)');
  inbox text := 'select message_instant(m.id) from message m where m.tenant_id = $1
    and m.environment = $2 and m.broadcast_id is null and m.contact_id is not null
    and m.id < coalesce($3, ''n'') and m.id >= coalesce($4, '''') order by m.id ';
begin
  if current_tenant() is null then return; end if;
  execute inbox || 'desc limit 1' into newest using current_tenant(), of_environment, below, from_id;
  if newest is null then return; end if;
  if conversations <> '' then
    execute 'select count(*) from (select from conversation c where c.tenant_id = $1
        and c.environment = $2' || conversations || ' limit $3) c'
      into few using current_tenant(), of_environment, few_conversations;
    if few < few_conversations then
      return query select * from find_inbox_conversations(of_environment, of_channel, wanted,
        of_assignee, of_state, below, from_id, most);
      return;
    end if;
  end if;
  execute inbox || 'limit 1' into oldest using current_tenant(), of_environment, below, from_id;
  reached := newest + 1;
  ahead := newest;
  loop
    letters := case when reached - ahead < long then 9 else 8 end;
    stretch := 1::bigint << 5 * (14 - letters);
    ahead := greatest(ahead / stretch, (reached - 1) / stretch - stretches_max) * stretch;
    execute source into more, matches
      using current_tenant(), of_environment, wanted, of_channel,
        least(below, first_message_id(reached)), from_id, most - cardinality(found),
        array(select current_tenant() || of_environment
            || left(first_message_id(n * stretch), letters)
          from generate_series(ahead / stretch, (reached - 1) / stretch) n), letters;
    found := found || more;
    exit when cardinality(found) = most or ahead <= oldest;
    matches_all := matches_all + matches;
    if conversations <> '' and matches_all > matches_max then
      return query select * from find_inbox_conversations(of_environment, of_channel, wanted,
        of_assignee, of_state, below, from_id, most);
      return;
    end if;
    reached := ahead;
    -- Never by little, so that a word that is no longer there ends soon.
    ahead := greatest(oldest, least(reached - 1, reached - (newest + 1 - reached)
      * greatest(0.3, least(matches_max / (matches_all + 1.0),
        1.3 * (most - cardinality(found)) / (cardinality(found) + 1)))));
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
  -- $1 tenant, $2 environment, $3 channel, $4 below, $5 from, $6 most, $7 words, $8 contacts
  bounds text := concat('m.tenant_id = $1 and m.environment = $2 and m.broadcast_id is null',
    case when of_channel is not null then ' and m.channel = $3' end,
    case when below is not null then ' and m.id < $4' end,
    case when from_id is not null then ' and m.id >= $5' end,
    case when wanted is not null then
      ' and to_tsvector(''simple''::regconfig, left(m.preview, 2000)) @@ $7' end);
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
          select m.id from message m where ' || bounds || ' and m.contact_id = p.contact_id
          order by m.id desc limit 1) m) h
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
    ' and m.contact_id = p.contact_id',
    case when cardinality(heads) = most then ' and m.id >= ($8)[$6]' end,
    ' order by m.id desc limit $6) m order by m.id desc limit $6')
    using current_tenant(), of_environment, of_channel, below, from_id, most, wanted,
      heads;
end $$;
