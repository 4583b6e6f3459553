-- Whether a claim still holds, kept so until the transaction ends: whoever takes the job changes its
-- row, and waits for that. Any number of transactions may have it at the same time, so what they do
-- beside it does not wait for the commit of another. Once a quarter of the lease is gone they prolong it
-- themselves, one after the other: those who share a row could keep waiting whoever changes it.
create function share_claim(job_id bigint, claim uuid, lease_ms int) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from job where id = job_id and claim_id = claim
    and run_at > clock_timestamp() + lease_ms * 0.75 * interval '1 ms' for share;
  if found then return true; end if;
  update job set run_at = clock_timestamp() + lease_ms * interval '1 ms'
    where id = job_id and claim_id = claim;
  return found;
end $$;

-- For the heartbeat. What was prolonged a moment ago is left, and what another transaction has: it
-- prolongs it itself, or is at its end.
create function prolong_claims(ids bigint[], claims uuid[], lease_ms int) returns void
  language sql security definer set search_path = public, pg_temp as $$
    with waning as (
      select job.id from job join unnest(ids, claims) as held (id, claim_id)
        on job.id = held.id and job.claim_id = held.claim_id
      where job.run_at <= clock_timestamp() + lease_ms * 0.75 * interval '1 ms'
      for no key update of job skip locked
    )
    update job set run_at = clock_timestamp() + lease_ms * interval '1 ms'
    where id = any (array(select id from waning))
  $$;
