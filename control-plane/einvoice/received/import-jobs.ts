import type { Environment } from '../../platform/auth/principal.ts';
import { idPattern, instantOf } from '../../platform/ids.ts';
import type { PipelineJobPayload } from '../pipeline/work-item.ts';
import type { ReceivedRow } from './store.ts';

/** Putting a draft into the ERP, or taking it out again. */
export type ImportAction = 'import' | 'undo';

/** The queue of imports: one job for each document, so that an undoing comes behind its import. */
export const importQueue = 'import-document';

/** The payload of a job of that queue. */
export interface ImportJobPayload extends PipelineJobPayload {
  readonly document: string;
  readonly action: ImportAction;
  /** The same in all attempts, and another when a document is imported anew. */
  readonly idempotencyKey: string;
}

const undoSuffix = '/undo';

/** The job of an import or its undoing; `attempt` is another one each time it is asked for. */
export function importJob(
  { id, environment }: { readonly id: string; readonly environment: Environment },
  action: ImportAction,
  attempt: string,
) {
  // An outcome that comes late names the action by it.
  const idempotencyKey = `${id}/${attempt}${action === 'undo' ? undoSuffix : ''}`;
  const payload: ImportJobPayload = { environment, document: id, action, idempotencyKey };
  return { queue: importQueue, key: id, payload };
}

/** Takes in what became of an import, or its undoing, that was given up; undefined where none was. */
export function lateImportJob(
  { id, environment, import: imported }: Pick<ReceivedRow, 'id' | 'environment' | 'import'>,
  idempotencyKey: string,
) {
  if (imported?.action === undefined) return undefined;
  const action = idempotencyKey.endsWith(undoSuffix) ? 'undo' : 'import';
  const payload: ImportJobPayload = { environment, document: id, action, idempotencyKey };
  return { queue: importQueue, key: id, payload };
}

/** When it was asked for: the id of an attempt begins with its time. */
export function askedAt({ idempotencyKey }: ImportJobPayload): Date {
  return instantOf(idempotencyKey.split('/')[1]!);
}

/** The document of an import's idempotency key; undefined for the key of something else. */
export function documentOfImport(idempotencyKey: string): string | undefined {
  const [document = ''] = idempotencyKey.split('/');
  return idPattern('rcv').test(document) ? document : undefined;
}
