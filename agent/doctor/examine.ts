import { findingActions } from '@drawbridge/link/findings.ts';
import { openNetwork } from '../network/network.ts';
import type { Runtime } from '../runtime.ts';
import type { Settings } from '../settings.ts';
import { type Home, openIdentity } from '../store/home.ts';
import type { Check, CheckedFinding, Finding } from './finding.ts';

/** Runs checks on this host. */
export async function examine(
  runtime: Runtime,
  settings: Settings,
  home: Home,
  checks: readonly Check[],
): Promise<readonly Finding[]> {
  const known = openIdentity(home);
  const identity = known.kind === 'opened' ? known.value : undefined;
  const opened = openNetwork(settings, identity?.caFile);
  const network = opened.kind === 'opened' ? opened.value : undefined;
  const context = { runtime, settings, home, identity, network };
  const findings: CheckedFinding[] = [];
  if (opened.kind === 'failed') findings.push(unreadable(opened.outcome.cause));
  for (const check of checks) findings.push(...(await check(context)));
  return findings.map(withAction);
}

function withAction(finding: CheckedFinding): Finding {
  const { code } = finding;
  return code === undefined ? finding : { ...finding, action: findingActions[code] };
}

function unreadable(detail: string): CheckedFinding {
  const row = { component: 'certificates', target: 'trusted CAs', status: 'fail' } as const;
  return { ...row, detail, code: 'certificates_unreadable' };
}
