-- Keys that sign exported documents, sealed; the newest signs. Apart from those of session tokens:
-- what is signed with one must never pass for the other.
create table document_signing_key (
  id text primary key,
  public_jwk jsonb not null,
  sealed_private_jwk text not null,
  created_at timestamptz not null default clock_timestamp()
);
