/**
 * A systemd of its own: process 1 of a namespace of processes, mounts and control groups. It sees this host's
 * programs and files; what it writes to /etc, /tmp, /var/lib and /usr/local is gone with it.
 *
 *   const host = await startSystemd();
 *   await host.run('systemctl', 'start', 'drawbridge');
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './eventually.ts';

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Systemd {
  /** Runs a command beside systemd, as root. */
  run(program: string, ...args: readonly string[]): Promise<Ran>;
  stop(): Promise<void>;
}

const systemd = '/lib/systemd/systemd';

/** Where control groups of version 2 are mounted, which systemd puts its services into. */
const groups = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'].find(
  (path) => existsSync(join(path, 'cgroup.procs')) && existsSync(join(path, 'cgroup.controllers')),
);

/** Why none can be started here; undefined when one can. */
export function systemdObstacle(): string | undefined {
  if (process.platform !== 'linux') return 'systemd is Linux only';
  if (process.getuid?.() !== 0) return 'only root starts a systemd of its own';
  if (!existsSync(systemd)) return 'systemd is not installed';
  if (groups === undefined) return 'control groups of version 2 are not mounted';
  try {
    const flags = ['--mount', '--pid', '--fork', '--ipc', '--uts', '--cgroup'];
    const probe =
      'mkdir -p /run/probe; mount -t tmpfs tmpfs /run && mkdir /run/u /run/w && ' +
      'mount -t overlay overlay -o lowerdir=/etc,upperdir=/run/u,workdir=/run/w /etc && ' +
      'mount -t cgroup2 cgroup2 /sys/fs/cgroup';
    execFileSync('unshare', [...flags, 'sh', '-c', probe], { stdio: 'pipe' });
    return undefined;
  } catch {
    return 'this system lets nobody make namespaces with mounts of their own';
  }
}

/** What makes the host of that systemd: nothing of its own start but itself. */
const prepare = `set -e
mount --make-rprivate /
mount -t proc proc /proc
mount -t tmpfs -o mode=755 tmpfs /run
for folder in /etc /tmp /var/lib /usr/local; do
  mkdir -p /run/layers$folder/upper /run/layers$folder/work
  mount -t overlay overlay -o lowerdir=$folder,upperdir=/run/layers$folder/upper,workdir=/run/layers$folder/work $folder
done
mount -t tmpfs -o mode=755 tmpfs /dev
mknod -m 666 /dev/null c 1 3; mknod -m 666 /dev/zero c 1 5; mknod -m 666 /dev/full c 1 7
mknod -m 666 /dev/random c 1 8; mknod -m 666 /dev/urandom c 1 9; mknod -m 666 /dev/tty c 5 0
ln -s /proc/self/fd /dev/fd; ln -s pts/ptmx /dev/ptmx
mkdir /dev/pts /dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts /dev/pts
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
mount -t tmpfs -o mode=755 tmpfs /sys/fs/cgroup
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mkdir /run/nothing
for wanted in sysinit local-fs sockets timers multi-user basic; do
  for folder in /usr/lib/systemd/system /etc/systemd/system; do
    if [ -d $folder/$wanted.target.wants ]; then mount --bind /run/nothing $folder/$wanted.target.wants; fi
  done
done
exec env -i container=drawbridge PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin ${systemd} --system --unit=basic.target`;

export async function startSystemd(): Promise<Systemd> {
  const group = join(groups!, `drawbridge-test-${process.pid}`);
  const flags = '--mount --pid --fork --ipc --uts --cgroup --kill-child';
  const enter = `mkdir ${group}; echo $$ > ${group}/cgroup.procs; exec unshare ${flags} sh -c "$0"`;
  const holder: ChildProcess = spawn('sh', ['-c', enter, prepare], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  holder.stderr!.on('data', (chunk) => {
    said += String(chunk);
  });
  const run = (program: string, ...args: readonly string[]) => {
    const into = ['-t', String(childOf(holder)), '--mount', '--pid', '--cgroup', '--ipc', '--uts'];
    return new Promise<Ran>((resolve) => {
      const env = { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };
      execFile('nsenter', [...into, program, ...args], { env }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ code, stdout, stderr });
      });
    });
  };
  try {
    await eventually(async () => {
      if (holder.exitCode !== null) throw new Error(said);
      const { stdout, stderr } = await run('systemctl', 'is-active', 'basic.target');
      if (stdout.trim() !== 'active') throw new Error(`systemd is not up: ${stderr} ${said}`);
    });
  } catch (error) {
    holder.kill('SIGKILL');
    throw error;
  }
  return {
    run,
    async stop() {
      process.kill(childOf(holder)!, 'SIGKILL'); // the whole namespace ends with its process 1
      if (holder.exitCode === null) await once(holder, 'exit');
      await eventually(() => removeGroup(group));
    },
  };
}

function childOf({ pid }: ChildProcess): number | undefined {
  const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return first ? Number(first) : undefined;
}

function removeGroup(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeGroup(join(folder, entry.name));
  }
  rmdirSync(folder);
}
