import type { Tx } from '../platform/db/tx.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import { findProvedDomain, findProvedSender } from './branding-store.ts';
import type { Sender } from './mail.ts';

/** Whose mail it is: the tenant's own sender and domain, where they are proved. */
interface MailBrand {
  readonly sender: Sender | undefined;
  readonly domain: string | undefined;
}

/** What the mail of a tenant bears. */
export async function brandOf(
  tx: Tx,
  secrets: Pick<Secrets, 'open'>,
  tenantId: string,
): Promise<MailBrand> {
  const proved = await findProvedSender(tx, tenantId);
  const domain = await findProvedDomain(tx, tenantId);
  if (proved === undefined) return { sender: undefined, domain };
  const { proof_id, sealed_key, ...sender } = proved;
  return { sender: { ...sender, privateKey: secrets.open(sealed_key, proof_id) }, domain };
}
