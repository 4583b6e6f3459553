import type { Command } from 'commander';
import type { Edge } from '../edge.ts';
import type { Outcome } from '../output.ts';
import { openConnectors, openHome, openIdentity, openStore } from '../store/home.ts';
import { isLocked } from '../store/lock.ts';
import { act, command, type Setting } from './command.ts';

export function statusCommand(edge: Edge): Command {
  const target = command({
    name: 'status',
    summary: 'Show who this agent is, whether it is linked, and what waits in its queue.',
    examples: ['drawbridge status', 'drawbridge status --json'],
  });
  return act(target, edge, status);
}

async function status({ edge, settings }: Setting): Promise<Outcome> {
  const home = openHome(settings, edge);
  if (home.kind === 'failed') return home.outcome;
  const identity = openIdentity(home.value);
  if (identity.kind === 'failed') return identity.outcome;
  const connectors = openConnectors(home.value);
  if (connectors.kind === 'failed') return connectors.outcome;
  const opened = openStore(home.value, edge.clock);
  if (opened.kind === 'failed') return opened.outcome;
  const { store } = opened.value;
  const isRunning = isLocked(settings.home);
  const link = store.link();
  const depths = store.depths();
  store.close();
  const data = {
    agent_id: identity.value.agentId,
    url: identity.value.url,
    running: isRunning,
    // What the last run wrote says nothing once that run is over.
    link: isRunning && link ? link : { state: 'stopped', detail: link?.detail ?? '', since: null },
    connectors: connectors.value.map(({ name }) => name),
    pending_commands: depths.pendingCommands,
    oldest_pending_at: depths.oldestPendingAt,
    unsent_events: depths.unsentEvents,
  };
  const rows = [
    ['agent', data.agent_id],
    ['control plane', data.url],
    ['link', [data.link.state, data.link.detail].filter(Boolean).join(': ')],
    ['since', data.link.since ?? '-'],
    ['connectors', data.connectors.join(', ') || '-'],
    ['write-backs to do', String(data.pending_commands)],
    ['news to deliver', String(data.unsent_events)],
  ];
  return { kind: 'done', data, shown: { head: ['', 'status'], rows } };
}
