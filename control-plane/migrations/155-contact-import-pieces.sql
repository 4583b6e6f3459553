-- What waits to be taken over is kept in pieces of hundreds of rows, not row by row: a row is then
-- written once on its way, and taken with its whole piece by one statement. Pieces of one lane are
-- taken in order; a phone is always in the same lane, so lanes can be worked on beside each other.
do $$
begin
  if exists (select from contact_import where state = 'running') then
    raise exception 'contacts are being imported: let the imports end, then start anew';
  end if;
end $$;
delete from contact_import where state = 'uploading';
drop table contact_import_row;

create table contact_import_piece (
  tenant_id uuid not null,
  import_id text not null,
  lane int not null,
  piece int not null,
  -- Lines of the file, and contacts they came to: a phone that stands twice is one.
  lines int not null,
  contacts int not null,
  -- Names of all segments that its contacts enter.
  segments jsonb not null,
  -- [{ phone, name, attributes, segments, lines }…]
  rows jsonb not null,
  primary key (tenant_id, import_id, lane, piece),
  foreign key (tenant_id, import_id) references contact_import (tenant_id, id) on delete cascade
);
call isolate('contact_import_piece', system => true);
