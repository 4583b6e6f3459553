import type { RunningSimulator } from '../../simulation/server.ts';

export interface AuthoritySimulatorOptions {
  readonly clock: () => Date;
  /** Numbers in [0, 1) for identifiers; with seeded ones runs are repeatable. */
  readonly random: () => number;
  /** Default, and for 0: a free port. */
  readonly port?: number;
}

/** A simulator of an authority, which can run as a separate process or in the sandbox. */
export interface AuthoritySimulator {
  /** Credentials that it accepts. */
  readonly credentials: Readonly<Record<string, string>>;
  start(options: AuthoritySimulatorOptions): Promise<RunningSimulator>;
}
