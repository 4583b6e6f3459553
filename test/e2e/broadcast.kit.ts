/** For crash tests of broadcasts: nodes that are killed, and a provider that keeps running. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createTenant, issueKey } from '@drawbridge/control-plane/platform/auth/issue.ts';
import { appRoleOf } from '@drawbridge/control-plane/platform/db/app-role.ts';
import { openDb } from '@drawbridge/control-plane/platform/db/database.ts';
import { type Call, clientOf } from '../kit/campaign.ts';
import { freePorts } from '../kit/free-ports.ts';
import { KillableNode, type KillablePostgres, openFolder, startPostgres } from './crash.kit.ts';

const root = join(import.meta.dirname, '../..');

/** A message in the provider's own log. */
export interface Logged {
  readonly id: string;
  readonly at: string;
  readonly to: string;
  readonly reference: string;
  readonly isAnswerLost?: true;
}

interface Provider {
  readonly url: string;
  log(): Promise<Logged[]>;
  counts(): Promise<{
    readonly accepted: number;
    readonly doubled: number;
    readonly reports: Readonly<Record<string, number>>;
  }>;
  /** Moves its clock forward, so that repeated reports are sent now. */
  advance(ms: number): Promise<void>;
  stop(): Promise<void>;
}

/** A gateway in a separate process, which accepts messages and loses that share of its answers. */
async function startProvider(answersLost: number): Promise<Provider> {
  const words = ['--lose-answers', String(answersLost), '--rate', '0', '--people', 'prompt'];
  const child = spawn(process.execPath, ['scripts/simulate.ts', 'generic-http-sms', ...words], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await listening(child);
  const ask = async (path: string) => (await fetch(`${url}/_control/${path}`)).text();
  return {
    url,
    log: async () =>
      (await ask('log'))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Logged),
    counts: async () => JSON.parse(await ask('counts')).messages,
    advance: async (ms) => {
      const body = JSON.stringify({ advance_ms: ms });
      await fetch(`${url}/_control/clock`, { method: 'POST', body });
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

async function listening(child: ChildProcess): Promise<string> {
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  return /listening on (\S+)/.exec(line.toString('utf8'))![1]!;
}

export interface BroadcastHarness {
  readonly postgres: KillablePostgres;
  readonly nodes: readonly KillableNode[];
  readonly provider: Provider;
  /** Calls a node that is up. */
  readonly call: Call;
  /** The same for another tenant. */
  readonly callOfOther: Call;
  stop(): Promise<void>;
}

/** Two nodes behind one address, which also receives the provider's reports. */
export async function startBroadcastHarness(answersLost: number): Promise<BroadcastHarness> {
  const folder = await openFolder();
  const postgres = await startPostgres(folder.path);
  const provider = await startProvider(answersLost);
  const ports = await freePorts(4);
  const nodes: KillableNode[] = [];
  const door = await startTcpProxy(() => {
    const up = nodes.filter((node) => node.isUp);
    const node = up[Math.floor(Math.random() * up.length)] ?? nodes[0]!;
    return Number(new URL(node.sandboxUrl).port);
  });
  const env = {
    ...(await files(folder.path, provider.url)),
    DATABASE_URL: postgres.url,
    DATABASE_POOL: '10',
    LOG_LEVEL: 'warn',
    SHUTDOWN_MS: '3000',
    DRAWBRIDGE_SECRET_KEY: randomBytes(32).toString('base64'),
    SANDBOX_PUBLIC_URL: door.url,
    // For this long nobody takes the jobs of a killed node.
    JOB_LEASE_MS: '2000',
    JOB_LOSSES_MAX: '1000',
    SUBMIT_LIMIT: '10000',
    READ_LIMIT: '10000',
  };
  for (const at of [0, 1]) {
    const own = [ports[at * 2]!, ports[at * 2 + 1]!] as const;
    nodes.push(new KillableNode(join(folder.path, `node-${at}`), own, env));
    await nodes[at]!.start();
  }
  const path = join(nodes[0]!.home, 'credentials.json');
  const { messaging } = JSON.parse(await readFile(path, 'utf8'));
  return {
    postgres,
    nodes,
    provider,
    call: clientOf(door.url, messaging.sandbox_key),
    callOfOther: clientOf(door.url, await keyOfOther(postgres.url)),
    stop: async () => {
      await Promise.all(nodes.map((node) => node.end('SIGTERM')));
      await provider.stop();
      await door.close();
      await postgres.stop();
      await folder.remove();
    },
  };
}

/** A key of a tenant that is made here. */
async function keyOfOther(url: string): Promise<string> {
  const db = await openDb({ url: appRoleOf(url).url });
  const tenantId = await createTenant(db, 'Other', {
    clock: () => new Date(),
    random: randomBytes,
  });
  const request = { family: 'jc', environment: 'sandbox', name: 'other' } as const;
  const { text } = await issueKey(
    db,
    tenantId,
    { ...request, scopes: ['role:owner'] },
    randomBytes,
  );
  await db.close();
  return text;
}

/** The gateway's address; other simulators of the sandbox are not needed. */
async function files(folder: string, gateway: string): Promise<Record<string, string>> {
  const settings = await (await fetch(`${gateway}/_control/settings`)).json();
  const nobody = { base_url: 'http://127.0.0.1:9' };
  const others = ['whatsapp', 'twilio-sms', 'plivo-sms', 'vonage-sms', 'telegram', 'google-rcs'];
  const sandbox = {
    ...Object.fromEntries(others.map((provider) => [provider, nobody])),
    'generic-http-sms': { base_url: gateway, settings },
  };
  const unused = { baseUrl: nobody.base_url, credentials: {} };
  const [channels, authorities] = [join(folder, 'channels.json'), join(folder, 'authorities.json')];
  await writeFile(channels, JSON.stringify({ sandbox }));
  await writeFile(authorities, JSON.stringify({ sandbox: { peppol: unused, myinvois: unused } }));
  return { CHANNELS_FILE: channels, AUTHORITIES_FILE: authorities };
}

/** A proxy to a node that is up. */
async function startTcpProxy(
  target: () => number,
): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((inside) => {
    const outside = connect(target(), '127.0.0.1');
    for (const socket of [inside, outside]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        inside.destroy();
        outside.destroy();
      });
    }
    inside.pipe(outside).pipe(inside);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
