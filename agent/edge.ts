/** What a command may touch of the outside; made in main.ts, and by tests. */
export interface Edge {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  /** Data. */
  readonly stdout: NodeJS.WritableStream;
  /** Progress, logs, and the words of errors. */
  readonly stderr: NodeJS.WritableStream;
  readonly clock: () => Date;
  /** In [0, 1). */
  readonly random: () => number;
  /** That many unpredictable bytes. */
  readonly randomBytes: (length: number) => Uint8Array;
  /** Aborted when the process is asked to stop. */
  readonly stop: AbortSignal;
}
