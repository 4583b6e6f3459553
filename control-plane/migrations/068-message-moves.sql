-- A status only ever rises; packages/messaging/status.ts has the same order, and a test holds the two
-- together.
create function message_rank(status text) returns int
  language sql immutable parallel safe
  return array_position(array['queued', 'sending', 'unknown', 'sent', 'canceled', 'expired',
    'failed', 'delivered', 'read'], status);

-- What is waited for longer than anything is waited for: an answer that never came, a report for no
-- message, a part of a text whose others are lost.
create function sweep_messaging(proofs_before timestamptz, parts_before timestamptz) returns void
  language sql security definer set search_path = public, pg_temp as $$
    delete from webhook_proof where created_at < proofs_before;
    delete from early_report where created_at < parts_before;
    delete from text_part where created_at < parts_before;
  $$;
