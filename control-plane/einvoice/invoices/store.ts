import type { Hold, HoldStep } from '@drawbridge/lifecycle/submission-policy.ts';
import type { Checks, State } from '@drawbridge/lifecycle/transitions.ts';
import type { InvoiceError } from '@drawbridge/validation/source/verdict.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import { type ColumnTypes, insertMany } from '../../platform/db/insert.ts';
import { type KeysetRange, newestFirst } from '../../platform/db/keyset.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { buyerKey, endOf } from './search-keys.ts';

export interface InvoiceRow {
  readonly id: string;
  readonly environment: Environment;
  readonly connector_id: string;
  readonly profile: string;
  readonly source_ref: string;
  readonly state: State;
  readonly checks: Checks;
  readonly errors: readonly InvoiceError[];
  readonly warnings: readonly InvoiceError[];
  readonly number: string | null;
  readonly buyer: string | null;
  readonly currency: string | null;
  readonly gross: string | null;
  readonly duplicate_of: string | null;
  readonly submission_key: string;
  readonly sent_at: Date | null;
  readonly authority_reference: string | null;
  readonly authority_status: string | null;
  readonly uin: string | null;
  readonly validation_url: string | null;
  readonly cancellable_until: Date | null;
  readonly write_back: Readonly<Record<string, unknown>> | null;
  readonly forwarding: Forwarding | null;
  readonly buyer_response: BuyerResponse | null;
  /** Who submitted it: a user or a key; null: an agent found it. */
  readonly submitted_by: string | null;
  readonly hold: Hold | null;
  /** The person that must act before it is sent; null: none. */
  readonly waits_for: HoldStep | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** The state of sending a cleared document to its buyer over the network. */
export interface Forwarding {
  readonly status: 'waiting' | 'sent' | 'delivered' | 'refused' | 'off' | 'withheld';
  /** The reason for the status. Instants are UTC, ISO 8601. */
  readonly reason?: string;
  readonly errors?: readonly { readonly code: string; readonly message: string }[];
  readonly sent_at?: string | null;
  readonly at: string;
}

/** What an answer of the buyer means, in words. */
export const buyerStatuses = [
  'received',
  'in_process',
  'under_query',
  'conditionally_accepted',
  'rejected',
  'accepted',
  'paid',
  'other',
] as const;

/** What the buyer last said over the network. */
export interface BuyerResponse {
  /** The buyer's own code (UNCL4343). */
  readonly code: string;
  readonly status: (typeof buyerStatuses)[number];
  readonly note?: string;
  /** UTC instant, ISO 8601. */
  readonly at: string;
}

export interface NewInvoice {
  readonly id: string;
  readonly tenant_id: string;
  readonly environment: Environment;
  readonly connector_id: string;
  readonly profile: string;
  readonly source_ref: string;
  readonly checks: Checks;
  readonly submission_key: string;
  readonly submitted_by: string | undefined;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const newInvoiceColumns: ColumnTypes<NewInvoice> = {
  id: 'text',
  tenant_id: 'uuid',
  environment: 'text',
  connector_id: 'text',
  profile: 'text',
  source_ref: 'text',
  checks: 'jsonb',
  submission_key: 'text',
  submitted_by: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
};

/** Columns of an `InvoiceRow`. */
export const invoiceColumns = `id, environment, connector_id, profile, source_ref, state, checks, errors, warnings,
  number, buyer, currency, gross, duplicate_of, submission_key, sent_at, authority_reference,
  authority_status, uin, validation_url, cancellable_until, write_back, forwarding,
  buyer_response, submitted_by, hold, waits_for, created_at, updated_at`;

export async function insertInvoices(tx: Tx, invoices: readonly NewInvoice[]): Promise<void> {
  await insertMany<NewInvoice>(tx, 'invoice', newInvoiceColumns, invoices);
}

export function findInvoice(
  tx: Tx,
  tenantId: string,
  environment: Environment,
  id: string,
  forUpdate = false,
): Promise<InvoiceRow | undefined> {
  return tx.row<InvoiceRow>(
    `select ${invoiceColumns} from invoice where tenant_id = $1 and environment = $2 and id = $3` +
      (forUpdate ? ' for update' : ''),
    [tenantId, environment, id],
  );
}

/** Why an invoice is not validated yet. */
interface ValidationWait {
  readonly reason: string;
  /** Since when, ISO 8601. */
  readonly since: string;
  readonly next_attempt_at: Date;
}

/** Why the invoice waits to be validated; undefined when it does not. */
export function findValidationWait(
  tx: Tx,
  tenantId: string,
  invoiceId: string,
): Promise<ValidationWait | undefined> {
  return tx.row<ValidationWait>(
    `select payload ->> 'waitsBecause' as reason, payload ->> 'firstFailedAt' as since,
       run_at as next_attempt_at
     from job where tenant_id = $1 and queue = 'invoice' and key = $2 and payload ? 'waitsBecause'`,
    [tenantId, invoiceId],
  );
}

/**
 * Until this transaction ends, no other one submits documents through these connectors that are to be
 * submitted once.
 */
export async function lockSubmissions(tx: Tx, connectorIds: readonly string[]): Promise<void> {
  // Always in the same order, so that two transactions cannot wait for each other.
  const ids = [...new Set(connectorIds)].sort();
  await tx.rows(
    `select pg_advisory_xact_lock(hashtextextended('submission ' || id, 0))
     from unnest($1::text[]) as id`,
    [ids],
  );
}

/** SQL: whether the invoice `i` gives its document free: it was refused, or its authority cancelled it. */
export const isRejectedOrCancelled = `(i.state = 'rejected' or coalesce(i.authority_status, '') = 'cancelled')`;

const replacedMax = 100;

/**
 * Ids of earlier submissions of the invoice's document that gave it free, and of others that stood in a
 * file of its name, newest first.
 */
export async function findReplaced(
  tx: Tx,
  tenantId: string,
  { id, environment, source_ref }: InvoiceRow,
): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(
    `select i.id from invoice i join invoice own on own.tenant_id = i.tenant_id and own.id = $4
     where i.tenant_id = $1 and i.environment = $2 and i.source_ref = $3 and i.id < own.id
       and (${isRejectedOrCancelled} or (i.number, i.document_type, i.issue_year)
         <> (own.number, own.document_type, own.issue_year))
     order by i.id desc limit $5`,
    [tenantId, environment, source_ref, id, replacedMax],
  );
  return rows.map((row) => row.id);
}

/** A submission that is on its way or settled well. */
export type OpenSubmission = Pick<
  InvoiceRow,
  'id' | 'environment' | 'connector_id' | 'source_ref' | 'state' | 'waits_for' | 'cancellable_until'
>;

/** For each of these documents the earliest submission that does not give it free. */
export function findOpenSubmissions(
  tx: Tx,
  tenantId: string,
  documents: readonly Pick<NewInvoice, 'environment' | 'connector_id' | 'source_ref'>[],
): Promise<OpenSubmission[]> {
  return tx.rows<OpenSubmission>(
    `select distinct on (i.environment, i.connector_id, i.source_ref)
       i.id, i.environment, i.connector_id, i.source_ref, i.state, i.waits_for, i.cancellable_until
     from (select distinct * from unnest($2::text[], $3::text[], $4::text[]))
       as n (environment, connector_id, source_ref)
     join invoice i on i.tenant_id = $1 and i.environment = n.environment
       and i.source_ref = n.source_ref and i.connector_id = n.connector_id and not ${isRejectedOrCancelled}
     order by i.environment, i.connector_id, i.source_ref, i.id`,
    [
      tenantId,
      documents.map((each) => each.environment),
      documents.map((each) => each.connector_id),
      documents.map((each) => each.source_ref),
    ],
  );
}

export interface InvoiceFilter {
  readonly state?: string;
  readonly profile?: string;
  readonly connectorId?: string;
  readonly sourceRef?: string;
  readonly number?: string;
  /** How the buyer's name begins. */
  readonly buyer?: string;
  readonly grossMin?: number;
  readonly grossMax?: number;
  readonly waitsFor?: HoldStep;
  /** Only ids from this one on, and before that one: an id begins with its time. */
  readonly from?: string;
  readonly to?: string;
}

const filterColumns = {
  state: 'state',
  profile: 'profile',
  connectorId: 'connector_id',
  sourceRef: 'source_ref',
  number: 'number',
  waitsFor: 'waits_for',
} as const;

/**
 * A page of invoices, newest first. The statement has only the filters that are given: one
 * statement for all combinations would have one plan, which could not use the index of each filter.
 */
export function listInvoices(
  tx: Tx,
  tenantId: string,
  environment: Environment,
  filter: InvoiceFilter,
  page: KeysetRange,
): Promise<InvoiceRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  const values: unknown[] = [tenantId, environment, rowsMax, key];
  const given = (condition: string, value: string | number | undefined): string =>
    value === undefined ? '' : ` and ${condition} $${values.push(value)}`;
  const columns = Object.entries(filterColumns) as [keyof typeof filterColumns, string][];
  const conditions = columns.map(([name, column]) => given(`${column} =`, filter[name]));
  if (filter.buyer !== undefined) {
    const key = buyerKey(filter.buyer);
    conditions.push(given('buyer_key >=', key), given('buyer_key <', endOf(key)));
  }
  conditions.push(given('gross_key >=', filter.grossMin), given('gross_key <=', filter.grossMax));
  return tx.rows<InvoiceRow>(
    `select ${invoiceColumns} from invoice where tenant_id = $1 and environment = $2` +
      `${conditions.join('')}${given('id >=', filter.from)}${given('id <', filter.to)}` +
      ` and ${where('id', '$4')} order by id ${order} limit $3`,
    values,
  );
}

export type Stage = 'cim' | 'document' | 'clearance' | 'final';

const stageTexts: Readonly<Record<Stage, string>> = {
  cim: 'cim::text',
  document: 'document',
  clearance: 'clearance',
  final: 'final',
};

/**
 * The bytes of one stage, or the model as JSON; without a stage those of the last. Undefined when the
 * invoice does not have it yet.
 */
export async function findContent(
  tx: Tx,
  tenantId: string,
  invoiceId: string,
  stage: Stage | undefined,
): Promise<string | undefined> {
  const wanted = stage === undefined ? 'coalesce(final, document)' : stageTexts[stage];
  const row = await tx.row<{ content: string | null }>(
    `select ${wanted} as content from invoice_content where tenant_id = $1 and invoice_id = $2`,
    [tenantId, invoiceId],
  );
  return row?.content ?? undefined;
}

/** The events of an invoice: its transitions, and where it stalled. */
export function listEvents(
  tx: Tx,
  tenantId: string,
  environment: Environment,
  invoiceId: string,
): Promise<{ id: string; type: string; created_at: Date }[]> {
  return tx.rows(
    `select id, type, created_at from webhook_event
     where tenant_id = $1 and environment = $2 and subject_id = $3 and service = 'einvoice'
     limit 100`,
    [tenantId, environment, invoiceId],
  );
}
