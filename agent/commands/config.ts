import type { Command } from 'commander';
import { configPath, systemFile } from '../config/config-path.ts';
import { type ConfigFileOutcome, readConfigFile } from '../config/file.ts';
import { settingsWith } from '../config/load.ts';
import { failed, type Outcome } from '../outcome.ts';
import type { Runtime } from '../runtime.ts';
import { settingRows, yamlName } from '../settings.ts';
import { addBareAction, command } from './command.ts';

export function configCommand(runtime: Runtime): Command {
  const group = command({
    name: 'config',
    summary: 'Check the configuration file, and show where each setting comes from.',
    examples: ['drawbridge config check', 'drawbridge config show'],
  });
  group.addCommand(configCheckCommand(runtime));
  group.addCommand(configShowCommand(runtime));
  return group;
}

function configCheckCommand(runtime: Runtime): Command {
  const target = command({
    name: 'check',
    summary: 'Read the environment and the configuration file, and name all that is wrong.',
    examples: [
      'drawbridge config check',
      'DRAWBRIDGE_CONFIG=agent.yaml drawbridge config check --json',
    ],
  });
  return addBareAction(target, runtime, async () => {
    const read = await readConfigFile(configPath(runtime.env));
    const loaded = settingsWith(runtime, read);
    if (loaded.kind === 'invalid') return failed(loaded.error, loaded.cause);
    const connectors = loaded.settings.connectors.map(({ name }) => name);
    const path = pathOf(read);
    const none = `There is no ${systemFile}, and DRAWBRIDGE_CONFIG names no file: settings are of the environment.`;
    const shown = path === null ? none : `${path} is well.`;
    return { kind: 'done', data: { file: path, connectors }, shown };
  });
}

function configShowCommand(runtime: Runtime): Command {
  const target = command({
    name: 'show',
    summary: 'Show each setting and where its value comes from; secrets as ***.',
    examples: ['drawbridge config show', 'drawbridge config show --json'],
  });
  return addBareAction(target, runtime, async () =>
    show(runtime, await readConfigFile(configPath(runtime.env))),
  );
}

function show({ env }: Runtime, read: ConfigFileOutcome): Outcome {
  const values = read.kind === 'read' ? read.file.values : {};
  const settings = Object.entries(settingRows).map(([name, row]) => {
    const given = env[row.env] ?? env[row.env.toLowerCase()];
    const from =
      given !== undefined ? 'environment' : values[name] !== undefined ? 'file' : 'default';
    const text = given ?? values[name] ?? row.default;
    return {
      name: yamlName(name),
      value: row.secret && text !== '' ? '***' : text,
      from,
      env: row.env,
    };
  });
  const connectors = read.kind === 'read' ? read.file.connectors : [];
  const data = {
    file: pathOf(read),
    settings,
    connectors: connectors.map(({ name, kind, watch, enabled }) => ({
      name,
      kind,
      watch,
      enabled,
    })),
  };
  const rows = settings.map(({ name, value, from, env: variable }) => [
    name,
    value,
    from,
    variable,
  ]);
  const head = ['setting', 'value', 'from', 'environment variable'];
  return { kind: 'done', data, shown: { title: `File: ${data.file ?? 'none'}`, head, rows } };
}

function pathOf(read: ConfigFileOutcome): string | null {
  if (read.kind === 'absent') return null;
  return read.kind === 'read' ? read.file.path : read.path;
}
