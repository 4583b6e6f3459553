import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { insertMany } from '../../../platform/db/insert.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { Problem } from '../../file-problems.ts';
import type { FileReading } from './file-reader.ts';
import type { Piece } from './piece.ts';

type ImportState = 'uploading' | 'preview' | 'reading' | 'running' | 'done';

export interface ImportRow {
  readonly id: string;
  readonly state: ImportState;
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly failed: number;
  readonly reading: FileReading | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
}

const columns = 'id, state, rows, created, updated, failed, reading, created_at, finished_at';

export async function insertImport(
  tx: Tx,
  { tenantId, environment }: TenantScope,
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
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<ImportRow | undefined> {
  return tx.row(
    `select ${columns} from contact_import
     where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
}

export async function deleteImport(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.run('delete from contact_import where tenant_id = $1 and id = $2', [tenantId, id]);
}

/** Deletes interrupted uploads whose client never got an answer, and previews that nobody started. */
export async function deleteUnstarted(
  tx: Tx,
  tenantId: string,
  { uploadsBefore, previewsBefore }: { uploadsBefore: Date; previewsBefore: Date },
): Promise<void> {
  await tx.run(
    `delete from contact_import
     where tenant_id = $1 and (state = 'uploading' and created_at < $2
       or state = 'preview' and created_at < $3)`,
    [tenantId, uploadsBefore, previewsBefore],
  );
}

/** Stores a piece as the next one of its partition. */
export async function insertPiece(
  tx: Tx,
  tenantId: string,
  importId: string,
  { partition, lines, rows }: Piece,
  number: number,
): Promise<void> {
  const segments = [...new Set(rows.flatMap((row) => row.segments))];
  await tx.run(
    `insert into contact_import_piece
       (tenant_id, import_id, partition, piece, lines, contacts, segments, rows)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      tenantId,
      importId,
      partition,
      number,
      lines,
      rows.length,
      JSON.stringify(segments),
      JSON.stringify(rows),
    ],
  );
}

/** A stored piece, without its rows. */
export interface WaitingPiece extends Pick<TenantScope, 'environment'> {
  readonly partition: number;
  readonly piece: number;
  readonly lines: number;
  readonly contacts: number;
  readonly segments: readonly string[];
}

/** The next piece of a partition, locked until the transaction ends. */
export function lockPiece(
  tx: Tx,
  tenantId: string,
  importId: string,
  partition: number,
): Promise<WaitingPiece | undefined> {
  return tx.row(
    `select p.partition, p.piece, p.lines, p.contacts, p.segments, i.environment
     from contact_import_piece p
     join contact_import i on i.tenant_id = p.tenant_id and i.id = p.import_id
     where p.tenant_id = $1 and p.import_id = $2 and p.partition = $3
     order by p.piece limit 1 for update of p`,
    [tenantId, importId, partition],
  );
}

export async function deletePiece(
  tx: Tx,
  tenantId: string,
  importId: string,
  { partition, piece }: WaitingPiece,
): Promise<void> {
  await tx.run(
    `delete from contact_import_piece
     where tenant_id = $1 and import_id = $2 and partition = $3 and piece = $4`,
    [tenantId, importId, partition, piece],
  );
}

/** A row that cannot be used. */
export interface RowProblems {
  readonly line: number;
  readonly problems: readonly Problem[];
  /** As the file has them; null of imports that did not keep them. */
  readonly fields: readonly string[] | null;
}

const problemColumns = {
  tenant_id: 'uuid',
  import_id: 'text',
  line: 'int',
  problems: 'jsonb',
  fields: 'jsonb',
} as const;

export async function insertProblems(
  tx: Tx,
  tenantId: string,
  importId: string,
  problems: readonly RowProblems[],
): Promise<void> {
  const rows = problems.map((row) => ({ tenant_id: tenantId, import_id: importId, ...row }));
  await insertMany(tx, 'contact_import_problem', problemColumns, rows, 'on conflict do nothing');
}

/** In the order of the file. */
export function listProblems(
  tx: Tx,
  tenantId: string,
  importId: string,
  afterLine: number,
  limit: number,
): Promise<RowProblems[]> {
  return tx.rows(
    `select line, problems, fields from contact_import_problem
     where tenant_id = $1 and import_id = $2 and line > $3 order by line limit $4`,
    [tenantId, importId, afterLine, limit],
  );
}

export type Counts = Pick<ImportRow, 'rows' | 'created' | 'updated' | 'failed'>;

/** Adds to the counts; false when another job has claimed the import since. */
export async function countRows(
  tx: Tx,
  tenantId: string,
  importId: string,
  added: Counts,
  claimId?: string,
): Promise<boolean> {
  const changed = await tx.run(
    `update contact_import set rows = rows + $3, created = created + $4, updated = updated + $5,
       failed = failed + $6
     where tenant_id = $1 and id = $2 and ($7::uuid is null or claim_id = $7)`,
    [tenantId, importId, added.rows, added.created, added.updated, added.failed, claimId],
  );
  return changed > 0;
}

/** The file is read to its end. */
export async function setRunning(
  tx: Tx,
  tenantId: string,
  importId: string,
  reading: FileReading | null,
): Promise<void> {
  await tx.run(
    `update contact_import set state = 'running', reading = $3, choices = null, preview = null
     where tenant_id = $1 and id = $2`,
    [tenantId, importId, JSON.stringify(reading)],
  );
}

/** Marks the import as done if no piece is left. */
export async function finishImport(
  tx: Tx,
  tenantId: string,
  importId: string,
  now: Date,
): Promise<void> {
  await tx.run(
    `update contact_import set state = 'done', finished_at = $3
     where tenant_id = $1 and id = $2 and not exists (
       select from contact_import_piece where tenant_id = $1 and import_id = $2)`,
    [tenantId, importId, now],
  );
}

/** How the file of an import was read. */
export async function findReading(
  tx: Tx,
  tenantId: string,
  importId: string,
): Promise<FileReading | null> {
  const row = await tx.row<{ reading: FileReading | null }>(
    'select reading from contact_import where tenant_id = $1 and id = $2',
    [tenantId, importId],
  );
  return row?.reading ?? null;
}

/** A contact of a piece that was not written. */
export interface RefusedContact {
  readonly lines: readonly number[];
  readonly phone: string;
  readonly name: string | null;
  readonly attributes: Readonly<Record<string, string>>;
  readonly segments: readonly string[];
}

export interface PieceWriting {
  readonly importId: string;
  readonly piece: WaitingPiece;
  /** One id for each contact of the piece, separated by commas; new contacts take them. */
  readonly ids: string;
  readonly attributesMax: number;
  readonly now: Date;
}

/**
 * Creates the contacts of a piece, or changes those that have the phone: a given name replaces,
 * attributes are merged, existing lists get the contact. Returns how many are new, and the
 * contacts left unchanged because they would have too many attributes.
 */
export async function writePiece(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { importId, piece, ids, attributesMax, now }: PieceWriting,
): Promise<{ created: number; refused: RefusedContact[] }> {
  const row = await tx.row<{ created: number; refused: RefusedContact[] }>(
    `with given as materialized (
       select g.* from contact_import_piece p cross join lateral rows from (
         jsonb_to_recordset(p.rows)
           as (phone text, name text, attributes jsonb, segments jsonb, lines jsonb),
         string_to_table($6, ',')) as g (phone, name, attributes, segments, lines, id)
       where p.tenant_id = $1 and p.import_id = $3 and p.partition = $4 and p.piece = $5),
     written as (
       insert into contact
         (id, tenant_id, environment, name, phone, attributes, created_at, updated_at)
       select id, $1, $2, name, phone, attributes, $7, $7 from given order by phone
       on conflict (tenant_id, environment, phone) do update set
         name = coalesce(excluded.name, contact.name),
         attributes = contact.attributes || excluded.attributes, updated_at = excluded.updated_at
       where (select count(*) from jsonb_object_keys(contact.attributes || excluded.attributes))
         <= $8
       returning id, phone, xmax = 0 as is_new),
     entered as (
       insert into contact_segment (tenant_id, environment, segment_id, contact_id)
       select $1, $2, s.id, w.id from given g join written w using (phone)
       cross join lateral jsonb_array_elements_text(g.segments) as e (name)
       join segment s on s.tenant_id = $1 and s.environment = $2 and s.name = e.name
         and s.query is null
       where $9::boolean
       on conflict do nothing),
     counted as (select count(*) as all, count(*) filter (where is_new) as created from written)
     select created, case when "all" = $10 then '[]' else (
       select jsonb_agg(to_jsonb(given)) from given
       where phone not in (select phone from written)) end as refused
     from counted`,
    [
      tenantId,
      environment,
      importId,
      piece.partition,
      piece.piece,
      ids,
      now,
      attributesMax,
      piece.segments.length > 0,
      piece.contacts,
    ],
  );
  return row!;
}
