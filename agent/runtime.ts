/** What the agent uses of its process: environment, streams, time and randomness. */
export interface Runtime {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  /** Takes data. */
  readonly stdout: NodeJS.WritableStream;
  /** Takes progress, logs and error messages. */
  readonly stderr: NodeJS.WritableStream;
  readonly clock: () => Date;
  /** Milliseconds that only ever grow, whatever happens to the clock. */
  readonly monotonicMs: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  /** That many unpredictable bytes. */
  readonly randomBytes: (length: number) => Uint8Array;
  /** Aborted when the process is asked to stop. */
  readonly stop: AbortSignal;
}
