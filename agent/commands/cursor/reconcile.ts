import type { Command } from 'commander';
import { askAgent } from '../../local-channel/client.ts';
import { failed, type Outcome } from '../../outcome.ts';
import type { Runtime } from '../../runtime.ts';
import { openConnectors, openHome, openStore } from '../../store/home.ts';
import { isLocked } from '../../store/lock.ts';
import { configuredSources } from '../../sync/configured-sources.ts';
import { readingOnce } from '../../sync/reading-once.ts';
import { reconcile } from '../../sync/reconcile.ts';
import { addAction, type CommandContext, command } from '../command.ts';

interface Options {
  readonly everyContent: boolean;
}

export function cursorReconcileCommand(runtime: Runtime): Command {
  const target = command({
    name: 'reconcile',
    summary:
      'Compare all documents of a source with those that were read; what is missing is sent.',
    examples: [
      'drawbridge cursor reconcile erp',
      'drawbridge cursor reconcile erp --every-content --json',
    ],
  })
    .argument('<connector>', 'the name of the connector')
    .option('--every-content', 'read every document, also those whose version is known', false);
  return addAction(target, runtime, run);
}

async function run(
  { runtime, settings }: CommandContext,
  { everyContent }: Options,
  connector: string,
): Promise<Outcome> {
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const connectors = openConnectors(home.value);
  if (connectors.kind === 'failed') return connectors.outcome;
  if (!connectors.value.some(({ name }) => name === connector)) {
    return failed('connector_unknown', `There is no connector named "${connector}".`);
  }
  const opened = openStore(home.value, runtime.clock);
  if (opened.kind === 'failed') return opened.outcome;
  const { store } = opened.value;
  const sources = configuredSources(home.value, settings, runtime);
  let isQueued = false;
  const context = readingOnce(runtime, { store, sources }, () => {
    isQueued = true;
  });
  const outcome = await reconcile(context, connector, { everyContent }, runtime.stop);
  // Without a running agent the next one finds it in the queue.
  if (isQueued && isLocked(settings.home)) await askAgent(settings.home, { method: 'deliver' });
  await sources.close();
  store.close();
  switch (outcome.kind) {
    case 'reconciled': {
      const { documents, late, edited, deleted, examples } = outcome.report;
      const title = `${documents} documents: ${late} late, ${edited} edited, ${deleted} deleted`;
      const rows = examples.map(({ kind, ref }) => [kind, ref]);
      return { kind: 'done', data: outcome.report, shown: { title, head: ['', 'document'], rows } };
    }
    case 'unsupported':
      return failed('connector_failed', `"${connector}" cannot list all its documents.`);
    case 'unfinished':
      return failed('connector_failed', `"${connector}" was not read to its end.`);
    case 'unreadable':
      return failed('connector_failed', outcome.fault.message);
  }
}
