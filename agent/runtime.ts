/** What the agent uses of its process: environment, streams, time, randomness and its exit code. */
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
  /** Is told the code with which the process is to end. */
  exitWith(code: number): void;
}

/** An id that nobody else makes. */
export function newId({ randomBytes }: Pick<Runtime, 'randomBytes'>): string {
  return Buffer.from(randomBytes(16)).toString('hex');
}
