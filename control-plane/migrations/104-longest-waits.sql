-- Who has waited longest for an answer comes first in a list of its own: the newest conversations may all be others.
create index conversation_longest_wait on conversation (tenant_id, environment, waiting_since, id)
  where waiting_since is not null;
