import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { newId } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { addEvents } from '../../webhooks/store.ts';
import type { Moment } from '../event.ts';
import { cancelledEventOf } from './events.ts';
import { importJob } from './import-jobs.ts';
import { releaseDuplicate } from './release-duplicate.ts';
import { saveResponseState } from './response-store.ts';
import {
  findUncancelled,
  lockNumber,
  lockReceived,
  type ReceivedRow,
  type ReceivedStatus,
  saveCancelled,
} from './store.ts';

/** A document that its supplier has cancelled at its authority. */
export interface Cancellation {
  /** The identifier by which the authority knows it. */
  readonly clearanceId: string;
  readonly at: Date;
  readonly reason: string | null;
}

/**
 * Notes that a document was cancelled, and has its draft taken out of the ERP unless somebody has gone on with
 * it there. What never came in stays out.
 */
export async function cancelDocument(
  tx: Tx,
  jobs: Pick<Jobs, 'enqueue'>,
  scope: TenantScope,
  cancellation: Cancellation,
  moment: Moment,
): Promise<void> {
  for (const { id, number } of await findUncancelled(tx, scope, cancellation.clearanceId)) {
    await lockNumber(tx, scope.tenantId, number ?? '');
    const row = await lockReceived(tx, scope, id);
    if (row?.cancelled_at === null) await cancel(tx, jobs, scope, row, cancellation, moment);
  }
}

async function cancel(
  tx: Tx,
  jobs: Pick<Jobs, 'enqueue'>,
  scope: TenantScope,
  row: ReceivedRow,
  { at, reason }: Cancellation,
  moment: Moment,
): Promise<void> {
  const { tenantId } = scope;
  const { response } = row;
  // That it stands, as is said when its supplier was asked in vain, holds no more.
  if (response?.state === 'delivered' && response.reason !== undefined) {
    const answer = { id: response.id, document_id: row.id };
    const { state } = response;
    await saveResponseState(tx, tenantId, answer, { state, reason: null, now: moment.now });
  }
  const mayBeInErp = isMaybeInErp(row);
  const status: ReceivedStatus = mayBeInErp ? row.status : 'cancelled';
  await saveCancelled(tx, tenantId, row.id, { status, at, reason, now: moment.now });
  if (mayBeInErp) {
    // An import that is under way is followed by its undoing: there is one job for a document.
    const attempt = newId('imp', () => moment.now, moment.random);
    await jobs.enqueue(tx, tenantId, [importJob(row, 'undo', attempt)]);
  }
  if (!isTold(row)) return;
  await addEvents(tx, tenantId, [cancelledEventOf(row, { at, reason }, moment)]);
  await releaseDuplicate(tx, scope, row, moment);
}

/** Also where an import was not answered yet. */
function isMaybeInErp({ status, import_to, import: last }: ReceivedRow): boolean {
  if (status === 'imported') return true;
  return import_to !== null && (status === 'received' || last?.outcome === 'waiting');
}

/** Of duplicates, and of what cannot be read, nobody was told as of a document. */
function isTold({ status }: ReceivedRow): boolean {
  return status === 'received' || status === 'imported' || status === 'undone';
}
