import { openNetwork } from '../network/network.ts';
import type { Runtime } from '../runtime.ts';
import type { Settings } from '../settings.ts';
import { type Home, openIdentity } from '../store/home.ts';
import { checks } from './checks.ts';
import type { Finding } from './finding.ts';

/** Runs all checks on this host. */
export async function examine(
  runtime: Runtime,
  settings: Settings,
  home: Home,
): Promise<readonly Finding[]> {
  const known = openIdentity(home);
  const identity = known.kind === 'opened' ? known.value : undefined;
  const opened = openNetwork(settings, identity?.caFile);
  const network = opened.kind === 'opened' ? opened.value : undefined;
  const context = { runtime, settings, home, identity, network };
  const findings: Finding[] = [];
  if (opened.kind === 'failed') findings.push(unreadable(opened.cause));
  for (const check of checks) findings.push(...(await check(context)));
  return findings;
}

function unreadable(detail: string): Finding {
  const action = 'Correct DRAWBRIDGE_CA_FILE or SSL_CERT_FILE.';
  return { component: 'certificates', target: 'trusted CAs', status: 'fail', detail, action };
}
