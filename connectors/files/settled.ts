import type { ListedFile } from './folder.ts';
import type { FilesSettings } from './settings.ts';

const nsPerMs = 1_000_000n;

interface Seen {
  readonly state: string;
  readonly sinceMs: number;
}

/** Tells which files are whole. A file that somebody still writes to changes its size and its time. */
export class SettledFiles {
  readonly #settings: Pick<FilesSettings, 'settleSeconds' | 'share'>;
  #seen = new Map<string, Seen>();

  constructor(settings: Pick<FilesSettings, 'settleSeconds' | 'share'>) {
    this.#settings = settings;
  }

  /**
   * Those that did not change of late: by their own time, and on a share, whose server has a clock of
   * its own, also by what was seen of them before.
   */
  of(files: readonly ListedFile[], now: Date): readonly ListedFile[] {
    const untilMs = now.getTime() - this.#settings.settleSeconds * 1_000;
    const seen = new Map<string, Seen>();
    const settled = files.filter((file) => {
      if (!this.#settings.share) return file.changedNs <= BigInt(untilMs) * nsPerMs;
      const state = `${file.changedNs} ${file.size}`;
      const earlier = this.#seen.get(file.name);
      const since = earlier?.state === state ? earlier : { state, sinceMs: now.getTime() };
      seen.set(file.name, since);
      return since.sinceMs <= untilMs;
    });
    this.#seen = seen;
    return settled;
  }
}
