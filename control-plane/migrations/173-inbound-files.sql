-- The message that a file came with; null: the team put it there.
alter table conversation_attachment add column message_id text;
create unique index conversation_attachment_of_message
  on conversation_attachment (tenant_id, environment, message_id) where message_id is not null;
