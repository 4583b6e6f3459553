-- What the list of invoices shows of a document, and is searched by. Null until a document was read, and for
-- documents of before.
alter table invoice add column buyer text, add column currency text, add column gross text,
  -- The name in small letters, and the amount to compare: under row-level security an index is used only for
  -- comparisons that tell nothing of a row, which those of lower() and numeric are not.
  add column buyer_key text collate "C", add column gross_key double precision;

create index invoice_by_buyer on invoice (tenant_id, environment, buyer_key, id desc)
  where buyer_key is not null;
create index invoice_by_gross on invoice (tenant_id, environment, gross_key, id desc)
  where gross_key is not null;
