-- Who watches an inbox is told of a conversation that goes with its contact, or becomes part of another.
create function tell_removed_conversation() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into inbox_change (tenant_id, environment, type, data, created_at)
  values (old.tenant_id, old.environment, 'conversation.removed',
    jsonb_build_object('conversation_id', old.id, 'contact_id', old.contact_id), now());
  return null;
end $$;
create trigger told after delete on conversation
  for each row execute function tell_removed_conversation();
