import type { ApiAnswer, ApiCall } from '../control-plane/client.ts';
import type { Home } from '../store/home.ts';
import type { Identity } from '../store/identity.ts';
import { type TakenCompany, takeCompany } from './signed-company.ts';

/** Asks the control plane for the copy that it signs for this agent, and keeps it. */
export async function fetchCompany(
  home: Home,
  identity: Identity,
  call: ApiCall,
): Promise<TakenCompany | Exclude<ApiAnswer, { kind: 'ok' }>> {
  const path = `/v1/company/signed?agent_id=${encodeURIComponent(identity.agentId)}`;
  const asked = await call('GET', path);
  return asked.kind === 'ok' ? takeCompany(home, identity, asked.body) : asked;
}
