import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { connectorKind } from '@drawbridge/connectors/registry.ts';
import type { Command } from 'commander';
import { masked } from '../config/connector-settings.ts';
import { type ArchivedFile, tarOf } from '../diag/tar.ts';
import { checks } from '../doctor/checks.ts';
import { examine } from '../doctor/examine.ts';
import { readHealth } from '../health.ts';
import { knownSecrets } from '../log/known-secrets.ts';
import { logFiles } from '../log/log-file.ts';
import { createRedaction } from '../log/redaction.ts';
import { type Outcome, unwritable } from '../outcome.ts';
import type { Runtime } from '../runtime.ts';
import type { Settings } from '../settings.ts';
import { settingRows } from '../settings.ts';
import { type Home, openConnectors, openHome, openIdentity, openStore } from '../store/home.ts';
import { isLocked } from '../store/lock.ts';
import { version } from '../version.ts';
import { addAction, type CommandContext, command } from './command.ts';

export function diagCommand(runtime: Runtime): Command {
  const target = command({
    name: 'diag',
    summary: 'Write one archive with all that helps to find a fault, without secrets or documents.',
    examples: ['drawbridge diag', 'drawbridge diag --output /tmp/drawbridge.tar.gz --json'],
  }).option('--output <file>', 'where to write it', 'drawbridge-diag.tar.gz');
  return addAction(target, runtime, diag);
}

async function diag(context: CommandContext, options: { output: string }): Promise<Outcome> {
  const { runtime, settings } = context;
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const redact = createRedaction(knownSecrets(home.value, settings, runtime));
  const files: ArchivedFile[] = [];
  const add = (name: string, text: string) =>
    files.push({ name, content: Buffer.from(redact(text), 'utf8') });
  const addJson = (name: string, data: unknown) => add(name, `${JSON.stringify(data, null, 2)}\n`);
  addJson('agent.json', agentFacts(runtime));
  addJson('settings.json', settingFacts(runtime, settings));
  addJson('status.json', statusFacts(home.value, settings, runtime));
  addJson('connectors.json', connectorFacts(home.value));
  addJson('doctor.json', await examine(runtime, settings, home.value, checks));
  for (const [at, file] of logFiles(settings.home).entries()) {
    add(`log-${at + 1}.jsonl`, readFileSync(file, 'utf8'));
  }
  const path = resolve(options.output);
  try {
    writeFileSync(path, gzipSync(tarOf(files, runtime.clock())), { mode: 0o600 });
  } catch (error) {
    return unwritable(path, error);
  }
  const data = { file: path, contains: files.map(({ name }) => name) };
  return { kind: 'done', data, shown: `${path}: ${data.contains.join(', ')}` };
}

function agentFacts({ clock }: Runtime) {
  const { platform, arch, versions } = process;
  return { version, platform, arch, versions, at: clock().toISOString() };
}

function settingFacts({ env }: Runtime, settings: Settings) {
  return Object.entries(settingRows).map(([name, row]) => {
    const value = row.secret ? '***' : settings[name as keyof typeof settingRows];
    return { name, value, from_environment: env[row.env] !== undefined };
  });
}

function statusFacts(home: Home, settings: Settings, runtime: Runtime) {
  const identity = openIdentity(home);
  const opened = openStore(home, runtime.clock);
  const queue =
    opened.kind === 'opened'
      ? { ...opened.value.store.depths(), integrity: opened.value.store.integrity() }
      : null;
  if (opened.kind === 'opened') opened.value.store.close();
  return {
    agent_id: identity.kind === 'opened' ? identity.value.agentId : null,
    url: identity.kind === 'opened' ? identity.value.url : null,
    running: isLocked(settings.home),
    health: readHealth(settings.home) ?? null,
    queue,
  };
}

function connectorFacts(home: Home) {
  const connectors = openConnectors(home);
  if (connectors.kind === 'failed') return [];
  return connectors.value.map(({ name, kind, watch, enabled, settings }) => {
    const known = connectorKind(kind);
    const shown = known === undefined ? '***' : masked(settings, known.settings);
    return { name, kind, watch, enabled, settings: shown };
  });
}
