/** For tests of this folder: the messaging service on real sockets and a real database. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMigratedPostgres } from '../../test/kit/postgres.ts';
import { type App, createApp } from '../app.ts';
import type { Module } from '../modules/contract.ts';
import type { Role } from '../people/roles/messaging-roles.ts';
import { createTenant, issueKey } from '../platform/auth/issue.ts';
import type { Environment } from '../platform/auth/principal.ts';
import { newId } from '../platform/ids.ts';
import { createLog } from '../platform/log/log.ts';
import { readSettings } from '../settings.ts';
import { findApp } from './apps/store.ts';
import { messagingModule } from './module.ts';
import { setPrice } from './tenants/wallet/price-store.ts';
import { topUp } from './tenants/wallet/store.ts';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes, each looked at by its test
  readonly body: any;
  readonly headers: Headers;
}

interface Ask {
  readonly body?: unknown;
  /** A key or a token; default: the owner's key of the environment. */
  readonly as?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly on?: Environment;
}

export interface ServiceKit {
  readonly app: App;
  readonly home: string;
  readonly ownerUrl: string;
  /** The address of the sandbox. */
  readonly url: string;
  readonly tenantId: string;
  readonly strangerId: string;
  readonly owner: { readonly email: string; readonly password: string };
  /** Moves the service's clock on. */
  later(ms: number): void;
  /** `ask('GET /contacts/')`; the default is the sandbox. */
  ask(line: string, ask?: Ask): Promise<Answer>;
  /** Sends a body unchanged, in the sandbox as the owner. */
  send(path: string, body: string | FormData, headers?: Record<string, string>): Promise<Answer>;
  /** The settings of an app with their secrets, which the API never shows. */
  settingsOf(appId: string): Promise<Readonly<Record<string, string>>>;
  /** Sets a price of the host, and fills the sandbox's wallet. */
  fund(channel: string, prefix: string, price: string, amount: string): Promise<void>;
  /** A new key in the role. */
  keyOf(role: Role | '*', tenantId?: string, environment?: Environment): Promise<string>;
  stop(): Promise<void>;
}

/** `more`: environment variables in addition to those of every test; `others`: more modules. */
export async function startService(
  more: Readonly<Record<string, string>> = {},
  others: readonly Module[] = [],
): Promise<ServiceKit> {
  const postgres = await startMigratedPostgres();
  const home = await mkdtemp(join(tmpdir(), 'messaging-'));
  let offsetMs = 0;
  const app = await createApp({
    settings: readSettings({
      DATABASE_URL: postgres.url,
      DRAWBRIDGE_HOME: home,
      HOST: '127.0.0.1',
      PORT: '0',
      SANDBOX_PORT: '0',
      READ_LIMIT: '10000',
      WRITE_LIMIT: '10000',
      FAILED_KEY_LIMIT: '100000',
      // A busy machine is no fault here.
      LATE_MS: '60000',
      ...more,
    }),
    clock: () => new Date(Date.now() + offsetMs),
    random: randomBytes,
    stopwatch: () => performance.now(),
    log: createLog({ level: 'silent' }),
    modules: [messagingModule, ...others],
    checkReplies: true,
  });
  const { baseUrl, sandboxBaseUrl } = await app.listen();
  const { messaging } = JSON.parse(await readFile(join(home, 'credentials.json'), 'utf8'));
  const { db } = app.platform;
  const ask = async (
    line: string,
    { body, as, on = 'sandbox', headers = {} }: Ask = {},
  ): Promise<Answer> => {
    const [method = '', path = ''] = line.split(' ');
    const token = as ?? (on === 'live' ? messaging.live_key : messaging.sandbox_key);
    const response = await fetch((on === 'live' ? baseUrl : sandboxBaseUrl) + path, {
      method,
      headers: {
        ...headers,
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return answerOf(response);
  };
  const tenantId = (await ask('POST /token/', { as: '', body: signInOf(messaging) })).body
    .tenant_id as string;
  return {
    app,
    home,
    ownerUrl: postgres.url,
    url: sandboxBaseUrl,
    tenantId,
    ask,
    owner: signInOf(messaging),
    send: async (path, body, headers = {}) => {
      const authorization = `Bearer ${messaging.sandbox_key}`;
      const all = { authorization, ...headers };
      const request = { method: 'POST', headers: all, body, duplex: 'half' } as RequestInit;
      return answerOf(await fetch(sandboxBaseUrl + path, request));
    },
    strangerId: await createTenant(db, 'Stranger', app.platform),
    later: (ms) => {
      offsetMs += ms;
    },
    ...storesOf(app, tenantId),
    keyOf: async (role, of = tenantId, environment = 'sandbox') => {
      const scopes = [role === '*' ? '*' : `role:${role}`];
      const request = { family: 'jc', environment, name: role, scopes } as const;
      return (await issueKey(db, of, request, randomBytes)).text;
    },
    stop: async () => {
      await app.close();
      await postgres.stop();
      await rm(home, { recursive: true });
    },
  };
}

/** What no route does: the host's settings, and secrets. */
function storesOf({ platform }: App, tenantId: string): Pick<ServiceKit, 'settingsOf' | 'fund'> {
  const { db, secrets } = platform;
  return {
    settingsOf: async (appId) => {
      const scope = { tenantId, environment: 'sandbox' } as const;
      const row = await db.tenant(tenantId, (tx) => findApp(tx, scope, appId));
      return JSON.parse(secrets.open(row!.settings, appId));
    },
    fund: async (channel, prefix, price, amount) => {
      const now = new Date();
      const row = { channel, prefix, currency: 'USD', amount: price };
      await db.system((tx) => setPrice(tx, row));
      const change = { environment: 'sandbox', currency: 'USD', amount, now } as const;
      const reference = randomBytes(8).toString('hex');
      const entryId = newId('wle', () => now, randomBytes);
      await db.tenant(tenantId, (tx) => topUp(tx, tenantId, { ...change, reference, entryId }));
    },
  };
}

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  return {
    status,
    body: headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
    headers,
  };
}

function signInOf({ email, password }: { email: string; password: string }) {
  return { email, password };
}
