import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { ProblemKind, ShownRow } from '../../file-problems.ts';
import type { FileReading, ReadingChoices } from './file-reader.ts';
import type { ReadOptions } from './read.ts';

/** All that a person has chosen for a file. */
export interface Choices extends ReadingChoices, Partial<ReadOptions> {}

/** What a look at a file has found. */
export interface Preview {
  readonly reading: FileReading;
  /** Some values of each column. */
  readonly samples: readonly (readonly string[])[];
  readonly notes: readonly string[];
  readonly rows: readonly ShownRow[];
  readonly counts: { readonly rows: number; readonly usable: number; readonly problems: number };
  readonly problems: readonly ProblemKind[];
}

/** A file that was uploaded to be looked at. */
export interface PreviewRow {
  readonly id: string;
  readonly filename: string | null;
  readonly bytes: number;
  readonly choices: Choices;
  readonly preview: Preview;
  readonly created_at: Date;
}

const columns = 'id, filename, bytes, choices, preview, created_at';

export function findPreview(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<PreviewRow | undefined> {
  return tx.row(
    `select ${columns} from contact_import
     where tenant_id = $1 and environment = $2 and id = $3 and state = 'preview'`,
    [tenantId, environment, id],
  );
}

/** As `findPreview`; the row is locked until the transaction ends. */
export function lockPreview(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<PreviewRow | undefined> {
  return tx.row(
    `select ${columns} from contact_import
     where tenant_id = $1 and environment = $2 and id = $3 and state = 'preview' for update`,
    [tenantId, environment, id],
  );
}

export async function countPreviews(tx: Tx, tenantId: string): Promise<number> {
  const row = await tx.row<{ count: number }>(
    `select count(*)::int as count from contact_import
     where tenant_id = $1 and state in ('uploading', 'preview')`,
    [tenantId],
  );
  return row!.count;
}

export async function insertFilePart(
  tx: Tx,
  tenantId: string,
  importId: string,
  part: number,
  bytes: Buffer,
): Promise<void> {
  await tx.run(
    `insert into contact_import_file (tenant_id, import_id, part, bytes) values ($1, $2, $3, $4)`,
    [tenantId, importId, part, bytes],
  );
}

export async function findFilePart(
  tx: Tx,
  tenantId: string,
  importId: string,
  part: number,
): Promise<Buffer | undefined> {
  const row = await tx.row<{ bytes: Buffer }>(
    `select bytes from contact_import_file where tenant_id = $1 and import_id = $2 and part = $3`,
    [tenantId, importId, part],
  );
  return row?.bytes;
}

export async function deleteFile(tx: Tx, tenantId: string, importId: string): Promise<void> {
  await tx.run('delete from contact_import_file where tenant_id = $1 and import_id = $2', [
    tenantId,
    importId,
  ]);
}

export interface Looked {
  readonly filename: string | null;
  readonly bytes: number;
  readonly choices: Choices;
  readonly preview: Preview;
}

/** Stores what a look at the file found; 0 when it was started since. */
export function savePreview(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  { filename, bytes, choices, preview }: Looked,
): Promise<number> {
  return tx.run(
    `update contact_import set state = 'preview', filename = $4, bytes = $5, choices = $6, preview = $7
     where tenant_id = $1 and environment = $2 and id = $3 and state in ('uploading', 'preview')`,
    [tenantId, environment, id, filename, bytes, JSON.stringify(choices), JSON.stringify(preview)],
  );
}

export function deletePreview(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<number> {
  return tx.run(
    `delete from contact_import
     where tenant_id = $1 and environment = $2 and id = $3 and state = 'preview'`,
    [tenantId, environment, id],
  );
}

/** It is read by a job from now on, as it was shown. */
export async function setReading(
  tx: Tx,
  tenantId: string,
  importId: string,
  reading: FileReading,
): Promise<void> {
  await tx.run(
    `update contact_import set state = 'reading', reading = $3 where tenant_id = $1 and id = $2`,
    [tenantId, importId, JSON.stringify(reading)],
  );
}

/** A started import whose file is still to be read. */
export interface UnreadImport extends Pick<TenantScope, 'environment'> {
  readonly choices: Choices;
  readonly reading: FileReading;
}

/** Begins to read it under a claim. */
export function claimUnread(
  tx: Tx,
  tenantId: string,
  importId: string,
  claimId: string,
): Promise<UnreadImport | undefined> {
  return tx.row(
    `update contact_import set claim_id = $3, rows = 0, failed = 0
     where tenant_id = $1 and id = $2 and state = 'reading'
     returning environment, choices, reading`,
    [tenantId, importId, claimId],
  );
}

export async function deletePieces(tx: Tx, tenantId: string, importId: string): Promise<void> {
  await tx.run('delete from contact_import_piece where tenant_id = $1 and import_id = $2', [
    tenantId,
    importId,
  ]);
}

export async function deleteProblems(tx: Tx, tenantId: string, importId: string): Promise<void> {
  await tx.run('delete from contact_import_problem where tenant_id = $1 and import_id = $2', [
    tenantId,
    importId,
  ]);
}

/** Deletes previews that nobody started; returns how many. */
export async function prunePreviews(tx: Tx, before: Date, max: number): Promise<number> {
  const row = await tx.row<{ count: number }>('select prune_import_previews($1, $2) as count', [
    before,
    max,
  ]);
  return row!.count;
}
