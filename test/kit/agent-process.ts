/**
 * Real agents for tests: `npm run agent`, or another program, as processes with their own home folders.
 *
 *   const { code, stdout } = await runAgent(home, ['status', '--json']);
 *   const agent = startAgent(home); await agent.event('connected'); await agent.stop('SIGTERM');
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { agentMain } from './programs.ts';

/** A command line that starts an agent. */
type Program = readonly [file: string, ...args: string[]];

/** The agent of this checkout. */
export const agentProgram: Program = [process.execPath, agentMain];

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningAgent {
  readonly pid: number;
  /** Resolves when the agent reports the event, after the last one waited for. */
  event(name: string): Promise<{ event: string; detail: string }>;
  /** Signals the process and resolves with its exit code; null when the signal ended it. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
  readonly exited: Promise<number | null>;
}

/** Runs one command to its end. */
export async function runAgent(
  home: string,
  args: readonly string[],
  {
    input = '',
    env = {},
    program = agentProgram,
  }: { input?: string; env?: Record<string, string>; program?: Program } = {},
): Promise<Ran> {
  const child = spawnAgent(program, home, args, env);
  child.stdin!.on('error', () => {}); // a command that ended did not read to the end
  child.stdin!.end(input);
  const [stdout, stderr] = [textOf(child.stdout!), textOf(child.stderr!)];
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: await stdout, stderr: await stderr };
}

/** Starts `run`; it redials within milliseconds. */
export function startAgent(
  home: string,
  env: Record<string, string> = {},
  program: Program = agentProgram,
): RunningAgent {
  const quick = { DRAWBRIDGE_REDIAL_BASE_MS: '20', DRAWBRIDGE_REDIAL_CAP_MS: '200', ...env };
  const child = spawnAgent(program, home, ['run', '--json'], quick);
  child.stdin!.end();
  const words = textOf(child.stderr!);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return {
    pid: child.pid!,
    exited,
    async event(name) {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`the agent ended before it reported ${name}: ${await words}`);
        const line = JSON.parse(value);
        if (line.event === name) return line;
      }
    },
    stop(signal) {
      child.kill(signal);
      return exited;
    },
  };
}

function spawnAgent(
  [file, ...first]: Program,
  home: string,
  args: readonly string[],
  env: Record<string, string>,
): ChildProcess {
  return spawn(file, [...first, ...args], {
    env: { PATH: process.env.PATH, DRAWBRIDGE_AGENT_HOME: home, ...env },
    stdio: 'pipe',
  });
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
