import { Command } from 'commander';
import { loadSettings } from '../config/load.ts';
import { failed, type Outcome } from '../outcome.ts';
import { type OutputOptions, present } from '../output.ts';
import type { Runtime } from '../runtime.ts';
import { type Settings, settingRows } from '../settings.ts';
import { isOutOfSpace } from '../store/disk-space.ts';

/** What every action is given. */
export interface CommandContext {
  readonly runtime: Runtime;
  readonly settings: Settings;
  readonly output: OutputOptions;
}

export interface CommandText {
  readonly name: string;
  readonly summary: string;
  /** Whole command lines, shown by --help. */
  readonly examples: readonly string[];
}

/** A command without an action yet; the caller adds arguments and options, then `act`. */
export function command({ name, summary, examples }: CommandText): Command {
  const lines = examples.map((example) => `  $ ${example}`).join('\n');
  return new Command(name)
    .description(summary)
    .addHelpText('after', `\nExamples:\n${lines}`)
    .exitOverride()
    .configureOutput({ outputError: () => {} }); // main.ts reports usage errors like all others
}

/** Runs the action with what commander parsed, prints its outcome and sets the exit code. */
export function addAction<Options extends object>(
  target: Command,
  runtime: Runtime,
  action: Action<Options>,
): Command {
  return addBareAction<Options>(target, runtime, async (output, options, ...args) => {
    const loaded = await loadSettings(runtime);
    if (loaded.kind === 'invalid') return failed(loaded.error, loaded.cause);
    const { settings } = loaded;
    return action({ runtime, settings, output }, options, ...args).catch((error: unknown) =>
      whenFull(error, settings),
    );
  });
}

type Action<Options> = (
  context: CommandContext,
  options: Options,
  ...args: string[]
) => Promise<Outcome>;

/** Like `addAction`, with an action whose modules are large and loaded when it runs. */
export function addLoadedAction<Options extends object>(
  target: Command,
  runtime: Runtime,
  load: () => Promise<Action<Options>>,
): Command {
  return addAction<Options>(target, runtime, async (context, options, ...args) => {
    const action = await load();
    return action(context, options, ...args);
  });
}

/** Like `addAction`, for what must work with settings that do not read. */
export function addBareAction<Options extends object>(
  target: Command,
  runtime: Runtime,
  action: (output: OutputOptions, options: Options, ...args: string[]) => Promise<Outcome>,
): Command {
  target
    .option('--json', 'print JSON on stdout', false)
    .option('-q, --quiet', 'print nothing but errors', false)
    .option('--no-color', 'print without colours');
  return target.action(async (...parsed: unknown[]) => {
    const args = parsed.slice(0, -2).flat() as string[]; // one argument may take several words
    const options = target.opts<Options & OutputOptions>();
    const isColorful = options.color && runtime.env.NO_COLOR === undefined;
    const isTerminal = (runtime.stdout as Partial<NodeJS.WriteStream>).isTTY === true;
    const output = { json: options.json, quiet: options.quiet, color: isColorful && isTerminal };
    const outcome = await action(output, options, ...args);
    runtime.exitWith(present(outcome, output, runtime));
  });
}

function whenFull(error: unknown, { home }: Settings): Outcome {
  if (!isOutOfSpace(error)) throw error;
  return failed('disk_full', `There is no room to write in ${home}.`);
}

/** The environment variables, as `--help` shows them. */
export function settingsHelp(): string {
  const rows = Object.values(settingRows);
  const width = Math.max(...rows.map((row) => row.env.length)) + 2;
  const lines = rows.map(
    (row) => `  ${row.env.padEnd(width)}${row.help}${row.default && ` [${row.default}]`}`,
  );
  return `\nEnvironment:\n${lines.join('\n')}`;
}
