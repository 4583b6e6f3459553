-- What providers told of the text of a recording that they transcribe by themselves. It may come before the recording
-- does; the job of the transcription takes it from here.
create table voice_reported_transcription (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  call_id text not null,
  provider_recording_id text not null check (length(provider_recording_id) <= 200),
  -- Either the text, where to fetch it, or why there is none.
  kind text not null check (kind in ('text', 'address', 'failed')),
  value text not null,
  reported_at timestamptz not null,
  primary key (tenant_id, environment, call_id, provider_recording_id),
  foreign key (tenant_id, environment, call_id) references voice_call on delete cascade
);
create index on voice_reported_transcription (reported_at);
call isolate('voice_reported_transcription');

-- Forgets what is good once, and texts whose recording never came.
create or replace function sweep_voice_callbacks(before timestamptz) returns bigint
  language sql security definer set search_path = public, pg_temp as $$
    with
      gone as (delete from voice_callback_once where seen_at < before returning 1),
      unclaimed as (
        delete from voice_reported_transcription where reported_at < before - interval '2 days')
    select count(*) from gone
  $$;
