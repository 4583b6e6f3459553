/**
 * For tests of this folder: a whole control plane in this process, on a real database, with the
 * authorities' simulators, a sample ERP, and two tenants whose connectors are ready.
 *
 *   const harness = await startHarness();
 *   const { status, body } = await harness.call('POST /v1/invoices', { connector_id:
 * harness.acme.connector, … });
 *   await harness.stop();
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { mappings } from '../../scripts/demo/mappings.ts';
import { startMigratedPostgres } from '../../test/kit/postgres.ts';
import { type App, createApp } from '../app.ts';

import { createTenant, issueKey } from '../platform/auth/issue.ts';
import type { Environment } from '../platform/auth/principal.ts';
import { createLog } from '../platform/log/log.ts';
import { readSettings } from '../settings.ts';
import { webhooksModule } from '../webhooks/module.ts';
import { type Erp, erpSettings, openErp } from './erp.kit.ts';
import { einvoiceModule } from './module.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes; replies are checked against the schemas
  readonly body: any;
  readonly text: string;
}

export interface Caller {
  /** Default: acme's of the environment; null sends none. */
  readonly key?: string | null;
  /** The environment of the address that is called; default sandbox. */
  readonly environment?: Environment;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends these bytes instead of a JSON body. */
  readonly raw?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

interface HarnessTenant {
  readonly id: string;
  readonly keys: Readonly<Record<Environment, string>>;
  /** Reads the sample ERP; its mappings of all profiles are approved; default profile PINT-AE. */
  readonly connector: string;
}

export interface Harness {
  readonly app: App;
  /** Connection string of the database's owner. */
  readonly databaseUrl: string;
  readonly urls: Readonly<Record<Environment, string>>;
  readonly acme: HarnessTenant;
  readonly other: HarnessTenant;
  readonly erp: Erp;
  /** All log lines, of every level. */
  readonly logged: string[];
  /** As `call('GET /v1/invoices')`. */
  call(line: string, body?: unknown, caller?: Caller): Promise<Answer>;
  /** Submits a document of the sample ERP through acme's connector. */
  submit(sourceRef: string, over?: object, caller?: Caller): Promise<Answer>;
  /** The invoice once it is in one of the states. */
  until(id: string, states: readonly string[], caller?: Caller): Promise<Answer['body']>;
  /** Runs SQL as the application does for acme: it does not see rows of other tenants. */
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Moves the product's clock; the database's stays. */
  advance(milliseconds: number): void;
  stop(): Promise<void>;
}

const settleWaitMs = 15_000;

export async function startHarness(env: Readonly<Record<string, string>> = {}): Promise<Harness> {
  const postgres = await startMigratedPostgres();
  const home = await mkdtemp(join(tmpdir(), 'einvoice-'));
  const erp = openErp(join(home, 'erp.db'), new Date());
  const logged: string[] = [];
  let aheadMs = 0;
  const app = await createApp({
    settings: readSettings({
      DATABASE_URL: postgres.url,
      DRAWBRIDGE_HOME: home,
      CONNECTOR_ROOTS: join(home, 'roots'),
      HOST: '127.0.0.1',
      PORT: '0',
      SANDBOX_PORT: '0',
      DATABASE_POOL: '8',
      READ_LIMIT: '10000',
      WRITE_LIMIT: '10000',
      FAILED_KEY_LIMIT: '100000',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      // A busy machine is no fault here.
      LATE_MS: '60000',
      ...env,
    }),
    clock: () => new Date(Date.now() + aheadMs),
    random: randomBytes,
    stopwatch: () => performance.now(),
    log: createLog({
      level: 'debug',
      destination: { write: (line: string) => void logged.push(line) },
      hasTraceIds: env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    }),
    modules: [webhooksModule, einvoiceModule],
    checkReplies: true,
  });
  const { baseUrl: live, sandboxBaseUrl: sandbox } = await app.listen();
  const urls = { live, sandbox };
  const [acme, other] = [
    await addTenant(app, urls, erp, home),
    await addTenant(app, urls, erp, home),
  ];
  const call: Harness['call'] = (line, body, caller = {}) => {
    const { environment = 'sandbox', key = acme.keys[environment] } = caller;
    return send(urls[environment], line, body, { ...caller, key });
  };
  return {
    app,
    databaseUrl: postgres.url,
    urls,
    acme,
    other,
    erp,
    logged,
    call,
    submit: (source_ref, over = {}, caller) =>
      call('POST /v1/invoices', { connector_id: acme.connector, source_ref, ...over }, caller),
    until: (id, states, caller) =>
      until(() => call(`GET /v1/invoices/${id}`, undefined, caller), states),
    sql: (text, values) => app.platform.db.tenant(acme.id, (tx) => tx.rows(text, values)),
    advance: (milliseconds) => {
      aheadMs += milliseconds;
    },
    stop: async () => {
      await app.close();
      erp.close();
      await postgres.stop();
      await rm(home, { recursive: true });
    },
  };
}

async function addTenant(
  { platform }: App,
  urls: Harness['urls'],
  erp: Erp,
  home: string,
): Promise<HarnessTenant> {
  const { db, random } = platform;
  const id = await createTenant(db, 'Test', platform);
  // Both tenants read the one ERP: a host may let a tenant's folder be a link.
  await mkdir(join(home, 'roots'), { recursive: true });
  await symlink(home, join(home, 'roots', id));
  const issue = async (environment: Environment) =>
    (await issueKey(db, id, { family: 'sk', environment, name: 'test' }, random)).text;
  const keys = { live: await issue('live'), sandbox: await issue('sandbox') };
  const call = (line: string, body: unknown) =>
    send(urls.sandbox, line, body, { key: keys.sandbox });
  const { body: connector } = await call('POST /v1/connectors', {
    pattern: 'database',
    kind: 'sqlite',
    name: 'Sample ERP',
    default_profile: 'PINT-AE',
    // Tests submit one document many times.
    duplicates: 'warn',
    settings: erpSettings(erp.file),
  });
  for (const [profile, { fields }] of Object.entries(mappings)) {
    const approved = fields.map((field) => ({ ...field, status: 'approved' }));
    const path = `/v1/connectors/${connector.id}/mapping?profile=${profile}`;
    const { status, text } = await call(`PUT ${path}`, { mapping: { fields: approved } });
    if (status !== 200) throw new Error(text);
  }
  return { id, keys, connector: connector.id };
}

async function send(url: string, line: string, body: unknown, caller: Caller): Promise<Answer> {
  const [method = '', path = ''] = line.split(' ');
  const { key, headers = {}, raw, signal } = caller;
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent as string | Uint8Array<ArrayBuffer> }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== '' ? JSON.parse(text) : text,
    text,
  };
}

async function until(
  read: () => Promise<Answer>,
  states: readonly string[],
): Promise<Answer['body']> {
  const end = performance.now() + settleWaitMs;
  for (;;) {
    const { body } = await read();
    if (states.includes(body.status)) return body;
    if (performance.now() > end) throw new Error(`still ${JSON.stringify(body)}`);
    await delay(10);
  }
}
