import type { Clock, RandomBytes } from '../platform/ids.ts';
import type { Log } from '../platform/log/log.ts';
import type { Settings } from '../settings.ts';

/** What a command gets from its process: settings, time, randomness and the log. */
export interface CommandContext {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Monotonic milliseconds, for durations. */
  readonly stopwatch: () => number;
  readonly log: Log;
  /** Who runs the command, for the audit log: `alice@db-1`. */
  readonly operator: string;
}

/**
 * Reads the settings, so it throws `SettingsError`; called when a command runs, not for its help.
 */
export type OpenCommandContext = () => CommandContext;
