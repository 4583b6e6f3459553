import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentProgram } from './agent-program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** A command line. */
type Program = readonly [file: string, ...args: string[]];
const controlPlane: Program = [process.execPath, 'control-plane/main.ts'];
const logLinesMax = 40;
const stopWithinMs = 15_000;

export interface ControlPlane {
  readonly sandboxUrl: string;
  readonly sandboxKey: string;
  /** The API key of the messaging service. */
  readonly messagingKey: string;
  readonly simulators: Readonly<Record<string, string>>;
}

/** Processes and files of one run, in a folder that is removed at the end. */
export class Environment {
  #folder: string | undefined;
  readonly #agent = agentProgram();
  #notes: string[] = [];
  readonly #children: { name: string; child: ChildProcess; lines: string[] }[] = [];
  readonly #closers: (() => Promise<void>)[] = [];

  async folder(): Promise<string> {
    if (this.#folder === undefined) {
      this.#folder = await mkdtemp(join(tmpdir(), 'drawbridge-demo-'));
      // Under root PostgreSQL runs as another user, who must be able to enter the folder; otherwise
      // its data is put elsewhere and not removed.
      await chmod(this.#folder, 0o711);
    }
    return this.#folder;
  }

  async startControlPlane(): Promise<ControlPlane> {
    const home = join(await this.folder(), 'control-plane');
    await this.#start('control plane', [...controlPlane, 'serve'], {
      DRAWBRIDGE_HOME: home,
      PORT: '0',
      SANDBOX_PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    });
    const text = await readFile(join(home, 'credentials.json'), 'utf8');
    const credentials = JSON.parse(text);
    const { sandbox_base_url: sandboxUrl, einvoicing, messaging, simulators } = credentials;
    this.note('control plane', `${credentials.base_url} (sandbox ${sandboxUrl})`);
    this.note('console', `${sandboxUrl}/console/`);
    this.note('  sign in as', messaging.email);
    this.note('  password', messaging.password);
    this.note('sandbox key', einvoicing.sandbox_key);
    this.note('messaging key', messaging.sandbox_key);
    this.note('simulators', JSON.stringify(simulators));
    const keys = { sandboxKey: einvoicing.sandbox_key, messagingKey: messaging.sandbox_key };
    return { sandboxUrl, ...keys, simulators };
  }

  /** Starts a long-running process and waits until it reports that it is ready. */
  async #start(
    name: string,
    [file, ...args]: Program,
    env: Readonly<Record<string, string>>,
  ): Promise<void> {
    const child = spawn(file, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const lines: string[] = [];
    this.#children.push({ name, child, lines });
    await new Promise<void>((resolve, reject) => {
      const read = (chunk: Buffer): void => {
        lines.push(
          ...chunk
            .toString('utf8')
            .split('\n')
            .filter((line) => line !== ''),
        );
        lines.splice(0, lines.length - logLinesMax);
        if (/^listening on |connected/im.test(lines.join('\n'))) resolve();
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`the ${name} ended with ${code}`)));
    });
  }

  async startAgent(home: string): Promise<void> {
    await this.#start('agent', [...this.#agent, 'run'], await this.#agentEnv(home));
  }

  /** The ERP is in the demo's folder, which is the only one that the agent may read. */
  async #agentEnv(home: string): Promise<Record<string, string>> {
    return { DRAWBRIDGE_AGENT_HOME: home, DRAWBRIDGE_FILE_ROOTS: await this.folder() };
  }

  /** Runs an agent command to its end; `input` is its standard input, where a secret belongs. */
  async agent(home: string, args: readonly string[], input = ''): Promise<string> {
    return command([...this.#agent, ...args], await this.#agentEnv(home), input);
  }

  /** Runs a command of the host to its end while the control plane runs. */
  async host(args: readonly string[]): Promise<string> {
    const home = join(await this.folder(), 'control-plane');
    return command([...controlPlane, ...args], { DRAWBRIDGE_HOME: home });
  }

  onClose(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  note(name: string, value: string): void {
    this.#notes.push(`  ${name.padEnd(18)} ${value}`);
  }

  addresses(): string {
    return this.#notes.join('\n');
  }

  lastLogs(): string {
    return this.#children
      .map(({ name, lines }) => `--- ${name}\n${lines.slice(-15).join('\n')}\n`)
      .join('');
  }

  async close(): Promise<void> {
    for (const { child } of this.#children.toReversed()) await end(child);
    for (const close of this.#closers.toReversed()) await close();
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }
}

async function command(
  [file, ...args]: Program,
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<string> {
  const child = spawn(file, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString('utf8');
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${args.join(' ')}: ${errors.trim()}`);
  return output;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.removeAllListeners('exit');
  child.once('exit', () => {});
  const gone = Promise.race([
    ended,
    new Promise((resolve) => {
      child.once('exit', resolve);
      setTimeout(resolve, stopWithinMs).unref();
    }),
  ]);
  child.kill('SIGTERM');
  await gone;
  if (child.exitCode === null) child.kill('SIGKILL');
}
