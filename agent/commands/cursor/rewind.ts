import type { Command } from 'commander';
import { failed, type Outcome } from '../../outcome.ts';
import type { Runtime } from '../../runtime.ts';
import { openHome, openStore } from '../../store/home.ts';
import { addAction, type CommandContext, command } from '../command.ts';
import { readInstant } from '../instant.ts';

interface Options {
  readonly to: string;
  readonly sendAgain: boolean;
}

export function cursorRewindCommand(runtime: Runtime): Command {
  const target = command({
    name: 'rewind',
    summary: 'Read a source again from an earlier place; what has not changed is not sent again.',
    examples: [
      'drawbridge cursor rewind erp --to 2026-11-20T00:00:00Z',
      'drawbridge cursor rewind erp --to start --send-again',
    ],
  })
    .argument('<connector>', 'the name of the connector')
    .requiredOption('--to <time>', 'a time (ISO 8601) at which it had read as far, or: start')
    .option('--send-again', 'send all documents again, also those that have not changed', false);
  return addAction(target, runtime, rewind);
}

async function rewind(
  { runtime, settings }: CommandContext,
  { to, sendAgain }: Options,
  connector: string,
): Promise<Outcome> {
  const readAt = to === 'start' ? undefined : readInstant(to);
  if (readAt === undefined && to !== 'start') {
    return failed(
      'usage',
      `--to takes a time such as 2026-11-20T00:00:00Z, or start, not "${to}".`,
    );
  }
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const opened = openStore(home.value, runtime.clock);
  if (opened.kind === 'failed') return opened.outcome;
  const { store } = opened.value;
  const isKnown = store.rewind(connector, readAt, { sendAgain });
  const cursor = store.cursor(connector) ?? null;
  store.close();
  if (!isKnown) return failed('connector_unknown', `No source named "${connector}" was ever read.`);
  const place = cursor === null ? 'its beginning' : `where it stood at ${to}`;
  const shown = `The running agent reads "${connector}" on from ${place}.`;
  return { kind: 'done', data: { connector, cursor, send_again: sendAgain }, shown };
}
