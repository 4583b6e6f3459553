import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { newId } from '../../../platform/ids.ts';
import type { ContactContext } from '../context.ts';
import {
  type Consent,
  deleteOptOut,
  insertConsent,
  insertOptOut,
  type OptOutRow,
} from './store.ts';

/**
 * Records a consent, given now or at `created_at`, and adds or removes the opt-out; returns the opt-out when
 * consent was withdrawn.
 */
export async function recordConsent(
  tx: Tx,
  scope: TenantScope,
  { clock, random }: Pick<ContactContext, 'clock' | 'random'>,
  said: Omit<Consent, 'id' | 'created_at'> & Partial<Pick<Consent, 'id' | 'created_at'>>,
): Promise<OptOutRow | undefined> {
  const now = clock();
  await insertConsent(tx, scope, {
    created_at: now,
    id: newId('cns', () => now, random),
    ...said,
  });
  if (said.state === 'granted') {
    await deleteOptOut(tx, scope, said);
    return undefined;
  }
  return insertOptOut(tx, scope, {
    ...said,
    id: newId('opt', () => now, random),
    created_at: now,
  });
}
