import { Command, CommanderError } from 'commander';
import { commands } from './commands/registry.ts';
import { failed } from './outcome.ts';
import { present } from './output.ts';
import type { Runtime } from './runtime.ts';
import { version } from './version.ts';

/** Runs one command line, without the name of the program, to its end; the runtime is told the exit code. */
export async function runCommandLine(args: readonly string[], runtime: Runtime): Promise<void> {
  const program = new Command('drawbridge')
    .description(
      'The bridge agent: lets a control plane read and write the sources of this network.',
    )
    .version(version)
    .exitOverride()
    .configureOutput({ outputError: () => {} });
  try {
    for (const load of neededCommands(args)) program.addCommand((await load())(runtime));
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    presentThrown(error, args, runtime);
  }
}

/** The command that is named; all of them for help, and to say what was perhaps meant. */
function neededCommands(args: readonly string[]): readonly (typeof commands)[string][] {
  const [first] = args;
  const isNamed = first !== undefined && Object.hasOwn(commands, first);
  return isNamed ? [commands[first]!] : Object.values(commands);
}

function presentThrown(error: unknown, args: readonly string[], runtime: Runtime): void {
  const isUsage = error instanceof CommanderError;
  if (isUsage && error.exitCode === 0) return; // help or version
  const output = { json: args.includes('--json'), quiet: false, color: false };
  const isBare = isUsage && error.code === 'commander.help';
  const said = (error as Error).message.replace(/^error: /, '');
  const told = isUsage ? said : `${said} (${placeOf(error as Error)})`;
  const message = isBare ? 'The command needs one of its subcommands.' : told;
  runtime.exitWith(present(failed(isUsage ? 'usage' : 'unexpected', message), output, runtime));
}

/** Where an error was thrown: enough to find the defect, and none of the values on the way. */
function placeOf({ stack = '' }: Error): string {
  return /^ +at (.*)$/m.exec(stack)?.[1] ?? 'somewhere';
}
