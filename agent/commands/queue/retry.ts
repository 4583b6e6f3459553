import type { Command } from 'commander';
import { z } from 'zod';
import { askAgent } from '../../local-channel/client.ts';
import { failed, type Outcome } from '../../outcome.ts';
import type { Runtime } from '../../runtime.ts';
import { openHome } from '../../store/home.ts';
import { addAction, type CommandContext, command } from '../command.ts';

export function queueRetryCommand(runtime: Runtime): Command {
  const target = command({
    name: 'retry',
    summary:
      'Have the running agent try at once what waits to be written or to be read again, and say what came of it.',
    examples: ['drawbridge queue retry', 'drawbridge queue retry erp --json'],
  }).argument('[connector]', 'only what waits for this one');
  return addAction(target, runtime, retry);
}

const retried = z.array(
  z.object({
    connector: z.string(),
    state: z.enum(['written', 'waiting', 'read', 'set_aside']),
    detail: z.string(),
  }),
);

async function retry(
  { runtime, settings }: CommandContext,
  _: object,
  connector: string | undefined,
): Promise<Outcome> {
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const asked = await askAgent(settings.home, { method: 'retry', connector });
  if (asked.kind === 'failed') return asked.outcome;
  const data = retried.parse(asked.value);
  if (data.length === 0 && connector !== undefined) {
    return failed('queue_item_unknown', `Nothing waits for "${connector}".`);
  }
  if (data.length === 0)
    return { kind: 'done', data, shown: 'Nothing waits to be written, or to be read again.' };
  const rows = data.map((one) => [one.connector, one.state, one.detail]);
  const isDone = ({ state }: (typeof data)[number]) => state === 'written' || state === 'read';
  const exit = data.every(isDone) ? 'ok' : 'error';
  return { kind: 'done', data, shown: { head: ['connector', 'state', 'why'], rows }, exit };
}
