/**
 * Real control planes for tests: `control-plane serve` as a process.
 *
 *   const node = await startControlPlane(home, { DATABASE_URL: postgres.url });
 *   await fetch(`${node.sandboxUrl}/healthz`);
 *   const { code, ms } = await node.stop('SIGTERM');
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { controlPlaneMain } from './programs.ts';

export interface ControlPlaneProcess {
  readonly pid: number;
  readonly liveUrl: string;
  readonly sandboxUrl: string;
  /** What credentials.json says. */
  readonly credentials: Credentials;
  /** Lines of its log so far. */
  readonly log: readonly string[];
  /** Signals the process; resolves with its exit code and how long it took to end. */
  stop(signal: NodeJS.Signals): Promise<{ code: number | null; ms: number }>;
  readonly exited: Promise<number | null>;
}

interface Credentials {
  readonly einvoicing: { readonly sandbox_key: string; readonly live_key: string };
  readonly messaging: {
    readonly sandbox_key: string;
    readonly email: string;
    readonly password: string;
  };
}

export interface StartingControlPlane {
  readonly child: ChildProcess;
  readonly log: readonly string[];
  readonly exited: Promise<number | null>;
  /** Resolves when it listens; rejects with its log when it ends before. */
  readonly listening: Promise<ControlPlaneProcess>;
}

/** Starts one, and resolves when it listens. */
export function startControlPlane(
  home: string,
  env: Record<string, string> = {},
): Promise<ControlPlaneProcess> {
  return spawnControlPlane(home, env).listening;
}

/** Starts one without waiting until it listens. */
export function spawnControlPlane(
  home: string,
  env: Record<string, string> = {},
): StartingControlPlane {
  const child = spawn(process.execPath, [controlPlaneMain, 'serve', '--json'], {
    env: {
      PATH: process.env.PATH,
      DRAWBRIDGE_HOME: home,
      HOST: '127.0.0.1',
      PORT: '0',
      SANDBOX_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => log.push(...chunk.toString().trimEnd().split('\n')));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const listening = openControlPlane(child, log, exited);
  listening.catch(() => {}); // a test may not wait for it
  return { child, log, exited, listening };
}

async function openControlPlane(
  child: ChildProcess,
  log: readonly string[],
  exited: Promise<number | null>,
): Promise<ControlPlaneProcess> {
  const ended = exited.then(() => Promise.reject(new Error(log.join('\n'))));
  const [line] = (await Promise.race([once(child.stdout!, 'data'), ended])) as [Buffer];
  ended.catch(() => {}); // it ends later, when it is stopped
  const said = JSON.parse(line.toString());
  return {
    pid: child.pid!,
    liveUrl: said.base_url,
    sandboxUrl: said.sandbox_base_url,
    credentials: JSON.parse(await readFile(join(said.home, 'credentials.json'), 'utf8')),
    log,
    exited,
    stop: async (signal) => {
      const begun = performance.now();
      child.kill(signal);
      return { code: await exited, ms: performance.now() - begun };
    },
  };
}

/** Resolves when a line of the log has this text, however long that takes; rejects when the process ends before. */
export async function logged(
  { log, exited }: Pick<StartingControlPlane, 'log' | 'exited'>,
  text: string,
): Promise<string> {
  let isOver = false;
  void exited.then(() => {
    isOver = true;
  });
  for (;;) {
    const line = log.find((each) => each.includes(text));
    if (line !== undefined) return line;
    if (isOver) throw new Error(`not logged: ${text}\n${log.join('\n')}`);
    await delay(50);
  }
}
