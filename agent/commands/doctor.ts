import type { Command } from 'commander';
import { checks } from '../doctor/checks.ts';
import type { Finding } from '../doctor/finding.ts';
import type { Edge } from '../edge.ts';
import type { Outcome } from '../output.ts';
import { openHome, openIdentity } from '../store/home.ts';
import { act, command, type Setting } from './command.ts';

export function doctorCommand(edge: Edge): Command {
  const target = command({
    name: 'doctor',
    summary: 'Look at everything the agent depends on, and say what to do about what is not well.',
    examples: ['drawbridge doctor', 'drawbridge doctor --json'],
  });
  return act(target, edge, doctor);
}

async function doctor({ edge, settings }: Setting): Promise<Outcome> {
  const home = openHome(settings, edge);
  if (home.kind === 'failed') return home.outcome;
  const known = openIdentity(home.value);
  const identity = known.kind === 'opened' ? known.value : undefined;
  const patient = { edge, settings, home: home.value, identity };
  const findings: Finding[] = [];
  for (const check of checks) findings.push(...(await check(patient)));
  const rows = findings.map(({ component, target, status, detail, action }) => {
    return [component, target, status, action === undefined ? detail : `${detail}\n${action}`];
  });
  const unwell = findings.some(({ status }) => status === 'fail');
  const head = ['component', 'target', 'status', 'details'];
  const exit = unwell ? 'error' : 'ok';
  return { kind: 'done', data: { findings }, shown: { head, rows }, exit };
}
