import { bundleLimits } from '@drawbridge/link/bundle.ts';
import { Argument, type Command } from 'commander';
import { type Carrier, openCarrier } from '../../bundles/carrier.ts';
import { importBundle } from '../../bundles/import.ts';
import { failed, type Outcome } from '../../outcome.ts';
import { readFileUpTo } from '../../read-up-to.ts';
import type { Runtime } from '../../runtime.ts';
import { WriteBackWorker } from '../../sync/write-back.ts';
import { textOfFile } from '../../text-file.ts';
import { confirmUpgrade } from '../../upgrade/trials.ts';
import { addAction, type CommandContext, command } from '../command.ts';

/** So long documents in a row may fail to be written before the rest waits for the next import. */
const failingMsMax = 120_000;

export function bundleImportCommand(runtime: Runtime): Command {
  const target = command({
    name: 'import',
    summary: 'Take a bundle of the control plane, and write its verdicts into the sources.',
    examples: ['drawbridge bundle import drawbridge-agt_x-from-control-plane-1.json'],
  }).addArgument(new Argument('<file>', 'the bundle'));
  return addAction(target, runtime, (context, _, file) => takeFile(context, file!));
}

async function takeFile(context: CommandContext, file: string): Promise<Outcome> {
  const content = await read(file);
  if (content === 'missing') return failed('file_missing', `${file} cannot be read.`);
  const opened = openCarrier(context);
  if (opened.kind === 'failed') return opened.outcome;
  const carrier = opened.value;
  try {
    const taken = importBundle(carrier, content);
    // Also when it is refused: an earlier run may have ended before its commands were done.
    const waiting = await writeAll(context, carrier);
    if (taken.kind === 'refused') {
      return failed('bundle_refused', `${file} is refused: ${taken.detail}.`);
    }
    confirmUpgrade(context.settings.home);
    const { number, commands } = taken;
    const data = { number, commands, waiting: waiting.commands, why: waiting.why };
    const left =
      waiting.commands === 0 ? '' : ` ${waiting.commands} wait for their source: ${waiting.why}`;
    const shown = `Took bundle ${number} with ${commands} commands.${left}`;
    return { kind: 'done', data, shown, exit: waiting.commands === 0 ? 'ok' : 'error' };
  } finally {
    await carrier.close();
  }
}

async function read(file: string): Promise<unknown> {
  try {
    const bytes = await readFileUpTo(file, bundleLimits.fileBytesMax);
    return bytes === undefined ? undefined : JSON.parse(textOfFile(bytes));
  } catch (error) {
    return error instanceof SyntaxError ? undefined : 'missing';
  }
}

/** Writes what the queue holds; returns how many commands are left, and why. */
async function writeAll(
  { runtime, settings }: CommandContext,
  { store, sources }: Carrier,
): Promise<{ readonly commands: number; readonly why: string }> {
  const { promise, reject } = Promise.withResolvers<never>();
  const faults = new Map<string, string>();
  const worker = new WriteBackWorker({
    store,
    sources,
    completed: () => {},
    waiting: (connector, why) => {
      if (why === undefined) faults.delete(connector);
      else faults.set(connector, why);
    },
    failed: reject,
    clock: runtime.clock,
    random: runtime.random,
    backoff: { baseMs: settings.redialBaseMs, capMs: settings.redialCapMs },
    failingMsMax,
  });
  worker.wake();
  await Promise.race([worker.idle(), promise]);
  await worker.stop();
  const why = [...faults].map(([connector, message]) => `${connector}: ${message}`).join(' ');
  return { commands: store.depths().pendingCommands, why };
}
