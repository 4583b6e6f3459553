import { randomBytes } from 'node:crypto';
import { sqliteProcessArgument } from '@drawbridge/connectors/sqlite/process/start.ts';
import { Command, CommanderError } from 'commander';
import { commands } from './commands/registry.ts';
import { failed, present } from './output.ts';
import type { Runtime } from './runtime.ts';
import { version } from './version.ts';

/** How long a process that is done may take to end by itself. */
const lingerMs = 5_000;

if (process.argv[2] === sqliteProcessArgument) {
  void import('@drawbridge/connectors/sqlite/process/program.ts');
} else {
  void main();
}

async function main(): Promise<void> {
  const stopping = new AbortController();
  process.once('SIGTERM', () => stopping.abort());
  process.once('SIGINT', () => stopping.abort());
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      stopping.abort(); // who reads no further, as head, has seen enough
    });
  }
  const runtime: Runtime = {
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    clock: () => new Date(),
    monotonicMs: () => performance.now(),
    random: Math.random,
    randomBytes: (length) => new Uint8Array(randomBytes(length)),
    stop: stopping.signal,
  };
  const program = new Command('drawbridge')
    .description(
      'The bridge agent: lets a control plane read and write the sources of this network.',
    )
    .version(version)
    .exitOverride()
    .configureOutput({ outputError: () => {} });
  try {
    for (const load of neededCommands(process.argv.slice(2))) {
      program.addCommand((await load())(runtime));
    }
    await program.parseAsync();
  } catch (error) {
    presentThrown(error, runtime);
  }
  // What a source or a driver still holds open must not keep a process that is done.
  setTimeout(() => process.exit(), lingerMs).unref();
}

/** The command that is named; all of them for help, and to say what was perhaps meant. */
function neededCommands(args: readonly string[]): readonly (typeof commands)[string][] {
  const [first] = args;
  const isNamed = first !== undefined && Object.hasOwn(commands, first);
  return isNamed ? [commands[first]!] : Object.values(commands);
}

function presentThrown(error: unknown, runtime: Runtime): void {
  const isUsage = error instanceof CommanderError;
  if (isUsage && error.exitCode === 0) return; // help or version
  const output = { json: process.argv.includes('--json'), quiet: false, color: false };
  const isBare = isUsage && error.code === 'commander.help';
  const said = (error as Error).message.replace(/^error: /, '');
  const told = isUsage ? said : `${said} (${placeOf(error as Error)})`;
  const message = isBare ? 'The command needs one of its subcommands.' : told;
  process.exitCode = present(failed(isUsage ? 'usage' : 'unexpected', message), output, runtime);
}

/** Where an error was thrown: enough to find the defect, and none of the values on the way. */
function placeOf({ stack = '' }: Error): string {
  return /^ +at (.*)$/m.exec(stack)?.[1] ?? 'somewhere';
}
