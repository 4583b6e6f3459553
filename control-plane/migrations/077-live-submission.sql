-- How many people it takes before documents are submitted by themselves in the live environment.
alter table approval_policy
  add column live_submission text not null default 'one' check (live_submission in ('one', 'two'));
alter table approval_policy alter column live_submission drop default;

-- Who last changed, in the live environment, from when or under which conditions documents are submitted.
alter table connector add column live_set_by text;
