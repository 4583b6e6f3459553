-- What waits for one person: a later message does not overtake an earlier one.
create index message_waiting on message (tenant_id, app_id, address, id)
  where broadcast_id is null and status in ('queued', 'sending');
