-- As before (190), but a sign in the midst of the letters of such words (`・`) is no word by itself.
create or replace function words_query(words text) returns tsquery
  language sql stable set search_path = public, pg_temp as $$
    select string_agg(part, ' & ')::tsquery from (
      select '(' || phrase::text || ')' as part
      from regexp_split_to_table(words, '\s+') word,
        phraseto_tsquery('simple'::regconfig, spaced_words(word)) phrase
      where word ~ '[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]' and numnode(phrase) > 0
      union
      select '''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''''
        || case when word like '%*' and length(lexeme) >= 4 then ':*' else '' end
      from regexp_split_to_table(words, '\s+') word, unnest(message_words(word))
      where word !~ '[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]') parts
  $$;

create function lexemes_of(words text, out lexeme text, out is_beginning boolean)
  returns setof record
  language sql stable set search_path = public, pg_temp as $$
    select distinct lexeme, word like '%*' and length(lexeme) >= 4
      and word !~ '[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]'
    from regexp_split_to_table(words, '\s+') word, unnest(message_words(word))
  $$;

-- Letters of words without spaces, in brackets of a pattern.
create function unspaced_letters() returns text
  language sql immutable parallel safe
  return '\u3040-\u3098\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff'
    || '\uf900-\ufaff';

-- Whether message `m` has the words. One that has not even their letters, or others between those of
-- a word without spaces, is passed over at once: making out the words of a text takes ten times as
-- long.
create function words_condition(words text) returns text
  language sql stable set search_path = public, pg_temp as $$
    select concat(
      (select string_agg(format(' and strpos(lower(m.preview), %L) > 0', lexeme), '')
        from lexemes_of(words)),
      (select string_agg(format(' and m.preview ~ %L', regexp_replace(run[1], '(.)(?=.)',
          '\1(?:[^' || unspaced_letters() || ']|<[^>]*>)*', 'g')), '')
        from regexp_matches(words, '[' || unspaced_letters() || ']{2,}', 'g') run),
      format(' and message_words(m.preview) @@ %L::tsquery', words_query(words)))
    where words is not null
  $$;

-- Whether the words may have been said in conversation `c`. Of beginnings nothing is known.
create function said_condition(words text) returns text
  language sql stable set search_path = public, pg_temp as $$
    select ' and exists (select from said_words s where s.tenant_id = c.tenant_id
        and s.environment = c.environment and s.contact_id = c.contact_id and (s.words is null or ('
      || string_agg(format('%L = any (s.words)', word_hash(lexeme)), ' and ') || ')))'
    from lexemes_of(words) where not is_beginning
  $$;

-- Whether a reading of messages one after another meets the words soon. Of beginnings the planner knows
-- but a part.
create or replace function is_usual(wanted tsquery) returns boolean
  language sql set search_path = public, pg_temp as $$
    select share_of_words(wanted) > case when wanted::text like '%:*%' then 0.002 else 0.05 end
  $$;
