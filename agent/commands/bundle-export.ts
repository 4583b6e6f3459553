import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type BundleFile, bundleName } from '@drawbridge/link/bundle.ts';
import type { Command } from 'commander';
import { type Carrier, openCarrier } from '../bundles/carrier.ts';
import { exportBundles } from '../bundles/export.ts';
import { SourceUnreachable } from '../bundles/outgoing-frames.ts';
import { isNextKeyDue, makeNextKey } from '../link/key-rotation.ts';
import { failed, type Outcome } from '../output.ts';
import type { Runtime } from '../runtime.ts';
import { watchedConnectors } from '../store/home.ts';
import { type ReadingContext, readChanges } from '../sync/read-changes.ts';
import { addAction, type CommandContext, command } from './command.ts';

interface Options {
  readonly to: string;
  readonly again?: string;
}

export function bundleExportCommand(runtime: Runtime): Command {
  const target = command({
    name: 'export',
    summary: 'Read what is new in the watched sources, and write it as files to be carried.',
    examples: [
      'drawbridge bundle export --to /media/usb',
      'drawbridge bundle export --to /media/usb --again 7',
    ],
  })
    .option('--to <folder>', 'where the files go', '.')
    .option('--again <number>', 'write a bundle that was lost on its way again, as it was');
  return addAction(target, runtime, exportAll);
}

async function exportAll(context: CommandContext, options: Options): Promise<Outcome> {
  const folder = resolve(options.to);
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    return failed('file_missing', `${folder} cannot be made.`);
  }
  const opened = openCarrier(context);
  if (opened.kind === 'failed') return opened.outcome;
  const carrier = opened.value;
  try {
    if (options.again !== undefined) {
      const file = carrier.bundles.file(Number(options.again));
      if (file !== undefined) return written([save(folder, file)]);
      return failed('bundle_unknown', `No bundle ${options.again} is on its way.`);
    }
    const unread = await readSources(context, carrier);
    if (unread.length > 0) {
      return failed('connector_failed', `${unread.join(', ')} cannot be read.`);
    }
    const { runtime, settings } = context;
    const keys = { ...runtime, identity: carrier.identity, lifeDays: settings.keyDays };
    if (isNextKeyDue(keys)) makeNextKey(keys);
    const saved: Saved[] = [];
    for await (const file of exportBundles(carrier)) saved.push(save(folder, file));
    return written(saved);
  } catch (error) {
    if (error instanceof SourceUnreachable) return failed('connector_failed', error.message);
    throw error;
  } finally {
    await carrier.close();
  }
}

/** Queues what is new; returns the names of those that could not be read. */
async function readSources({ runtime }: CommandContext, carrier: Carrier): Promise<string[]> {
  const { home, store, sources } = carrier;
  const reading: ReadingContext = {
    store,
    sources,
    clock: runtime.clock,
    mayRead: () => true,
    newId: () => Buffer.from(runtime.randomBytes(16)).toString('hex'),
    queued: () => {},
    // What a person may want to know of a source stands in its status.
    report: () => {},
  };
  const unread: string[] = [];
  for (const name of watchedConnectors(home)) {
    const outcome = await readChanges(reading, name, runtime.stop);
    if (outcome.kind === 'unreadable') unread.push(name);
  }
  return unread;
}

interface Saved {
  readonly number: number;
  readonly file: string;
}

/** A file with this name is whole. */
function save(folder: string, bundle: BundleFile): Saved {
  const file = join(folder, bundleName(bundle));
  const temporary = `${file}.part`;
  writeFileSync(temporary, JSON.stringify(bundle), { flush: true });
  renameSync(temporary, file);
  return { number: bundle.number, file };
}

function written(saved: readonly Saved[]): Outcome {
  if (saved.length === 0) {
    return { kind: 'done', data: { bundles: [] }, shown: 'Nothing waits to be carried.' };
  }
  const rows = saved.map(({ number, file }) => [String(number), file]);
  const title = 'Carry these to the control plane, in this order:';
  return {
    kind: 'done',
    data: { bundles: saved },
    shown: { title, head: ['number', 'file'], rows },
  };
}
