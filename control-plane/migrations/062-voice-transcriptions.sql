-- What was said in a recording. It goes with the recording.
create table voice_transcription (
  tenant_id uuid not null,
  recording_id text not null,
  environment text not null check (environment in ('live', 'sandbox')),
  state text not null default 'pending' check (state in ('pending', 'completed', 'failed')),
  text text,
  language text,
  reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, recording_id),
  foreign key (tenant_id, recording_id) references voice_recording on delete cascade
);
call isolate('voice_transcription');
