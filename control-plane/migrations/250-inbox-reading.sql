-- Where the pages of an inbox are not in memory, many are read at a time: as many as the server is set
-- up for. It costs nothing where they are.
alter function find_inbox_messages(text, text, text, text, text, text, text, text, int)
  reset effective_io_concurrency;
alter function find_inbox_words(text, text, text, text, text, text, text, int)
  reset effective_io_concurrency;

-- What was said in a conversation is found by two pages where there were four.
create index said_words_of_contact on said_words using hash (contact_id);

-- So a search may look there sooner. And where a contact's messages are gone through for a word, each is
-- read where the contact's index finds it, unless that passes over many: those of other channels.
do $$
declare
  change record;
  definition text;
begin
  for change in select * from (values
    ('find_inbox_words', 'said_us constant float8 := 12;', 'said_us constant float8 := 4;'),
    ('find_inbox_conversations', 'when hashed is null then concat(', $q$when hashed is null
      and of_channel is null then concat('(select m.id, m.preview from message m where', bounds,
      of_person, ' order by m.id desc offset 0) m where true', words_condition(words))
    when hashed is null then concat($q$)
    ) changes (name, was, becomes)
  loop
    definition := pg_get_functiondef(change.name::regproc);
    assert strpos(definition, change.was) > 0;
    execute replace(definition, change.was, change.becomes);
  end loop;
end $$;
