import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const size = { columns: '180', rows: '60' } as const;

/** A terminal of its own, in which one command runs. */
export interface Terminal {
  start(command: readonly string[], env: Readonly<Record<string, string>>): Promise<void>;
  /** What stands on the screen. */
  screen(): Promise<string>;
  /** A key by its name: Enter, Down. */
  key(name: string): Promise<void>;
  type(text: string): Promise<void>;
  close(): Promise<void>;
}

/** A pseudo terminal by tmux, with a server of its own. */
export async function openTerminal(): Promise<Terminal> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-terminal-'));
  const socket = join(folder, 'tmux');
  const tmux = (...args: readonly string[]) => run('tmux', ['-S', socket, ...args]);
  return {
    async start(command, env) {
      const place = ['-x', size.columns, '-y', size.rows];
      const begin = ['-S', socket, '-f', '/dev/null', 'new-session', '-d', ...place, ...command];
      // By the environment: others see what stands in a command line.
      await run('tmux', begin, { env: { ...process.env, ...env } });
      await tmux('set-option', '-g', 'remain-on-exit', 'on');
    },
    screen: async () => (await tmux('capture-pane', '-p')).stdout,
    key: async (name) => void (await tmux('send-keys', name)),
    type: async (text) => void (await tmux('send-keys', '-l', text)),
    async close() {
      await tmux('kill-server').catch(() => {}); // it was never started
      await rm(folder, { recursive: true });
    },
  };
}
