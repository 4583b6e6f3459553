import { insertMany } from '../../../platform/db/insert.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { Attributes, Place } from '../store.ts';

export interface ImportRow {
  readonly id: string;
  readonly state: 'uploading' | 'running' | 'done';
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly failed: number;
  readonly created_at: Date;
  readonly finished_at: Date | null;
}

const columns = 'id, state, rows, created, updated, failed, created_at, finished_at';

export async function insertImport(
  tx: Tx,
  { tenantId, environment }: Place,
  id: string,
  now: Date,
): Promise<void> {
  await tx.run(
    `insert into contact_import (id, tenant_id, environment, state, created_at)
     values ($1, $2, $3, 'uploading', $4)`,
    [id, tenantId, environment, now],
  );
}

export function findImport(
  tx: Tx,
  { tenantId, environment }: Place,
  id: string,
): Promise<ImportRow | undefined> {
  return tx.row(
    `select ${columns} from contact_import
     where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
}

/** The import with its place, locked until the transaction ends. */
export function lockImport(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<(ImportRow & Pick<Place, 'environment'>) | undefined> {
  return tx.row(
    `select ${columns}, environment from contact_import where tenant_id = $1 and id = $2
     for update`,
    [tenantId, id],
  );
}

export async function deleteImport(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.run('delete from contact_import where tenant_id = $1 and id = $2', [tenantId, id]);
}

/** Forgets uploads that broke off: their caller never had an answer. */
export async function deleteBroken(tx: Tx, tenantId: string, before: Date): Promise<void> {
  await tx.run(
    `delete from contact_import
     where tenant_id = $1 and state = 'uploading' and created_at < $2`,
    [tenantId, before],
  );
}

export interface StagedRow {
  /** From 1, the header's. */
  readonly line: number;
  readonly phone: string;
  readonly name: string | null;
  readonly attributes: Attributes;
  readonly segments: readonly string[];
}

const stagedColumns = {
  tenant_id: 'uuid',
  import_id: 'text',
  line: 'int',
  phone: 'text',
  name: 'text',
  attributes: 'jsonb',
  segments: 'jsonb',
} as const;

export async function stageRows(
  tx: Tx,
  tenantId: string,
  importId: string,
  rows: readonly StagedRow[],
): Promise<void> {
  const staged = rows.map((row) => ({ tenant_id: tenantId, import_id: importId, ...row }));
  await insertMany(tx, 'contact_import_row', stagedColumns, staged);
}

/** Takes the next rows out, in the order of the file. */
export async function takeRows(
  tx: Tx,
  tenantId: string,
  importId: string,
  limit: number,
): Promise<StagedRow[]> {
  const rows = await tx.rows<StagedRow>(
    `delete from contact_import_row
     where tenant_id = $1 and import_id = $2 and line <= (
       select max(line) from (
         select line from contact_import_row where tenant_id = $1 and import_id = $2
         order by line limit $3) next)
     returning line, phone, name, attributes, segments`,
    [tenantId, importId, limit],
  );
  return rows.sort((a, b) => a.line - b.line);
}

export interface RowError {
  readonly line: number;
  readonly field: string;
  readonly problem: string;
}

const errorColumns = {
  tenant_id: 'uuid',
  import_id: 'text',
  line: 'int',
  field: 'text',
  problem: 'text',
} as const;

export async function insertErrors(
  tx: Tx,
  tenantId: string,
  importId: string,
  errors: readonly RowError[],
): Promise<void> {
  const rows = errors.map((error) => ({ tenant_id: tenantId, import_id: importId, ...error }));
  await insertMany(tx, 'contact_import_error', errorColumns, rows, 'on conflict do nothing');
}

export function listErrors(
  tx: Tx,
  tenantId: string,
  importId: string,
  limit: number,
): Promise<RowError[]> {
  return tx.rows(
    `select line, field, problem from contact_import_error
     where tenant_id = $1 and import_id = $2 order by line, field limit $3`,
    [tenantId, importId, limit],
  );
}

export type Counts = Pick<ImportRow, 'rows' | 'created' | 'updated' | 'failed'>;

/** Adds to the counts. */
export async function countRows(
  tx: Tx,
  tenantId: string,
  importId: string,
  added: Counts,
): Promise<void> {
  await tx.run(
    `update contact_import set rows = rows + $3, created = created + $4, updated = updated + $5,
       failed = failed + $6 where tenant_id = $1 and id = $2`,
    [tenantId, importId, added.rows, added.created, added.updated, added.failed],
  );
}

export async function setState(
  tx: Tx,
  tenantId: string,
  importId: string,
  state: ImportRow['state'],
  finishedAt: Date | null,
): Promise<void> {
  await tx.run(
    'update contact_import set state = $3, finished_at = $4 where tenant_id = $1 and id = $2',
    [tenantId, importId, state, finishedAt],
  );
}

export interface ImportedContact {
  readonly id: string;
  readonly phone: string;
  readonly name: string | null;
  readonly attributes: Attributes;
}

/**
 * Makes contacts, or changes those that have the phone: a name that is given replaces, attributes
 * are merged. Answers those that were written; one that would have too many attributes is not.
 */
export function upsertContacts(
  tx: Tx,
  { tenantId, environment }: Place,
  contacts: readonly ImportedContact[],
  attributesMax: number,
  now: Date,
): Promise<{ id: string; phone: string; created: boolean }[]> {
  return tx.rows(
    `insert into contact
       (id, tenant_id, environment, name, phone, attributes, created_at, updated_at)
     select id, $1::uuid, $2, name, phone, attributes, $7::timestamptz, $7::timestamptz
     from unnest($3::text[], $4::text[], $5::text[], $6::jsonb[])
       as c (id, phone, name, attributes) order by phone
     on conflict (tenant_id, environment, phone) do update set
       name = coalesce(excluded.name, contact.name),
       attributes = contact.attributes || excluded.attributes, updated_at = excluded.updated_at
     where (select count(*) from jsonb_object_keys(contact.attributes || excluded.attributes)) <= $8
     returning id, phone, created_at = $7 and xmax = 0 as created`,
    [
      ...[tenantId, environment],
      contacts.map(({ id }) => id),
      contacts.map(({ phone }) => phone),
      contacts.map(({ name }) => name),
      contacts.map(({ attributes }) => JSON.stringify(attributes)),
      ...[now, attributesMax],
    ],
  );
}

/** Puts contacts into lists that are there; parallel arrays. */
export async function enterMany(
  tx: Tx,
  { tenantId, environment }: Place,
  contactIds: readonly string[],
  names: readonly string[],
): Promise<void> {
  await tx.run(
    `insert into contact_segment (tenant_id, environment, segment_id, contact_id)
     select $1::uuid, $2, s.id, e.contact_id
     from unnest($3::text[], $4::text[]) as e (contact_id, name)
     join segment s on s.tenant_id = $1 and s.environment = $2 and s.name = e.name
       and s.query is null
     on conflict do nothing`,
    [tenantId, environment, contactIds, names],
  );
}
