import path from 'node:path';
import type { FSWatcher } from 'chokidar';
import { allowedPath } from '../allowed-path.ts';
import type { ConnectorContext } from '../contract.ts';
import { isDocumentName } from './folder.ts';
import type { FilesSettings } from './settings.ts';

const depthMax = 8;
const pollMs = 5_000;
const marginMs = 200;

/**
 * Notices changes of a folder, so that it is listed early. That one is missed loses nothing: what is
 * new is told by the listing alone.
 */
export class FolderChanges {
  readonly #settings: FilesSettings;
  readonly #context: ConnectorContext;
  readonly #waiting = new Set<() => void>();
  #watcher: Promise<FSWatcher | undefined> | undefined;
  #isChanged = false;
  #again: NodeJS.Timeout | undefined;

  constructor(settings: FilesSettings, context: ConnectorContext) {
    this.#settings = settings;
    this.#context = context;
  }

  /** Resolves at the next change since this was called last, or when `signal` aborts. */
  async next(signal: AbortSignal): Promise<void> {
    this.#watcher ??= this.#open();
    // A folder that is not there, or not allowed, is watched once it is.
    if ((await this.#watcher) === undefined) this.#watcher = undefined;
    if (this.#isChanged || signal.aborted) {
      this.#isChanged = false;
      return;
    }
    const over = Promise.withResolvers<void>();
    this.#waiting.add(over.resolve);
    signal.addEventListener('abort', () => over.resolve(), { once: true });
    await over.promise;
    this.#waiting.delete(over.resolve);
    this.#isChanged = false;
  }

  async close(): Promise<void> {
    const watcher = await this.#watcher;
    this.#watcher = undefined;
    clearTimeout(this.#again);
    await watcher?.close();
  }

  async #open(): Promise<FSWatcher | undefined> {
    const { folder, subfolders, share, settleSeconds } = this.#settings;
    const real = await allowedPath(folder, this.#context.allowedRoots).catch(() => undefined);
    if (real === undefined) return undefined;
    const { watch } = await import('chokidar');
    const watcher = watch(real, {
      ignoreInitial: true,
      followSymlinks: false,
      depth: subfolders ? depthMax : 0,
      usePolling: share,
      interval: pollMs,
      binaryInterval: pollMs,
      ignored: (file, stats) =>
        stats?.isFile() === true &&
        !isDocumentName(path.relative(real, file).split(path.sep).join('/'), subfolders),
    });
    watcher.on('all', () => {
      this.#noticed();
      // It is listed once it is whole, which takes until then.
      this.#again ??= setTimeout(
        () => {
          this.#again = undefined;
          this.#noticed();
        },
        settleSeconds * 1_000 + marginMs,
      );
    });
    // Too many watches on this host, for one: then the folder is listed in the usual interval.
    watcher.on('error', () => undefined);
    return watcher;
  }

  #noticed(): void {
    this.#isChanged = true;
    for (const resolve of this.#waiting) resolve();
  }
}
