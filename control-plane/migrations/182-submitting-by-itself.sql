-- From which day of issue on the documents that a bridge agent tells of are submitted by themselves, by
-- environment: { "live": "2026-11-21" }.
alter table connector add column submit_from jsonb not null default '{}';
