import { randomBytes } from 'node:crypto';
import { sqliteProcessArgument } from '@drawbridge/connectors/sqlite/process/start.ts';
import { runCommandLine } from './command-line.ts';

/** How long a process that is done may take to end by itself. */
const lingerMs = 5_000;

if (process.argv[2] === sqliteProcessArgument) {
  void import('@drawbridge/connectors/sqlite/process/program.ts');
} else {
  void main();
}

async function main(): Promise<void> {
  const stopping = new AbortController();
  process.once('SIGTERM', () => stopping.abort());
  process.once('SIGINT', () => stopping.abort());
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      stopping.abort(); // who reads no further, as head, has seen enough
    });
  }
  await runCommandLine(process.argv.slice(2), {
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    clock: () => new Date(),
    monotonicMs: () => performance.now(),
    random: Math.random,
    randomBytes: (length) => new Uint8Array(randomBytes(length)),
    stop: stopping.signal,
    exitWith(code) {
      process.exitCode = code;
    },
  });
  // What a source or a driver still holds open must not keep a process that is done.
  setTimeout(() => process.exit(), lingerMs).unref();
}
