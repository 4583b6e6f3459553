/**
 * What systemd would hear of a service: a Unix datagram socket, read by Perl, which Debian always has.
 *
 *   const socket = await openNotifySocket(folder);
 *   await eventually(() => expect(socket.heard).toContain('READY=1'));
 *   await socket.close();
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from './eventually.ts';

export interface NotifySocket {
  readonly path: string;
  /** The messages so far, such as `WATCHDOG=1`. */
  readonly heard: readonly string[];
  close(): Promise<void>;
}

const receiver = `use Socket;
socket(S, PF_UNIX, SOCK_DGRAM, 0) && bind(S, sockaddr_un($ARGV[0])) or die $!;
$| = 1;
while (defined recv(S, $message, 65536, 0)) { print "$message\\n" }`;

/** Why no socket can be opened here, or undefined when one can. */
export function notifySocketUnavailable(): string | undefined {
  const missing = ['systemd-notify', 'perl'].find(
    (program) => spawnSync(program, ['--version']).error !== undefined,
  );
  return missing && `${missing} is not installed`;
}

export async function openNotifySocket(folder: string): Promise<NotifySocket> {
  const path = join(folder, 'notify');
  const child = spawn('perl', ['-e', receiver, path], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const heard: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => heard.push(line));
  const closed = once(child, 'close');
  await eventually(() => {
    if (!existsSync(path)) throw new Error('the socket is not there yet');
  });
  return {
    path,
    heard,
    close: async () => {
      child.kill('SIGTERM');
      await closed;
    },
  };
}
