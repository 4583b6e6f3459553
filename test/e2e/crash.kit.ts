/** For crash tests: real servers in separate processes that can be killed at any time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbedded } from '@drawbridge/control-plane/platform/db/embedded.ts';
import { sqlAt } from '../kit/postgres.ts';
import { controlPlaneMain } from '../kit/programs.ts';

const root = join(import.meta.dirname, '../..');

/** A PostgreSQL that keeps its address when it is killed and started again. */
export interface KillablePostgres {
  /** The owner's connection string. */
  readonly url: string;
  /** Runs a statement as superuser, past row-level security, to read and to let time pass. */
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /** SIGKILL, then a new start: crash recovery. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgres(folder: string): Promise<KillablePostgres> {
  const home = join(folder, 'postgres');
  await mkdir(home);
  const server = await startEmbedded({ home, volatile: true });
  const door = await startTcpProxy(() => Number(new URL(server.url).port));
  const through = (user: string) => {
    const url = new URL(server.url);
    url.username = user;
    url.port = String(door.port);
    return url.href;
  };
  const sql = <Row>(text: string, values: unknown[] = []) =>
    sqlAt<Row>(through('postgres'), text, values);
  const [{ data_directory: data }] = (await sql('show data_directory')) as [
    { data_directory: string },
  ];
  return {
    url: through('drawbridge'),
    sql,
    crash: async () => {
      const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
      process.kill(pid, 'SIGKILL');
      await retryUntilDone(async () => isGone(pid) || undefined, startWithinMs);
      // It is started again by itself, when its children have ended and released its memory.
      await retryUntilDone(() => sql('select 1'), startWithinMs);
    },
    stop: async () => {
      await server.stop();
      await door.close();
    },
  };
}

/** On a machine that is late with everything, and after a crash that recovery has to make good. */
const startWithinMs = 120_000;

function isGone(pid: number): boolean {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
}

/** A network between clients and a server. */
export interface TcpProxy {
  readonly port: number;
  /** Cuts every connection. */
  drop(): void;
  /** Nothing arrives any more, and nobody is told, until `resume`. */
  stall(): void;
  resume(): void;
  close(): Promise<void>;
}

/** A proxy to the port on which the server listens now. */
export async function startTcpProxy(target: () => number): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isStalled = false;
  const join = ([inside, outside]: readonly [Socket, Socket]) => inside.pipe(outside).pipe(inside);
  const drop = () => {
    for (const sockets of pairs) for (const socket of sockets) socket.destroy();
  };
  const server: Server = createServer((inside) => {
    const outside = connect(target(), '127.0.0.1');
    const pair = [inside, outside] as const;
    pairs.add(pair);
    for (const socket of pair) {
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        pairs.delete(pair);
        inside.destroy();
        outside.destroy();
      });
    }
    if (!isStalled) join(pair);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    drop,
    stall() {
      isStalled = true;
      for (const [inside, outside] of pairs) {
        inside.unpipe(outside);
        outside.unpipe(inside);
      }
    },
    resume() {
      if (!isStalled) return;
      isStalled = false;
      for (const pair of pairs) join(pair);
    },
    close: async () => {
      drop();
      server.close();
      await once(server, 'close');
    },
  };
}

/** One node of the control plane: a process with its own addresses. */
export class KillableNode {
  readonly home: string;
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;
  readonly sandboxUrl: string;
  /** What its processes printed so far. */
  readonly lines: string[] = [];

  constructor(home: string, ports: readonly [number, number], env: Record<string, string>) {
    this.home = home;
    this.sandboxUrl = `http://127.0.0.1:${ports[1]}`;
    this.#env = {
      DRAWBRIDGE_HOME: home,
      HOST: '127.0.0.1',
      PORT: String(ports[0]),
      SANDBOX_PORT: String(ports[1]),
      ...env,
    };
  }

  /** Resolves when it listens or was killed before; throws what it printed when it ended by itself. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [controlPlaneMain, 'serve', '--json'], {
      cwd: root,
      env: { PATH: process.env.PATH, ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    const keep = (chunk: Buffer): void => {
      this.lines.push(...chunk.toString('utf8').trimEnd().split('\n'));
      this.lines.splice(0, this.lines.length - linesMax);
    };
    const listening = new Promise((resolve) => child.stdout.once('data', resolve));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    await Promise.race([listening, once(child, 'exit')]);
    const { exitCode } = child;
    if (exitCode !== null) throw new Error(`ended with ${exitCode}: ${this.lines.join('\n')}`);
  }

  get isUp(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || !this.isUp) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
    await exited;
    clearTimeout(timer);
  }
}

const linesMax = 60;
const stopWithinMs = 15_000;

/** A folder that PostgreSQL can enter when it runs as another user; `remove` deletes it. */
export async function openFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'drawbridge-crash-'));
  await chmod(path, 0o711);
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Repeats `work` until it succeeds, as a client does while its server restarts. */
export async function retryUntilDone<Result>(
  work: () => Promise<Result | undefined>,
  withinMs: number,
): Promise<Result> {
  const end = performance.now() + withinMs;
  let cause: unknown;
  for (;;) {
    try {
      const result = await work();
      if (result !== undefined) return result;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > end) throw new Error('given up', { cause });
    await delay(100);
  }
}
