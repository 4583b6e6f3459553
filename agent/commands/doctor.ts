import type { Command } from 'commander';
import { checks, checksOffline } from '../doctor/checks.ts';
import { examine } from '../doctor/examine.ts';
import type { Outcome } from '../outcome.ts';
import type { Runtime } from '../runtime.ts';
import { openHome } from '../store/home.ts';
import { addAction, type CommandContext, command } from './command.ts';

export function doctorCommand(runtime: Runtime): Command {
  const target = command({
    name: 'doctor',
    summary: 'Look at everything the agent depends on, and say what to do about what is not well.',
    examples: ['drawbridge doctor', 'drawbridge doctor --json', 'drawbridge doctor --offline'],
  }).option('--offline', 'leave out the way to the control plane: bundles are carried by people');
  return addAction(target, runtime, doctor);
}

interface Options {
  readonly offline?: boolean;
}

async function doctor(
  { runtime, settings }: CommandContext,
  { offline = false }: Options,
): Promise<Outcome> {
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const findings = await examine(runtime, settings, home.value, offline ? checksOffline : checks);
  const rows = findings.map(({ component, target, status, detail, action }) => {
    return [component, target, status, action === undefined ? detail : `${detail}\n${action}`];
  });
  const hasFailure = findings.some(({ status }) => status === 'fail');
  const head = ['component', 'target', 'status', 'details'];
  const exit = hasFailure ? 'error' : 'ok';
  return { kind: 'done', data: { findings }, shown: { head, rows }, exit };
}
