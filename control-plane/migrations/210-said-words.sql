-- Which words were said with a contact, broadcasts left out, so that a search passes over the people
-- who never use a word. Hashes in sixteen bits: one word in a hundred is taken for said where five
-- hundred were; whether it was is seen at the messages. Null: too many words to tell.
create table said_words (
  tenant_id uuid not null,
  environment text not null,
  contact_id text not null,
  words smallint[],
  primary key (tenant_id, environment, contact_id),
  foreign key (tenant_id, environment, contact_id)
    references contact (tenant_id, environment, id) on delete cascade
) with (fillfactor = 90);
-- Beside the row it would be read twice, and hashes are not made smaller by compression.
alter table said_words alter column words set storage plain;
call isolate('said_words', system => true);

create function word_hash(word text) returns smallint
  language sql immutable parallel safe
  return (hashtext(word) >> 16)::smallint;
create function known_words(words smallint[]) returns smallint[]
  language sql immutable parallel safe
  return case when cardinality(words) <= 1500 then words end;

-- At the end of the transaction, when conversations are locked: never the other way round. Of two at
-- once both may add a word.
create function note_words() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  known smallint[];
  fresh smallint[];
begin
  select words into known from said_words where tenant_id = new.tenant_id
    and environment = new.environment and contact_id = new.contact_id;
  if not found then
    known := '{}';
  elsif known is null then
    return null;
  end if;
  fresh := array(select distinct word_hash(word)
    from unnest(tsvector_to_array(message_words(new.preview))) word
    where word_hash(word) <> all (known));
  if fresh = '{}' then return null; end if;
  update said_words set words = known_words(words || fresh) where tenant_id = new.tenant_id
    and environment = new.environment and contact_id = new.contact_id and words is not null;
  if not found then
    -- The contact is held, as one that goes away takes its words along.
    insert into said_words as s (tenant_id, environment, contact_id, words)
    select tenant_id, environment, id, known_words(fresh) from contact
    where tenant_id = new.tenant_id and environment = new.environment and id = new.contact_id
    for key share
    on conflict (tenant_id, environment, contact_id)
      do update set words = case when s.words is not null then known_words(s.words || fresh) end;
  end if;
  return null;
end $$;
create constraint trigger noted after insert or update of contact_id, preview on message
  deferrable initially deferred
  for each row when (new.broadcast_id is null and new.contact_id is not null)
  execute function note_words();

-- For a large inbox this takes minutes, as its index of words does (190).
insert into said_words (tenant_id, environment, contact_id, words)
select k.tenant_id, k.environment, k.id, known_words(s.words) from contact k
cross join lateral (
  select array(select distinct word_hash(word) from message m,
    unnest(tsvector_to_array(message_words(m.preview))) word
    where m.tenant_id = k.tenant_id and m.environment = k.environment and m.contact_id = k.id
      and m.broadcast_id is null) as words) s
where s.words <> '{}';
