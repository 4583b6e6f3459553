import type { CimObject } from '@drawbridge/binding/json/build.ts';
import type { Hold, HoldStep } from '@drawbridge/lifecycle/submission-policy.ts';
import type { Checks, State } from '@drawbridge/lifecycle/transitions.ts';
import type { InvoiceError } from '@drawbridge/validation/source/verdict.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import {
  type ColumnTypes,
  columnArrays,
  insertLarge,
  insertMany,
  JsonBytes,
  unnest,
} from '../../platform/db/insert.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { buyerKey } from '../invoices/search-keys.ts';
import {
  type Forwarding,
  type InvoiceRow,
  invoiceColumns,
  isRejectedOrCancelled,
} from '../invoices/store.ts';

/**
 * Locks the invoices of a batch, in the order of their ids so that two batches cannot wait for each
 * other.
 */
export function lockInvoices(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<InvoiceRow[]> {
  return tx.rows<InvoiceRow>(
    `select ${invoiceColumns} from invoice where tenant_id = $1 and id = any($2) order by id for update`,
    [tenantId, ids],
  );
}

/** The connector of each invoice. */
export async function findConnectorsOf(
  tx: Tx,
  tenantId: string,
  invoices: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.rows<{ id: string; connector_id: string }>(
    'select id, connector_id from invoice where tenant_id = $1 and id = any($2)',
    [tenantId, invoices],
  );
  return new Map(rows.map((row) => [row.id, row.connector_id]));
}

/** Invoices whose documents wait for that agent, the first submitted first. */
export async function findInvoicesAwaitingAgent(
  tx: Tx,
  tenantId: string,
  agentId: string,
  max: number,
): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(
    `select i.id from invoice i join connector c on c.tenant_id = $1 and c.id = i.connector_id
     where i.tenant_id = $1 and i.environment in ('live', 'sandbox') and i.state = 'validating'
       and c.agent_id = $2
     order by i.id limit $3`,
    [tenantId, agentId, max],
  );
  return rows.map(({ id }) => id);
}

/** What a transition may change with the state; undefined leaves a column as it is. */
export interface InvoiceChange {
  readonly checks?: Checks;
  readonly errors?: readonly InvoiceError[];
  readonly warnings?: readonly InvoiceError[];
  readonly seller?: string;
  readonly number?: string;
  readonly buyer?: string;
  readonly currency?: string;
  readonly gross?: string;
  readonly documentType?: string;
  readonly issueYear?: number;
  readonly duplicateOf?: string;
  readonly sentAt?: Date;
  readonly authorityReference?: string;
  readonly authorityStatus?: string;
  readonly uin?: string;
  readonly validationUrl?: string;
  readonly cancellableUntil?: Date;
  readonly hold?: Hold;
  readonly waitsFor?: HoldStep;
}

interface ChangeRow {
  readonly id: string;
  readonly from_state: State;
  readonly to_state: State;
  readonly checks: Checks | undefined;
  readonly errors: readonly InvoiceError[] | undefined;
  readonly warnings: readonly InvoiceError[] | undefined;
  readonly seller: string | undefined;
  readonly number: string | undefined;
  readonly buyer: string | undefined;
  readonly buyer_key: string | undefined;
  readonly currency: string | undefined;
  readonly gross: string | undefined;
  readonly gross_key: number | undefined;
  readonly document_type: string | undefined;
  readonly issue_year: number | undefined;
  readonly duplicate_of: string | undefined;
  readonly sent_at: Date | undefined;
  readonly authority_reference: string | undefined;
  readonly authority_status: string | undefined;
  readonly uin: string | undefined;
  readonly validation_url: string | undefined;
  readonly cancellable_until: Date | undefined;
  readonly hold: Hold | undefined;
  readonly waits_for: HoldStep | undefined;
}

const changeColumns: ColumnTypes<ChangeRow> = {
  id: 'text',
  from_state: 'text',
  to_state: 'text',
  checks: 'jsonb',
  errors: 'jsonb',
  warnings: 'jsonb',
  seller: 'text',
  number: 'text',
  buyer: 'text',
  buyer_key: 'text',
  currency: 'text',
  gross: 'text',
  gross_key: 'double precision',
  document_type: 'text',
  issue_year: 'smallint',
  duplicate_of: 'text',
  sent_at: 'timestamptz',
  authority_reference: 'text',
  authority_status: 'text',
  uin: 'text',
  validation_url: 'text',
  cancellable_until: 'timestamptz',
  hold: 'jsonb',
  waits_for: 'text',
};

export interface StateChange {
  readonly id: string;
  readonly from: State;
  readonly to: State;
  readonly change: InvoiceChange;
}

const at = Object.keys(changeColumns).length;
const changeSql = `update invoice set state = n.to_state, checks = coalesce(n.checks, invoice.checks),
    errors = coalesce(n.errors, invoice.errors), warnings = coalesce(n.warnings, invoice.warnings),
    seller = coalesce(n.seller, invoice.seller), number = coalesce(n.number, invoice.number),
    buyer = coalesce(n.buyer, invoice.buyer), buyer_key = coalesce(n.buyer_key, invoice.buyer_key),
    currency = coalesce(n.currency, invoice.currency), gross = coalesce(n.gross, invoice.gross),
    gross_key = coalesce(n.gross_key, invoice.gross_key),
    document_type = coalesce(n.document_type, invoice.document_type),
    issue_year = coalesce(n.issue_year, invoice.issue_year),
    duplicate_of = coalesce(n.duplicate_of, invoice.duplicate_of),
    sent_at = coalesce(n.sent_at, invoice.sent_at),
    authority_reference = coalesce(n.authority_reference, invoice.authority_reference),
    authority_status = coalesce(n.authority_status, invoice.authority_status),
    uin = coalesce(n.uin, invoice.uin),
    validation_url = coalesce(n.validation_url, invoice.validation_url),
    cancellable_until = coalesce(n.cancellable_until, invoice.cancellable_until),
    hold = coalesce(n.hold, invoice.hold),
    -- Who waits for a person is in no other state.
    waits_for = case when n.to_state = 'validated' then n.waits_for end,
    updated_at = $${at + 2}
  from ${unnest(Object.values(changeColumns))} as n (${Object.keys(changeColumns).join(', ')})
  where invoice.tenant_id = $${at + 1} and invoice.id = n.id and invoice.state = n.from_state`;

/** Changes many invoices; returns how many were in the expected state. */
export function changeStates(
  tx: Tx,
  tenantId: string,
  changes: readonly StateChange[],
  now: Date,
): Promise<number> {
  const rows = changes.map(({ id, from, to, change }) => ({
    id,
    from_state: from,
    to_state: to,
    checks: change.checks,
    errors: change.errors,
    warnings: change.warnings,
    seller: change.seller,
    number: change.number,
    buyer: change.buyer,
    buyer_key: change.buyer === undefined ? undefined : buyerKey(change.buyer),
    currency: change.currency,
    gross: change.gross,
    gross_key: change.gross === undefined ? undefined : Number(change.gross),
    document_type: change.documentType,
    issue_year: change.issueYear,
    duplicate_of: change.duplicateOf,
    sent_at: change.sentAt,
    authority_reference: change.authorityReference,
    authority_status: change.authorityStatus,
    uin: change.uin,
    validation_url: change.validationUrl,
    cancellable_until: change.cancellableUntil,
    hold: change.hold,
    waits_for: change.waitsFor,
  }));
  return tx.run(changeSql, [...columnArrays(changeColumns, rows), tenantId, now]);
}

export interface ContentRow {
  readonly invoice_id: string;
  readonly tenant_id: string;
  readonly cim: CimObject | JsonBytes;
  /** JSON, under gzip for large documents. */
  readonly provenance: Buffer;
  readonly document: string | Buffer | null;
  readonly clearance: string | Buffer | null;
}

const contentColumns = {
  invoice_id: 'text',
  tenant_id: 'uuid',
  cim: 'jsonb',
  provenance: 'bytea',
  document: 'text',
  clearance: 'text',
};
const unlessSaved = 'on conflict (tenant_id, invoice_id) do nothing';

/**
 * Saves the model and the bytes of the first emission. A later attempt does not change them, so
 * what is sent again is the same byte for byte. Large ones, whose model is written already, go one by
 * one, so that others are served in between.
 */
export async function saveContents(tx: Tx, rows: readonly ContentRow[]): Promise<void> {
  const small = rows.filter(({ cim }) => !(cim instanceof JsonBytes));
  await insertMany<ContentRow>(tx, 'invoice_content', contentColumns, small, unlessSaved);
  for (const row of rows) {
    if (row.cim instanceof JsonBytes) {
      await insertLarge<ContentRow>(tx, 'invoice_content', contentColumns, row, unlessSaved);
    }
  }
}

/** The bytes of a stage: validated, sent for clearance, or with the identifier. */
export type FrozenStage = 'document' | 'clearance' | 'final';

/** About how many bytes each of these stored documents has. */
export function readSizes(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<{ invoice_id: string; bytes: number }[]> {
  return tx.rows(
    `select invoice_id, greatest(octet_length(document), octet_length(clearance), octet_length(final)) as bytes
     from invoice_content where tenant_id = $1 and invoice_id = any($2)`,
    [tenantId, ids],
  );
}

/** The bytes to send, and of the model what their address is made of. */
export interface StoredContent {
  readonly invoice_id: string;
  readonly head: CimObject;
  readonly xml: string;
}

/**
 * Groups of the model that say what a document is and who sends it to whom. The others are not read: the
 * lines of a large document would hold the thread.
 */
const headTerms = [
  'type_code',
  'number',
  'issue_date',
  'specification_id',
  'business_process',
  'seller',
  'buyer',
] as const;
// Each `->` would unpack the whole model again.
const headColumns = headTerms.map((term) => `${term} jsonb`).join(', ');

/** The bytes of one stage of each invoice. */
export function readContents(
  tx: Tx,
  tenantId: string,
  stages: ReadonlyMap<string, FrozenStage>,
): Promise<StoredContent[]> {
  return tx.rows<StoredContent>(
    `select c.invoice_id, jsonb_strip_nulls(to_jsonb(head)) as head,
       case w.stage when 'document' then c.document when 'clearance' then c.clearance
         else c.final end as xml
     from unnest($2::text[], $3::text[]) as w (id, stage)
     join invoice_content c on c.tenant_id = $1 and c.invoice_id = w.id
     cross join jsonb_to_record(c.cim) as head (${headColumns})`,
    [tenantId, [...stages.keys()], [...stages.values()]],
  );
}

/** The models as JSON, by the ids of their invoices. */
export async function readModels(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.rows<{ invoice_id: string; cim: string }>(
    `select invoice_id, cim::text as cim from invoice_content
     where tenant_id = $1 and invoice_id = any($2)`,
    [tenantId, ids],
  );
  return new Map(rows.map(({ invoice_id, cim }) => [invoice_id, cim]));
}

/** A document of that length is written by itself. */
const smallXmlLengthMax = 200_000;

export interface FinalDocumentRow {
  /** The invoice's id. */
  readonly id: string;
  readonly xml: string;
  /** Whether it passes both validation stages. */
  readonly isValid: boolean;
}

/** Saves the documents that carry their identifiers. */
export async function saveFinalDocuments(
  tx: Tx,
  tenantId: string,
  rows: readonly FinalDocumentRow[],
): Promise<void> {
  const isLarge = ({ xml }: FinalDocumentRow) => xml.length > smallXmlLengthMax;
  const small = rows.filter((row) => !isLarge(row));
  if (small.length > 0) {
    await tx.run(
      `update invoice_content set final = n.xml from unnest($2::text[], $3::text[]) as n (id, xml)
       where tenant_id = $1 and invoice_id = n.id`,
      [tenantId, small.map(({ id }) => id), small.map(({ xml }) => xml)],
    );
  }
  // Within arrays each text would be searched for quotes and written anew, as for insertLarge.
  for (const { id, xml } of rows.filter(isLarge)) {
    await tx.run('update invoice_content set final = $3 where tenant_id = $1 and invoice_id = $2', [
      tenantId,
      id,
      xml,
    ]);
  }
}

/** Saves the state of forwardings. */
export async function saveForwardings(
  tx: Tx,
  tenantId: string,
  rows: readonly { readonly id: string; readonly forwarding: Forwarding }[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(
    `update invoice set forwarding = n.forwarding
     from unnest($2::text[], $3::jsonb[]) as n (id, forwarding)
     where tenant_id = $1 and invoice.id = n.id`,
    [tenantId, rows.map(({ id }) => id), rows.map(({ forwarding }) => JSON.stringify(forwarding))],
  );
}

export interface DocumentKey {
  readonly id: string;
  readonly seller: string;
  readonly number: string;
  readonly documentType: string;
  readonly issueYear: number;
}

interface DuplicateRow {
  readonly id: string;
  readonly earlier: string;
}

/** Until this transaction ends, no verdict is recorded in the tenant. */
export async function lockVerdicts(tx: Tx, tenantId: string): Promise<void> {
  await tx.rows("select pg_advisory_xact_lock(hashtextextended('verdict ' || $1, 0))", [tenantId]);
}

/** As many verdicts of a tenant as can be recorded at once; PostgreSQL has room for some 6,400 locks in all. */
const documentLocks = 64;

/**
 * Until this transaction ends, no other one decides verdicts on these documents, so that of two equal
 * ones the later sees the earlier, and `lockVerdicts` waits.
 */
export async function lockDocuments(
  tx: Tx,
  tenantId: string,
  documents: readonly DocumentKey[],
): Promise<void> {
  // Always in the same order, so that two transactions cannot wait for each other.
  await tx.rows(
    `select pg_advisory_xact_lock_shared(hashtextextended('verdict ' || $1, 0))
     union all
     select pg_advisory_xact_lock(hashtextextended('document ' || $1, lock))
     from (select distinct abs(mod(hashtextextended(seller || ' ' || number, 0), $4)) as lock
           from unnest($2::text[], $3::text[]) as document (seller, number) order by lock) as wanted`,
    [
      tenantId,
      documents.map(({ seller }) => seller),
      documents.map(({ number }) => number),
      documentLocks,
    ],
  );
}

/**
 * For each document, the earliest other submission of the same document that was or may still be
 * sent, also one that was submitted later.
 */
export function findDuplicates(
  tx: Tx,
  tenantId: string,
  environment: Environment,
  documents: readonly DocumentKey[],
): Promise<DuplicateRow[]> {
  return tx.rows<DuplicateRow>(
    `select n.id, min(i.id) as earlier
     from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::smallint[])
       as n (id, seller, number, document_type, issue_year)
     join invoice i on i.tenant_id = $1 and i.environment = $2 and i.seller = n.seller
       and i.number = n.number and i.document_type = n.document_type
       and i.issue_year = n.issue_year and i.id <> n.id and not ${isRejectedOrCancelled}
     group by n.id`,
    [
      tenantId,
      environment,
      documents.map((each) => each.id),
      documents.map((each) => each.seller),
      documents.map((each) => each.number),
      documents.map((each) => each.documentType),
      documents.map((each) => each.issueYear),
    ],
  );
}

export async function saveWriteBack(
  tx: Tx,
  tenantId: string,
  invoiceId: string,
  result: Readonly<Record<string, unknown>>,
): Promise<void> {
  await tx.run('update invoice set write_back = $3 where tenant_id = $1 and id = $2', [
    tenantId,
    invoiceId,
    JSON.stringify(result),
  ]);
}

/** What people see next to the state of an invoice. */
export interface AuthorityStatusRow {
  readonly id: string;
  readonly status: string;
  /** The authority's reference; null keeps the known one. */
  readonly reference: string | null;
}

/** Saves what people see next to the state. */
export async function saveAuthorityStatuses(
  tx: Tx,
  tenantId: string,
  rows: readonly AuthorityStatusRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(
    `update invoice set authority_status = n.status,
       authority_reference = coalesce(n.reference, authority_reference)
     from unnest($2::text[], $3::text[], $4::text[]) as n (id, status, reference)
     where tenant_id = $1 and invoice.id = n.id`,
    [
      tenantId,
      rows.map(({ id }) => id),
      rows.map(({ status }) => status),
      rows.map(({ reference }) => reference),
    ],
  );
}

/** Saves when documents are sent: set before sending, null when certainly nothing arrived. */
export async function saveSentAt(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  sentAt: Date | null,
): Promise<void> {
  if (ids.length === 0) return;
  await tx.run('update invoice set sent_at = $3 where tenant_id = $1 and id = any($2)', [
    tenantId,
    ids,
    sentAt,
  ]);
}
