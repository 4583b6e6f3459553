-- Words are parted by the signs of any script. Chinese and Japanese ones are written without spaces,
-- so each of their characters is one.
create function spaced_words(written text) returns text
  language sql immutable parallel safe
  return case when written ~ '[^\u0001-\u007f]' then regexp_replace(regexp_replace(written,
        '[\u00a0-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb\u00bf\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2000-\u206f' ||
          '\u3000-\u3020\u30fb\uff00-\uff0f\uff1a-\uff20\uff5b-\uff65]', ' ', 'g'),
        '([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])', ' \1 ', 'g')
    else written end;
create function message_words(preview text) returns tsvector
  language sql immutable parallel safe
  return to_tsvector('simple'::regconfig, spaced_words(left(preview, 2000)));

-- The stretches of time a message of an inbox is in: of a quarter of an hour, nine hours and twelve
-- days. Hashed, as they are in an index for each message.
create function message_stretch(of_tenant uuid, of_environment text, id text, letters int)
  returns bigint language sql immutable parallel safe
  return hashtextextended(of_tenant::text || of_environment || left(id, letters), 0);
create function message_stretches(of_tenant uuid, of_environment text, id text) returns bigint[]
  language sql immutable parallel safe
  return array[message_stretch(of_tenant, of_environment, id, 10),
    message_stretch(of_tenant, of_environment, id, 9),
    message_stretch(of_tenant, of_environment, id, 8)];

drop statistics message_word_count;
drop index message_words;
create index message_words on message using gin
  (message_stretches(tenant_id, environment, id), hashtext(contact_id), channel,
   message_words(preview))
  where broadcast_id is null and contact_id is not null;
create statistics message_word_count on (message_words(preview)) from message;
alter statistics message_word_count set statistics 500;

-- All of the words, in whatever order; null when there is none. Of a word without spaces the
-- characters follow each other. A star at its end makes a word the beginning of one, but only where
-- it is long enough to be rare.
create or replace function words_query(words text) returns tsquery
  language sql stable set search_path = public, pg_temp as $$
    select string_agg(part, ' & ')::tsquery from (
      select '(' || phraseto_tsquery('simple'::regconfig, spaced_words(word))::text || ')' as part
      from regexp_split_to_table(words, '\s+') word
      where word ~ '[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]'
      union
      select '''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''''
        || case when word like '%*' and length(lexeme) >= 4 then ':*' else '' end
      from regexp_split_to_table(words, '\s+') word, unnest(message_words(word))
      where word !~ '[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]') parts
  $$;
