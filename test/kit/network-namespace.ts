/**
 * A network of its own for a process: a cable to this host, and no way beyond it.
 *
 *   const office = openNamespace();
 *   spawn(...office.enter, 'node', 'main.ts'); // reaches office.near only
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { eventually } from './eventually.ts';

export interface Namespace {
  /** Put before a command line, which then runs inside. */
  readonly enter: readonly [string, ...string[]];
  /** This host's end of the cable. */
  readonly near: string;
  /** An address of this host to which no route leads from inside. */
  readonly far: string;
  close(): Promise<void>;
}

/** Why none can be made here; undefined when one can. */
export function namespaceObstacle(): string | undefined {
  if (process.platform !== 'linux') return 'network namespaces are Linux only';
  if (process.getuid?.() !== 0) return 'only root makes network namespaces';
  try {
    execFileSync('ip', ['-V'], { stdio: 'pipe' });
  } catch {
    return 'iproute2 is not installed';
  }
  try {
    execFileSync('unshare', ['-n', 'true'], { stdio: 'pipe' });
    return undefined;
  } catch {
    return 'this system lets nobody make network namespaces';
  }
}

export async function openNamespace(): Promise<Namespace> {
  // Holds the namespace open; ends with this process, as its standard input does.
  const holder: ChildProcess = spawn('unshare', ['-n', 'cat'], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const pid = String(holder.pid);
  const number = holder.pid! % 16_384;
  const network = `10.${192 + (number >> 8)}.${number & 255}`;
  const [near, inside, far] = [`${network}.1`, `${network}.2`, `${network}.9`];
  const cable = `dbt${number}`;
  const enter = ['nsenter', '-t', pid, '-n'] as const;
  const host = (...args: string[]) => execFileSync('ip', args);
  const within = (...args: string[]) => execFileSync(enter[0], [...enter.slice(1), 'ip', ...args]);
  await eventually(() => {
    // Until the holder has left it, its namespace is ours.
    if (namespaceOf('self') === namespaceOf(pid))
      throw new Error('not yet in a namespace of its own');
  });
  host('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'out', 'netns', pid);
  host('addr', 'add', `${near}/30`, 'dev', cable);
  host('addr', 'add', `${far}/32`, 'dev', cable);
  host('link', 'set', cable, 'up');
  within('link', 'set', 'lo', 'up');
  within('addr', 'add', `${inside}/30`, 'dev', 'out');
  within('link', 'set', 'out', 'up');
  return {
    enter,
    near,
    far,
    async close() {
      host('link', 'delete', cable);
      holder.kill('SIGKILL');
      if (holder.exitCode === null && holder.signalCode === null) await once(holder, 'exit');
    },
  };
}

function namespaceOf(pid: string): string {
  return readlinkSync(`/proc/${pid}/ns/net`);
}
