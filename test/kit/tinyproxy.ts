/**
 * A real forward proxy, Debian's tinyproxy, as a process of its own.
 *
 *   if (!hasTinyproxy()) skip('tinyproxy is not installed');
 *   const proxy = await startTinyproxy({ host: '127.0.0.1', user: 'anna', password: 'hush' });
 *   await proxy.restart();
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { freePort } from './free-ports.ts';

export interface Tinyproxy {
  readonly host: string;
  readonly port: number;
  /** Ends the process and all connections through it. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export function hasTinyproxy(): boolean {
  try {
    execFileSync('tinyproxy', ['-v']);
    return true;
  } catch {
    return false;
  }
}

/** Resolves when it listens. */
export async function startTinyproxy(options: {
  readonly host: string;
  readonly user?: string;
  readonly password?: string;
}): Promise<Tinyproxy> {
  const { host, user, password } = options;
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-tinyproxy-'));
  const port = await freePort();
  const lines = [
    `Port ${port}`,
    `Listen ${host}`,
    'Timeout 600',
    'MaxClients 20',
    'LogLevel Error',
  ];
  if (user !== undefined) lines.push(`BasicAuth ${user} ${password}`);
  const file = join(folder, 'tinyproxy.conf');
  writeFileSync(file, `${lines.join('\n')}\n`);
  let child: ChildProcess | undefined;
  const proxy: Tinyproxy = {
    host,
    port,
    async start() {
      child = spawn('tinyproxy', ['-d', '-c', file], { stdio: 'ignore' });
      await eventually(() => reach(host, port));
    },
    async stop() {
      if (child === undefined || child.exitCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
      child = undefined;
    },
    async close() {
      await proxy.stop();
      rmSync(folder, { recursive: true });
    },
  };
  await proxy.start();
  return proxy;
}

async function reach(host: string, port: number): Promise<void> {
  const socket = connect(port, host);
  await once(socket, 'connect').finally(() => socket.destroy());
}
