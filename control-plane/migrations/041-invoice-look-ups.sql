-- An invoice is looked for by its number, or by its reference in the ERP. Duplicates have few of one
-- number, so the seller need not be in the index.
drop index invoice_by_document;
create index invoice_by_number on invoice (tenant_id, environment, number, id desc)
  where number is not null;
create index invoice_by_source on invoice (tenant_id, environment, source_ref, id desc);
create index invoice_by_connector on invoice (tenant_id, environment, connector_id, id desc);
