-- When a message of a person, and a report, last came in through an app: to a minute.
alter table channel_app
  add column last_inbound_at timestamptz,
  add column last_status_at timestamptz;
