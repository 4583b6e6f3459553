-- Where the values of a document came from is kept to be exported and is asked for by nothing: as jsonb it took
-- PostgreSQL a second for a document of ten thousand lines. It is JSON, under gzip for large documents.
alter table invoice_content
  alter column provenance type bytea using convert_to(provenance::text, 'UTF8');
