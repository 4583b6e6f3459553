-- What an authority has cleared is found by its identifier alone: also what came before that was kept. Only what
-- came from there has a time in which it may be rejected, and its id is that identifier with a digest of its content.
alter table received_document no force row level security;
update received_document set clearance_id = left(network_id, -17)
where clearance_id is null and rejectable_until is not null
  and network_id ~ '^[A-Z0-9]{10,40}#[0-9a-f]{16}$';
alter table received_document force row level security;
