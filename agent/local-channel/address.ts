import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';

/**
 * Where the agent of a home folder listens: a socket in the folder, which only its owner can enter. On Windows a
 * named pipe, whose name tells the folder.
 */
export function channelAddress(home: string, platform: NodeJS.Platform = process.platform): string {
  const folder = resolve(home);
  if (platform !== 'win32') return join(folder, 'agent.sock');
  const name = createHash('sha256').update(folder.toLowerCase()).digest('hex').slice(0, 32);
  return `\\\\.\\pipe\\drawbridge-${name}`;
}
