-- Answers of buyers are messages of a network like others: what was looked at is remembered in one table.
insert into seen_message (environment, network, id, seen_at)
  select environment, 'peppol', id, seen_at from buyer_answer on conflict do nothing;
drop table buyer_answer;
