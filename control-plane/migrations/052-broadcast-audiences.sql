-- Whom a broadcast goes to: the contacts of a segment; those of an earlier broadcast whose messages
-- stand so; or a few people who are named, as a test.
alter table broadcast
  alter column segment_id drop not null,
  alter column segment drop not null,
  add column resend_of text,
  add column resend_statuses jsonb,
  add column test_contacts jsonb,
  add check (num_nonnulls(segment_id, resend_of, test_contacts) = 1),
  add check ((resend_of is null) = (resend_statuses is null));
create index broadcast_resend on broadcast (tenant_id, environment, resend_of)
  where resend_of is not null;
