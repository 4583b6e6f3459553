-- Answers to suppliers: how a document's supplier is reached, and each answer with the bytes that are sent.

-- { supplier: { scheme, id, name }, buyer: { name }, country, type_code }, as far as the document says.
alter table received_document add column answer_to jsonb;

create table supplier_response (
  tenant_id uuid not null,
  id text not null,
  document_id text not null,
  environment text not null check (environment in ('live', 'sandbox')),
  -- { status, reasons, actions, note? }
  answer jsonb not null,
  -- What is sent: frozen, so that it is the same however often; null where the source takes no document.
  xml text,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'delivered', 'refused')),
  reason text,
  -- When it was perhaps sent; null when certainly not. And the network's reference.
  sent_at timestamptz,
  reference text,
  made_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, document_id) references received_document
);
create index supplier_response_by_document on supplier_response (tenant_id, document_id, id);
call isolate('supplier_response');
