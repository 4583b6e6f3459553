import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Command, Option } from 'commander';
import { failed, type Outcome } from '../outcome.ts';
import type { Runtime } from '../runtime.ts';
import { missingManager, type ServiceDefinition } from '../service/definition.ts';
import { serviceUser } from '../service/systemd.ts';
import { serviceDefinitionOf, serviceSystems } from '../service/systems.ts';
import { ownInstallation } from '../upgrade/installation.ts';
import { addAction, type CommandContext, command } from './command.ts';

interface Options {
  readonly root: string;
  readonly print: boolean;
  readonly system: string;
}

type Action = (context: CommandContext, options: Options) => Promise<Outcome>;

export function serviceCommand(runtime: Runtime): Command {
  const target = command({
    name: 'service',
    summary: 'Let this host start the agent and keep it running.',
    examples: [
      'sudo drawbridge service install',
      'drawbridge service install --print',
      'drawbridge service status',
      'sudo drawbridge service uninstall',
    ],
  });
  const add = (name: string, summary: string, action: Action) => {
    const each = command({ name, summary, examples: [`drawbridge service ${name}`] })
      .option('--root <folder>', 'write below this folder, as for an image, and start nothing', '')
      .option('--print', 'print the files, and change nothing', false)
      .addOption(
        new Option('--system <name>', 'whose files (default: those of this host)')
          .choices(serviceSystems)
          .default(process.platform, 'this host'),
      );
    target.addCommand(addAction(each, runtime, action));
  };
  add('install', 'Write the service’s files and have it started with the host.', install);
  add('uninstall', 'Stop the service and remove its files; the agent’s home stays.', uninstall);
  add('status', 'Show what the host says of the service.', status);
  return target;
}

async function install(context: CommandContext, options: Options): Promise<Outcome> {
  const definition = definitionOf(context, options);
  if (options.print) {
    const parts = Object.entries(definition.files).map(([file, text]) => `# ${file}\n${text}`);
    return { kind: 'done', data: { files: definition.files }, shown: parts.join('\n') };
  }
  const installation = ownInstallation();
  if (installation === undefined) {
    return failed('not_a_release', 'This agent runs from its sources.');
  }
  const { executable, installedBy } = installation;
  if (installedBy !== undefined) {
    const cause = 'The package has brought the service: systemctl enable --now drawbridge.';
    return failed('package_managed', cause);
  }
  if (/^\/(home|root)\//.test(executable)) {
    const cause = `${executable} is in a home folder, which no service can enter: install it to /usr/local first.`;
    return failed('service_failed', cause);
  }
  const missing = options.root === '' ? missingManager(definition, existsSync) : undefined;
  if (missing !== undefined) return failed('service_failed', missing);
  try {
    for (const [file, text] of Object.entries(definition.files)) {
      const path = join(options.root, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { mode: 0o644 });
    }
    if (options.root === '') runAll(definition.install);
  } catch (error) {
    return failed('service_failed', `${(error as Error).message.trim()}.`);
  }
  const data = { files: Object.keys(definition.files) };
  const shown = `Installed. Next: sudo -u ${serviceUser} drawbridge enroll …, then ${definition.restart.join(' ')}`;
  return { kind: 'done', data, shown };
}

async function uninstall(context: CommandContext, options: Options): Promise<Outcome> {
  const definition = definitionOf(context, options);
  const files = Object.keys(definition.files).map((file) => join(options.root, file));
  if (!files.some((file) => existsSync(file))) {
    return failed('service_absent', `There is no ${files.at(-1)}.`);
  }
  try {
    if (options.root === '') runAll(definition.uninstall);
    for (const file of files) rmSync(file, { force: true });
    if (options.root === '') runAll(definition.forget);
  } catch (error) {
    return failed('service_failed', `${(error as Error).message.trim()}.`);
  }
  return { kind: 'done', data: { files }, shown: 'Removed. The agent’s home folder was left.' };
}

async function status(context: CommandContext, options: Options): Promise<Outcome> {
  const definition = definitionOf(context, options);
  const isInstalled = Object.keys(definition.files).every((file) =>
    existsSync(join(options.root, file)),
  );
  if (!isInstalled) return failed('service_absent', 'The service is not installed.');
  const [program, ...args] = definition.status;
  const asked = spawnSync(program!, args, { encoding: 'utf8' });
  const isRunning = asked.status === 0;
  const said = (asked.stdout || asked.stderr || asked.error?.message || '').trim();
  const data = { installed: true, running: isRunning, said };
  return { kind: 'done', data, shown: said, exit: isRunning ? 'ok' : 'error' };
}

function definitionOf({ runtime }: CommandContext, { system }: Options): ServiceDefinition {
  const executable = ownInstallation()?.executable ?? '/usr/local/bin/drawbridge';
  return serviceDefinitionOf(system, executable, runtime.env);
}

function runAll(commands: readonly (readonly string[])[]): void {
  for (const [program, ...args] of commands) {
    execFileSync(program!, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  }
}
