import type { Command } from 'commander';
import { readHealth } from '../health.ts';
import type { Outcome } from '../outcome.ts';
import { rulesInUse } from '../rules/rules-in-use.ts';
import type { Runtime } from '../runtime.ts';
import { openConnectors, openHome, openIdentity, openQueueOf } from '../store/home.ts';
import { isLocked } from '../store/lock.ts';
import { openQueueListing } from '../store/queue-listing.ts';
import { setAsideTexts } from '../store/set-aside.ts';
import { createStore } from '../store/store.ts';
import { openTrial, trialText } from '../upgrade/trials.ts';
import { addAction, type CommandContext, command } from './command.ts';

export function statusCommand(runtime: Runtime): Command {
  const target = command({
    name: 'status',
    summary: 'Show who this agent is, whether it is linked, and what waits in its queue.',
    examples: ['drawbridge status', 'drawbridge status --json'],
  });
  return addAction(target, runtime, status);
}

async function status({ runtime, settings }: CommandContext): Promise<Outcome> {
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const identity = openIdentity(home.value);
  if (identity.kind === 'failed') return identity.outcome;
  const connectors = openConnectors(home.value);
  if (connectors.kind === 'failed') return connectors.outcome;
  const opened = openQueueOf(home.value, runtime.clock);
  if (opened.kind === 'failed') return opened.outcome;
  const store = createStore(opened.value.database, runtime.clock);
  const refusals = openQueueListing(opened.value.database).refusals();
  const isRunning = isLocked(settings.home);
  const health = readHealth(settings.home);
  const link = health?.link;
  const depths = store.depths();
  const compared = store.reconciliations();
  const setAside = store.setAside();
  const setAsideByConnector = setAsideTexts(store);
  store.close();
  const rules = rulesInUse(settings.home);
  const areRulesOld =
    rules.warnAfter !== null && runtime.clock().getTime() > Date.parse(rules.warnAfter);
  const data = {
    agent_id: identity.value.agentId,
    url: identity.value.url,
    control_plane_key: identity.value.controlPlaneKey,
    running: isRunning,
    // The file of a run that ended says nothing about now.
    link: isRunning && link ? link : { state: 'stopped', detail: link?.detail ?? '', since: null },
    disk: isRunning && health ? health.disk : null,
    rules: { version: rules.version, warn_after: rules.warnAfter, outdated: areRulesOld },
    upgrade: openTrial(settings.home) ?? null,
    connectors: connectors.value.map(({ name }) => name),
    unreadable: isRunning && health ? health.unreadable : [],
    set_aside: setAside,
    pending_commands: depths.pendingCommands,
    oldest_pending_at: depths.oldestPendingAt,
    unsent_events: depths.unsentEvents,
    write_back: [
      ...(isRunning && health ? health.waiting : []).map((one) => ({ ...one, state: 'waiting' })),
      ...refusals.map((one) => ({ ...one, state: 'refused' })),
    ],
    unsent_documents: depths.unsentDocuments,
    unsent_bytes: depths.unsentBytes,
    queue: isRunning && health ? health.queue : null,
    reconciliations: compared,
  };
  const rows = [
    ['agent', data.agent_id],
    ['control plane', data.url],
    ['control plane’s key', data.control_plane_key],
    ['link', [data.link.state, data.link.detail].filter(Boolean).join(': ')],
    ['since', data.link.since ?? '-'],
    ['disk', [data.disk?.state ?? '-', data.disk?.detail].filter(Boolean).join(': ')],
    ['rules', `${rules.version}${areRulesOld ? `, outdated since ${rules.warnAfter}` : ''}`],
    ...(data.upgrade === null ? [] : [['upgrade', trialText(data.upgrade)]]),
    ['connectors', data.connectors.join(', ') || '-'],
    ...data.unreadable.map(({ connector, detail, since }) => [
      `${connector} reading`,
      `cannot be read, ${detail} (since ${since})`,
    ]),
    ...[...setAsideByConnector].map(([connector, text]) => [`${connector} set aside`, text]),
    ['write-backs to do', String(data.pending_commands)],
    ['events to deliver', String(data.unsent_events)],
    ...data.write_back.map(({ connector, state, detail, since }) => {
      return [`${connector} write_back`, `${state}, ${detail} (since ${since})`];
    }),
    ['documents among them', String(data.unsent_documents)],
    ['queue', [data.queue?.state ?? '-', data.queue?.detail].filter(Boolean).join(': ')],
    ...compared
      .filter(({ late, edited, deleted }) => late + edited + deleted > 0)
      .map(({ connector, at, late, edited, deleted }) => [
        `${connector} differed`,
        `${late} late, ${edited} edited, ${deleted} deleted at ${at}`,
      ]),
  ];
  return { kind: 'done', data, shown: { head: ['', 'status'], rows } };
}
