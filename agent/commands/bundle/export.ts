import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '@drawbridge/connectors/make-folder.ts';
import { type BundleFile, bundleName } from '@drawbridge/link/bundle.ts';
import type { Command } from 'commander';
import { type Carrier, openCarrier } from '../../bundles/carrier.ts';
import { exportBundles } from '../../bundles/export.ts';
import { isNextKeyDue, makeNextKey } from '../../link/key-rotation.ts';
import { failed, type Outcome } from '../../outcome.ts';
import type { Runtime } from '../../runtime.ts';
import { watchedConnectors } from '../../store/home.ts';
import { readChanges } from '../../sync/read-changes.ts';
import { readingOnce } from '../../sync/reading-once.ts';
import { confirmUpgrade } from '../../upgrade/trials.ts';
import { addAction, type CommandContext, command } from '../command.ts';

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
    makeFolder(folder);
  } catch {
    return failed('file_missing', `${folder} cannot be made.`);
  }
  const opened = openCarrier(context);
  if (opened.kind === 'failed') return opened.outcome;
  const carrier = opened.value;
  try {
    if (options.again !== undefined) {
      const file = carrier.bundles.file(Number(options.again));
      if (file !== undefined) return saveAll(folder, [file], new Map());
      return failed('bundle_unknown', `No bundle ${options.again} is on its way.`);
    }
    const unread = await readSources(context, carrier);
    const { runtime, settings } = context;
    const keys = { ...runtime, identity: carrier.identity, lifeDays: settings.keyDays };
    if (isNextKeyDue(keys)) makeNextKey(keys);
    const made = exportBundles({
      ...carrier,
      unread: (connector, cause) => unread.set(connector, cause),
    });
    const outcome = await saveAll(folder, made, unread);
    if (outcome.kind === 'done') confirmUpgrade(settings.home);
    return outcome;
  } finally {
    await carrier.close();
  }
}

/** Why sources cannot be read, by their names. */
type Unread = Map<string, string>;

/** Queues what is new; returns which sources could not be read, and why. */
async function readSources({ runtime }: CommandContext, carrier: Carrier): Promise<Unread> {
  const reading = readingOnce(runtime, carrier);
  const unread: Unread = new Map();
  for (const name of watchedConnectors(carrier.home)) {
    const outcome = await readChanges(reading, name, runtime.stop);
    if (outcome.kind === 'unreadable') unread.set(name, outcome.fault.message);
  }
  return unread;
}

interface Saved {
  readonly number: number;
  readonly file: string;
}

/** Makes no further bundle once one cannot be written; that one is kept, as all are until their receipt is there. */
async function saveAll(
  folder: string,
  bundles: AsyncIterable<BundleFile> | Iterable<BundleFile>,
  unread: Unread,
): Promise<Outcome> {
  const saved: Saved[] = [];
  for await (const bundle of bundles) {
    const { number } = bundle;
    const file = join(folder, bundleName(bundle));
    try {
      save(file, bundle);
    } catch (error) {
      const { code = 'no code' } = error as NodeJS.ErrnoException;
      const files = saved.map((one) => one.file).join(', ');
      const before = files === '' ? '' : ` Written before it: ${files}.`;
      return failed(
        'file_unwritable',
        `${file} cannot be written (${code}). The bundle is kept: \`drawbridge bundle export --again ${number} --to FOLDER\` writes it.${before}`,
      );
    }
    saved.push({ number, file });
  }
  return written(saved, unread);
}

/** A file with this name is whole. */
function save(file: string, bundle: BundleFile): void {
  const temporary = `${file}.part`;
  try {
    writeFileSync(temporary, JSON.stringify(bundle), { flush: true });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function written(saved: readonly Saved[], unread: Unread): Outcome {
  const causes = [...unread].map(([connector, cause]) => ({ connector, cause }));
  const rows = saved.map(({ number, file }) => [String(number), file]);
  const title = 'Carry these to the control plane, in this order:';
  const none = 'Nothing waits to be carried.';
  const lines = causes.map(({ connector, cause }) => `${connector} cannot be read: ${cause}`);
  return {
    kind: 'done',
    data: { bundles: saved, unread: causes },
    shown: [{ title, head: ['number', 'file'], rows, none }, ...lines],
    exit: causes.length === 0 ? 'ok' : 'error',
  };
}
