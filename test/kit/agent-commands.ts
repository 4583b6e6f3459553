/**
 * Commands of the agent within this process, for tests of what they print and which code they end with: as a process
 * (`agent-process.ts`) each takes a second to start.
 *
 *   const { code, stdout } = await runCommand(home, ['status', '--json']);
 */
import { randomBytes } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { runCommandLine } from '../../agent/command-line.ts';
import type { Ran } from './agent-process.ts';

/** Runs one command to its end; without a terminal, as `runAgent` does. */
export async function runCommand(
  home: string,
  args: readonly string[],
  { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<Ran> {
  const [stdout, stderr] = [new TextSink(), new TextSink()];
  let ended = 0;
  await runCommandLine(args, {
    env: { PATH: process.env.PATH, DRAWBRIDGE_AGENT_HOME: home, ...env },
    stdin: Readable.from([Buffer.from(input)]) as unknown as NodeJS.ReadStream,
    stdout,
    stderr,
    clock: () => new Date(),
    monotonicMs: () => performance.now(),
    random: Math.random,
    randomBytes: (length) => new Uint8Array(randomBytes(length)),
    stop: new AbortController().signal,
    exitWith(code) {
      ended = code;
    },
  });
  return { code: ended, stdout: stdout.text, stderr: stderr.text };
}

class TextSink extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
