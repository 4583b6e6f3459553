import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';

/** A port that nothing listens on, for a server that must be told its port. */
export async function freePort(): Promise<number> {
  return (await freePorts(1))[0]!;
}

/**
 * Free ports, chosen before: a node must start again on the port that its clients use. They are not
 * among those that the system gives by itself: while a node is down nobody else gets its port.
 */
export async function freePorts(count: number): Promise<number[]> {
  const end = await firstEphemeralPort();
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(lowestPort, end);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

const lowestPort = 10_000;

/** Where the system's own choice begins, for outgoing connections and for port 0. */
async function firstEphemeralPort(): Promise<number> {
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '');
  const first = Number.parseInt(range, 10);
  return first > lowestPort ? first : 32_768;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
}
