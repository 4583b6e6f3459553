import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { Clock, RandomBytes } from '../../../platform/ids.ts';
import { recordPersonConsents } from '../../contacts/consents/person-consents.ts';
import type { ChangedMessage } from './store.ts';

/** A message that was not carried, and why. */
export type RefusedMessage = Pick<
  ChangedMessage,
  'channel' | 'contact_id' | 'address' | 'at' | 'error_code' | 'error_detail'
>;

const noteMax = 500;

/** Of what networks report only a refusal of the person leaves a message skipped. */
export function isRefused({ to }: Pick<ChangedMessage, 'to'>): boolean {
  return to === 'skipped';
}

/** A network did not carry messages because their people refuse them: as if these had written STOP. */
export function recordNetworkRefusals(
  tx: Tx,
  scope: TenantScope,
  context: { readonly clock: Clock; readonly random: RandomBytes },
  refused: readonly RefusedMessage[],
): Promise<void> {
  const said = refused.map(({ channel, contact_id: contactId, address, at, ...error }) => {
    const note = `${error.error_code}: ${error.error_detail}`.slice(0, noteMax);
    return { contactId, channel, address, state: 'revoked' as const, source: 'network', note, at };
  });
  return recordPersonConsents(tx, scope, context, said);
}
