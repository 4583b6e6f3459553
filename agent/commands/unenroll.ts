import type { Command } from 'commander';
import { failed, type Outcome } from '../outcome.ts';
import type { Runtime } from '../runtime.ts';
import { openHome } from '../store/home.ts';
import { takeLock } from '../store/lock.ts';
import { moveToQuarantine } from '../store/quarantine.ts';
import { addAction, type CommandContext, command } from './command.ts';
import { confirmed } from './confirmation.ts';

export function unenrollCommand(runtime: Runtime): Command {
  const target = command({
    name: 'unenroll',
    summary:
      'Give up the identity of this host; its sources stay, what waits in its queue is set aside.',
    examples: ['drawbridge unenroll', 'drawbridge unenroll --yes --json'],
  }).option('-y, --yes', 'do not ask', false);
  return addAction(target, runtime, unenroll);
}

async function unenroll(context: CommandContext, options: { yes: boolean }): Promise<Outcome> {
  const { runtime, settings } = context;
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const known = home.value.identity.read();
  if (known.kind === 'absent') return failed('not_enrolled', 'This host has no identity.');
  const refusal = await confirmed(context, options, 'Give up the identity of this host?');
  if (refusal !== undefined) return refusal;
  const lock = takeLock(settings.home);
  if (lock === undefined) return failed('already_running', 'An agent runs on this home folder.');
  home.value.identity.remove();
  home.value.epoch.remove();
  const queue = moveToQuarantine(settings.home, 'queue', runtime.clock()) ?? null;
  lock.release();
  const agentId = known.kind === 'content' ? known.value.agentId : null;
  const data = { agent_id: agentId, unenrolled: true, queue };
  const later =
    agentId === null
      ? ''
      : ` If this host enrols again: drawbridge connector take-over --from ${agentId}`;
  const shown = `Given up. Ask the host of the control plane to revoke ${agentId ?? 'the agent'}.${later}`;
  return { kind: 'done', data, shown };
}
