import type { Clock, RandomBytes } from '../platform/ids.ts';
import type { Log } from '../platform/log/log.ts';
import type { Settings } from '../settings.ts';

/** What the outside gives a command: the settings, the time, chance, and where the log goes. */
export interface Edge {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Monotonic milliseconds, for durations. */
  readonly stopwatch: () => number;
  readonly log: Log;
}

/** Reads the settings, so it throws `SettingsError`; called when a command runs, not for its help. */
export type OpenEdge = () => Edge;
