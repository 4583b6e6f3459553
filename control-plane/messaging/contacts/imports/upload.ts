/** The import by one call: the file is read as it comes, and nothing may be uncertain. */
import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FileColumn } from '@drawbridge/messaging/contact-file/columns.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { type Made, makeOnce, type Once } from '../../../platform/idempotency/once.ts';
import { newId } from '../../../platform/ids.ts';
import { refuseQueries } from '../actions.ts';
import { type OpenFile, openFile, type ReadingChoices, refused } from './file-reader.ts';
import { type ImportContext, partitionJob } from './importer.ts';
import type { ReadOptions } from './read.ts';
import {
  deleteImport,
  deleteUnstarted,
  findImport,
  finishImport,
  type ImportRow,
  insertImport,
  setRunning,
} from './store.ts';
import { storeRows } from './store-rows.ts';
import { uploadedFile } from './uploaded-file.ts';

const brokenAfterMs = 3_600_000;
/** How long a preview is kept. */
export const previewMs = 24 * brokenAfterMs;
const previewHint = 'look at it first by POST /contacts/bulk-import/preview/';

export interface ImportUpload {
  readonly options: ReadOptions;
  readonly choices: ReadingChoices;
  /** The route and key of a request that may be repeated. */
  readonly once: Omit<Once, 'fingerprint'> | undefined;
  readonly request: IncomingMessage;
  readonly signal: AbortSignal;
}

/** Throws `invalid_request` and deletes the import when the file cannot be read to its end. */
export async function uploadImport(
  context: ImportContext,
  scope: TenantScope,
  { options, choices, once, request, signal }: ImportUpload,
): Promise<Made<ImportRow>> {
  const { db } = context;
  const { tenantId } = scope;
  const { bytes } = uploadedFile(request, signal);
  const id = await beginImport(context, scope, options);
  try {
    // Hashes the content only, because the boundary of a form differs in each request.
    const hash = createHash('sha256').update(JSON.stringify({ options, choices }));
    const hashed = once === undefined ? bytes : passing(bytes, hash);
    const file = await openFile(context, tenantId, hashed, choices);
    refuseUncertain(file);
    const partitions = await storeRows(context, { tenantId, id }, certainly(file), options);
    const printed = once && { ...once, fingerprint: hash.digest('hex') };
    return await startImport(context, scope, id, { file, partitions, once: printed });
  } catch (error) {
    await db.tenant(tenantId, (tx) => deleteImport(tx, tenantId, id));
    throw error;
  }
}

/** A new import without rows; what was broken off or forgotten before is deleted. */
export async function beginImport(
  { db, clock, random }: ImportContext,
  scope: TenantScope,
  { segment }: Pick<ReadOptions, 'segment'>,
): Promise<string> {
  const { tenantId } = scope;
  const [id, now] = [newId('imp', clock, random), clock()];
  const before = (ms: number) => new Date(now.getTime() - ms);
  await db.tenant(tenantId, async (tx) => {
    const times = { uploadsBefore: before(brokenAfterMs), previewsBefore: before(previewMs) };
    await deleteUnstarted(tx, tenantId, times);
    if (segment !== undefined) await refuseQueries(tx, scope, [segment], 'segment');
    await insertImport(tx, scope, id, now);
  });
  return id;
}

async function* passing(bytes: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Nobody looks at what was guessed here, so what could lose or mix up values is refused. */
function refuseUncertain({ columns, headerRow }: OpenFile): void {
  const find = (issue: FileColumn['issue']) => columns.find((column) => column.issue === issue);
  if (!columns.some(({ field }) => field === 'phone')) {
    throw refused(`it has no column "phone", nor one that reads like phones: ${previewHint}`);
  }
  if (headerRow === 0 && columns.some(({ issue }) => issue !== undefined)) {
    throw refused(`it has no line that names its columns: add one, or ${previewHint}`);
  }
  const duplicate = find('duplicate');
  if (duplicate !== undefined) throw refused(`it has the column "${duplicate.name}" twice`);
  const long = find('too_long');
  if (long !== undefined) {
    throw refused(`the name of its column ${long.column} is too long, or holds U+0000`);
  }
  const unusable = find('unusable');
  if (unusable !== undefined) {
    throw refused(
      `its column ${unusable.column} has the name "${unusable.name}", which cannot be used`,
    );
  }
}

/** The file, as long as it does not turn out to be in an encoding that is not known. */
function certainly(file: OpenFile): OpenFile {
  async function* records() {
    for await (const some of file.records) {
      if (!file.reading().encoding_certain) {
        const problem = 'it is neither UTF-8 nor UTF-16, and does not look like Windows-1252';
        throw refused(`${problem}: name its encoding by ?encoding=, or ${previewHint}`);
      }
      yield some;
    }
  }
  return { ...file, records: records() };
}

interface Stored {
  readonly file: OpenFile;
  readonly partitions: readonly number[];
  readonly once: Once | undefined;
}

/** Queues the partitions, or deletes this upload when its idempotency key was used before. */
function startImport(
  { db, jobs, clock }: ImportContext,
  scope: TenantScope,
  id: string,
  { file, partitions, once }: Stored,
): Promise<Made<ImportRow>> {
  const { tenantId } = scope;
  return db.tenant(tenantId, async (tx) => {
    const made = await makeOnce(tx, scope, once, {
      id,
      make: async () => {
        await setRunning(tx, tenantId, id, file.reading());
        await finishImport(tx, tenantId, id, clock());
        const queued = partitions.map((partition) => partitionJob(id, partition));
        await jobs.enqueue(tx, tenantId, queued);
        return (await findImport(tx, scope, id))!;
      },
      find: (known) => findImport(tx, scope, known),
    });
    if (made.isReplay) await deleteImport(tx, tenantId, id);
    return made;
  });
}
