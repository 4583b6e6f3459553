export interface Reloader {
  /** Loads soon; more calls until then are one, and one that comes while it loads loads once more. */
  want(): void;
  stop(): void;
}

export interface ReloaderOptions {
  load(): Promise<unknown>;
  /** How long the next load waits, in milliseconds. */
  waitMs(): number;
  /** Calls back once, later; returns what cancels that. */
  after(ms: number, call: () => void): () => void;
}

/** Loads as often as is wanted, but never twice at the same time, and never at once. */
export function createReloader({ load, waitMs, after }: ReloaderOptions): Reloader {
  let state: 'idle' | 'waiting' | 'loading' | 'stopped' = 'idle';
  let isWantedAgain = false;
  let cancel: () => void = () => undefined;

  function schedule(): void {
    state = 'waiting';
    cancel = after(waitMs(), () => {
      state = 'loading';
      // Pages show what went wrong by themselves.
      load().then(loaded, loaded);
    });
  }
  function loaded(): void {
    if (state === 'stopped') return;
    state = 'idle';
    if (!isWantedAgain) return;
    isWantedAgain = false;
    schedule();
  }
  return {
    want: () => {
      if (state === 'idle') schedule();
      else if (state === 'loading') isWantedAgain = true;
    },
    stop: () => {
      state = 'stopped';
      cancel();
    },
  };
}
