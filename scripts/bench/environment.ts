import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startPostgres } from '../../test/kit/postgres.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const outputMax = 20_000;
const stopWithinMs = 15_000;

/** A process of the bench that is ready. */
export interface Running {
  readonly pid: number;
  /** What it printed until it was ready. */
  readonly output: string;
  /** Writes to its standard input. */
  write(text: string): void;
  /** What it printed last, once it has ended. */
  readonly ended: Promise<string>;
}

export interface ControlPlane extends Running {
  readonly baseUrl: string;
  readonly key: string;
  /** The folder that the tenant's connectors may read. */
  readonly folder: string;
  /** User and system CPU seconds since its start, of all its threads. */
  cpuSeconds(): Promise<number>;
  /** How many jobs of a queue it has ended, in any way or with this outcome. */
  jobs(queue: string, outcome?: string): Promise<number>;
}

/**
 * The processes that a bench runs against, in their own folder: a PostgreSQL that writes to disk as
 * in production, the simulated access point, a control plane and an agent.
 */
export class Environment {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly #stopDatabase: () => Promise<void>;
  readonly #children: ChildProcess[] = [];

  private constructor(folder: string, database: { url: string; stop: () => Promise<void> }) {
    this.folder = folder;
    this.databaseUrl = database.url;
    this.#stopDatabase = database.stop;
  }

  static async open(): Promise<Environment> {
    const folder = await mkdtemp(join(tmpdir(), 'drawbridge-bench-'));
    return new Environment(folder, await startPostgres({ durable: true }));
  }

  /** The Peppol access point, and the file with its address for a control plane. */
  async startAuthority(): Promise<{ readonly baseUrl: string; readonly file: string }> {
    const { output } = await this.start(['scripts/simulate.ts', 'peppol'], {});
    const baseUrl = /listening on (\S+)/.exec(output)![1]!;
    // Its receipt counts as delivered, because the message level status comes half a minute later.
    const credentials = { dialect: 'phoss-ap', token: 'sandbox-token', delivered_on: 'receipt' };
    // The other one is named too, because otherwise the control plane simulates it in its process.
    const nobody = { baseUrl: 'http://127.0.0.1:9', credentials: {} };
    const file = join(this.folder, 'authorities.json');
    const endpoints = { sandbox: { peppol: { baseUrl, credentials }, myinvois: nobody } };
    await writeFile(file, JSON.stringify(endpoints));
    return { baseUrl, file };
  }

  /** The control plane as an operator starts it; figures are read from its own /metrics. */
  async startControlPlane(env: Readonly<Record<string, string>>): Promise<ControlPlane> {
    const settings = { ...this.controlPlaneEnv(), ...env };
    const running = await this.start(['control-plane/main.ts', 'serve', '--json'], settings);
    const path = join(settings.DRAWBRIDGE_HOME, 'credentials.json');
    const credentials = JSON.parse(await readFile(path, 'utf8'));
    const baseUrl: string = credentials.sandbox_base_url;
    const metrics = async () => (await fetch(`${baseUrl}/metrics`)).text();
    return {
      ...running,
      baseUrl,
      key: credentials.einvoicing.sandbox_key,
      folder: credentials.connector_folder,
      cpuSeconds: async () => Number(/^process_cpu_seconds_total (\S+)/m.exec(await metrics())![1]),
      jobs: async (queue, outcome = '\\w+') => {
        const row = `^drawbridge_jobs_total{queue="${queue}",outcome="${outcome}"[^}]*} (\\S+)`;
        const found = (await metrics()).matchAll(new RegExp(row, 'gm'));
        return [...found].reduce((sum, [, count]) => sum + Number(count), 0);
      },
    };
  }

  /** The settings of every control plane of this bench. */
  controlPlaneEnv() {
    return {
      DRAWBRIDGE_HOME: join(this.folder, 'control-plane'),
      DATABASE_URL: this.databaseUrl,
      HOST: '127.0.0.1',
      PORT: '0',
      SANDBOX_PORT: '0',
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      READ_LIMIT: '100000',
      WRITE_LIMIT: '100000',
      SUBMIT_LIMIT: '100000',
    };
  }

  /** Starts a receiver of webhooks as a separate process; returns its address. */
  async startSink(): Promise<string> {
    const { output } = await this.start(['scripts/bench/sink.ts'], {});
    return /listening on (\S+)/.exec(output)![1]!;
  }

  /** Starts a process from the repository's root; resolves when it says that it is ready. */
  start(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    isReady = /listening on|"base_url"/,
    program = process.execPath,
  ): Promise<Running> {
    const child = spawn(program, [...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#children.push(child);
    return new Promise((resolve, reject) => {
      let output = '';
      const ended = new Promise<string>((end) => child.once('close', () => end(output)));
      const write = (text: string): void => void child.stdin.write(text);
      const read = (chunk: Buffer): void => {
        output = (output + chunk.toString('utf8')).slice(-outputMax);
        if (isReady.test(output)) resolve({ pid: child.pid!, output, write, ended });
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`${args.join(' ')}: ${code}\n${output}`)));
    });
  }

  /** Runs a command to its end; `input` is its standard input, where a secret belongs. */
  async run(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    input = '',
    program = process.execPath,
  ): Promise<void> {
    const options = { cwd: root, env: { ...process.env, ...env } };
    const running = promisify(execFile)(program, [...args], options);
    running.child.stdin!.end(input);
    await running;
  }

  /** Ends one process with SIGTERM and waits for it. */
  async stop({ pid }: Running): Promise<void> {
    const child = this.#children.find((each) => each.pid === pid);
    if (child !== undefined) await end(child);
  }

  async close(): Promise<void> {
    for (const child of this.#children.toReversed()) await end(child);
    await this.#stopDatabase();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Resident memory of a process in MiB. Read from the kernel: to start `ps` held what measures for 50 ms each time. */
export async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]) / 1_024;
}

const lookMs = 200;

/** Looks at the memory of a process again and again; the returned function ends it and gives the highest, in MiB. */
export function watchMemory(pid: number): () => Promise<number> {
  let highest = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      highest = Math.max(highest, await residentMiB(pid));
      await delay(lookMs);
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    return highest;
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const timer = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(timer);
}
