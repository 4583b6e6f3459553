-- What a message is found by: its words; the beginnings of those that may be asked for by theirs; and
-- each two letters that follow each other in a word without spaces.
create function inbox_marks(words tsvector) returns text[]
  language plpgsql immutable parallel safe as $$
declare
  lexemes constant text[] := tsvector_to_array(words);
  marks constant text[] := lexemes || array(
    select '^' || left(lexeme, 4) from unnest(lexemes) lexeme where length(lexeme) >= 4);
begin
  if words::text !~ '[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]' then return marks; end if;
  return marks || array(
    select pair from (
      select lexeme || lead(lexeme) over places as pair, lead(at) over places - at as step
      from (select lexeme, unnest(positions) as at from unnest(words)
        where lexeme ~ '^[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]$') letters
      window places as (order by at)) pairs
    where step = 1);
end $$;

-- A stretch of twelve days, by the letters of an id.
create function message_stretch(id text) returns bigint
  language sql immutable parallel safe
  return ((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 5, 1)) - 1)::bigint << 15)
    + ((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 6, 1)) - 1) << 10)
    + ((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 7, 1)) - 1) << 5)
    + strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, 8, 1)) - 1;

-- Marks of a tenant in a stretch of time: those of a stretch lie side by side in an index, so that what
-- is written now is written in few of its pages, and are read as they are, with nothing of other tenants
-- or times between them. Of two marks one key is seldom; what it finds is looked at.
create function mark_keys(of_tenant uuid, of_environment text, stretch bigint, marks text[])
  returns bigint[]
  language plpgsql immutable parallel safe as $$
declare
  seed constant bigint := hashtextextended(of_tenant::text || of_environment, 0);
begin
  return array(select (stretch << 42) | (hashtextextended(mark, seed) & 4398046511103)
    from unnest(marks) mark);
end $$;

create function message_keys(of_tenant uuid, of_environment text, id text, preview text)
  returns bigint[]
  language sql immutable parallel safe
  return mark_keys(of_tenant, of_environment, message_stretch(id),
    inbox_marks(message_words(preview)));

-- Each takes five to ten minutes for ten million messages on two cores. Lists go on meanwhile; whoever
-- writes messages waits until both are there. The index of marks is asked stretch by stretch and reads
-- each time what is still to be put into it, so that is kept short.
create index message_marks on message using gin
  (message_keys(tenant_id, environment, id, preview)) with (gin_pending_list_limit = 256)
  where broadcast_id is null and contact_id is not null;
create index message_words_of_contact on message using gin
  (hashtext(contact_id), message_words(preview))
  where broadcast_id is null and contact_id is not null;
drop index message_words;
alter index message_words_of_contact rename to message_words;
drop function message_stretches(uuid, text, text);
drop function message_stretch(uuid, text, text, int);
