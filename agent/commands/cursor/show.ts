import type { Command } from 'commander';
import type { Outcome } from '../../outcome.ts';
import type { Runtime } from '../../runtime.ts';
import { openHome, openStore } from '../../store/home.ts';
import { addAction, type CommandContext, command } from '../command.ts';

/** Findings shown of each source. */
const findingsMax = 20;

export function cursorShowCommand(runtime: Runtime): Command {
  const target = command({
    name: 'show',
    summary: 'Show how far each source is read, and where it differed from what was read.',
    examples: ['drawbridge cursor show', 'drawbridge cursor show --json'],
  });
  return addAction(target, runtime, show);
}

async function show({ runtime, settings }: CommandContext): Promise<Outcome> {
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const opened = openStore(home.value, runtime.clock);
  if (opened.kind === 'failed') return opened.outcome;
  const { store } = opened.value;
  const compared = store.reconciliations();
  const data = store.sources().map((source) => ({
    connector: source.connector,
    read_at: source.moved_at,
    documents: source.documents,
    batches: source.sequence,
    stored_by_control_plane: source.confirmed,
    cursor: source.position,
    reconciliation: compared.find(({ connector }) => connector === source.connector) ?? null,
    findings: store.findings(source.connector, findingsMax),
  }));
  store.close();
  const rows = data.map(({ connector, read_at, documents, reconciliation, findings }) => [
    connector,
    read_at,
    String(documents),
    reconciliation === null
      ? 'never'
      : `${reconciliation.at}: ${reconciliation.late} late, ${reconciliation.edited} edited, ` +
        `${reconciliation.deleted} deleted of ${reconciliation.documents}`,
    findings.map(({ kind, ref }) => `${kind} ${ref}`).join('\n') || '-',
  ]);
  const head = ['source', 'read', 'documents', 'compared', 'last differences'];
  const none = 'No source was read yet: those added with --watch are, while the agent runs.';
  return { kind: 'done', data, shown: { head, rows, none } };
}
