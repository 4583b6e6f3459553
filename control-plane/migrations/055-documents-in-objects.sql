-- Documents of settled invoices that were moved to the object store: the rows are written before the
-- objects, so that nothing is ever stored there of which no row knows.
create table invoice_object (
  tenant_id uuid not null,
  invoice_id text not null,
  stage text not null check (stage in ('document', 'clearance', 'final', 'provenance')),
  -- What is stored there is gzip.
  object_key text not null,
  primary key (tenant_id, invoice_id, stage),
  foreign key (tenant_id, invoice_id) references invoice (tenant_id, id) on delete cascade
);
call isolate('invoice_object');
create trigger removed after delete on invoice_object
  for each row execute function record_removed_object();

-- What is still in the database, the oldest first.
create index on invoice_content (invoice_id) where document is not null or provenance is not null;

-- Invoices that were settled before an instant, have nothing left to be done, and whose documents are
-- in the database.
create function list_movable_documents(before timestamptz, below text, most int)
  returns table (tenant_id uuid, invoice_id text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select c.tenant_id, c.invoice_id from invoice_content c
    join invoice i on i.tenant_id = c.tenant_id and i.id = c.invoice_id
    where (c.document is not null or c.provenance is not null) and c.invoice_id < below
      and i.state in ('cleared', 'delivered', 'acknowledged', 'rejected')
      and i.updated_at < before and coalesce(i.cancellable_until, '-infinity') < before
      and (select t.suspended_at from tenant t where t.id = c.tenant_id) is null
      and (select true from job j where j.tenant_id = c.tenant_id and (j.queue, j.key) in (
        ('invoice', i.id), ('forward', i.id), ('acknowledge', i.id),
        ('write-back', i.id || '/cleared'), ('write-back', i.id || '/delivered'),
        ('write-back', i.id || '/acknowledged'), ('write-back', i.id || '/rejected')) limit 1) is null
    order by c.invoice_id limit most
  $$;
