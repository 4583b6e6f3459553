import type { Command } from 'commander';
import { checks } from '../doctor/checks.ts';
import type { Finding } from '../doctor/finding.ts';
import { openNetwork } from '../network/network.ts';
import type { Outcome } from '../output.ts';
import type { Runtime } from '../runtime.ts';
import { openHome, openIdentity } from '../store/home.ts';
import { addAction, type CommandContext, command } from './command.ts';

export function doctorCommand(runtime: Runtime): Command {
  const target = command({
    name: 'doctor',
    summary: 'Look at everything the agent depends on, and say what to do about what is not well.',
    examples: ['drawbridge doctor', 'drawbridge doctor --json'],
  });
  return addAction(target, runtime, doctor);
}

async function doctor({ runtime, settings }: CommandContext): Promise<Outcome> {
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const known = openIdentity(home.value);
  const identity = known.kind === 'opened' ? known.value : undefined;
  const opened = openNetwork(settings, identity?.caFile);
  const network = opened.kind === 'opened' ? opened.value : undefined;
  const context = { runtime, settings, home: home.value, identity, network };
  const findings: Finding[] = [];
  if (opened.kind === 'failed') findings.push(unreadable(opened.cause));
  for (const check of checks) findings.push(...(await check(context)));
  const rows = findings.map(({ component, target, status, detail, action }) => {
    return [component, target, status, action === undefined ? detail : `${detail}\n${action}`];
  });
  const hasFailure = findings.some(({ status }) => status === 'fail');
  const head = ['component', 'target', 'status', 'details'];
  const exit = hasFailure ? 'error' : 'ok';
  return { kind: 'done', data: { findings }, shown: { head, rows }, exit };
}

function unreadable(detail: string): Finding {
  const action = 'Correct DRAWBRIDGE_CA_FILE or SSL_CERT_FILE.';
  return { component: 'certificates', target: 'trusted CAs', status: 'fail', detail, action };
}
