import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seeded } from '../../test/kit/clock.ts';
import { sqlAt, startMigratedPostgres, type TestPostgres } from '../../test/kit/postgres.ts';
import { type App, createApp } from '../app.ts';
import { openErp } from '../einvoice/erp.kit.ts';
import { setPrice } from '../messaging/tenants/wallet/price-store.ts';
import { topUp } from '../messaging/tenants/wallet/store.ts';
import { modules } from '../modules/registry.ts';
import { issueKey } from '../platform/auth/issue.ts';
import type { AnyRoute } from '../platform/http/route.ts';
import { newId } from '../platform/ids.ts';
import { createLog } from '../platform/log/log.ts';
import { readSettings } from '../settings.ts';
import { Answers, type FuzzRequest, Requests } from './requests.kit.ts';
import { pick } from './values.kit.ts';

/** Requests of one run; `npm run fuzz -- http` multiplies them. */
const requestsOfRun = 3_000;
const concurrency = 32;
const progressAfter = 5_000;
const shownFaults = 50;
const timeoutMs = 60_000;
const { FUZZ_FACTOR = '1', FUZZ_SEED = '20261123', FUZZ_KILL_MS = '0' } = process.env;
/** A server process of PostgreSQL is killed so often, upon which all of it starts anew; 0: never. */
const killMs = Number(FUZZ_KILL_MS);
const total = requestsOfRun * Number(FUZZ_FACTOR);

interface Fault {
  readonly request: FuzzRequest;
  readonly status: number;
  /** What the service logged of it. */
  readonly logged: string;
}

let postgres: TestPostgres;
let home: string;
let app: App;
let url: string;
let tenantId: string;
let device: string | undefined;
let killing: NodeJS.Timeout | undefined;
let owner: { readonly email: string; readonly password: string };
const errorsByRequest = new Map<string, string>();

beforeAll(async () => {
  postgres = await startMigratedPostgres();
  home = await mkdtemp(join(tmpdir(), 'fuzz-'));
  const limits = {
    READ_LIMIT: '100000',
    WRITE_LIMIT: '100000',
    SUBMIT_LIMIT: '100000',
    FAILED_KEY_LIMIT: '100000',
  };
  app = await createApp({
    settings: readSettings({
      DATABASE_URL: postgres.url,
      DRAWBRIDGE_HOME: home,
      HOST: '127.0.0.1',
      PORT: '0',
      SANDBOX_PORT: '0',
      CONNECTOR_ROOTS: join(home, 'roots'),
      ...limits,
    }),
    clock: () => new Date(),
    random: randomBytes,
    stopwatch: () => performance.now(),
    log: createLog({ level: 'error', destination: { write: noteError } }),
    modules,
    checkReplies: true,
  });
  ({ sandboxBaseUrl: url } = await app.listen());
  const { messaging } = JSON.parse(await readFile(join(home, 'credentials.json'), 'utf8'));
  owner = { email: messaging.email, password: messaging.password };
  ({ tenant_id: tenantId } = await signIn());
  await fillWallet();
  await addSource(join(home, 'roots', tenantId));
  if (killMs > 0) killing = setInterval(() => killDatabase().catch(() => {}), killMs);
});
afterAll(async () => {
  clearInterval(killing);
  await app.close();
  await postgres.stop();
  await rm(home, { recursive: true });
});

async function killDatabase(): Promise<void> {
  const [row] = await sqlAt<{ pid: number }>(
    postgres.url,
    `select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() order by random() limit 1`,
  );
  process.kill(row!.pid, 'SIGKILL');
}

function noteError(line: string): void {
  const { requestId, err } = JSON.parse(line) as {
    requestId?: string;
    err?: { message: string; stack: string };
  };
  if (requestId !== undefined) errorsByRequest.set(requestId, err?.stack ?? line);
}

interface SignedIn {
  readonly tenant_id: string;
  readonly access: string;
  readonly device: string;
}

/** As a known device, because the run spends the tries of all others. */
async function signIn(): Promise<SignedIn> {
  const response = await fetch(`${url}/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...owner, device }),
  });
  const signedIn = (await response.json()) as SignedIn;
  device = signedIn.device ?? device;
  return signedIn;
}

/** What only the host does: prices, and money to send with. */
async function fillWallet(): Promise<void> {
  const { db } = app.platform;
  const now = new Date();
  for (const channel of ['wa', 'sms', 'rcs', 'voice']) {
    const row = { channel, prefix: '', currency: 'USD', amount: '0.0001' };
    await db.system((tx) => setPrice(tx, row));
  }
  const change = { environment: 'sandbox', currency: 'USD', amount: '1000000', now } as const;
  const entryId = newId('wle', () => now, randomBytes);
  await db.tenant(tenantId, (tx) => topUp(tx, tenantId, { ...change, reference: 'fuzz', entryId }));
}

const families = { einvoice: 'sk', messaging: 'jc' } as const;

/** Documents of a source that can be read: few, because each is an invoice to be checked and sent. */
const sourceRefs = Array.from({ length: 40 }, (_, at) => `T-AE-${at + 1}`);

async function addSource(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const erp = openErp(join(folder, 'erp.db'), new Date());
  for (const ref of sourceRefs) expect(await erp.add('AE')).toBe(ref);
  erp.close();
}

type CredentialKind = keyof typeof families | 'session';

/** A key of each service with every permission, and a session of the owner; new ones for those that end. */
class Credentials {
  readonly #texts = new Map<CredentialKind, Promise<string>>();

  of(kind: CredentialKind): Promise<string> {
    const known = this.#texts.get(kind) ?? newCredential(kind);
    this.#texts.set(kind, known);
    return known;
  }

  /** That one was refused: a request may have revoked it, or ended its session. */
  async refused(kind: CredentialKind, text: string): Promise<void> {
    if ((await this.#texts.get(kind)) === text) this.#texts.delete(kind);
  }
}

async function newCredential(kind: CredentialKind): Promise<string> {
  if (kind === 'session') return (await signIn()).access;
  const { db, random } = app.platform;
  const request = {
    family: families[kind],
    environment: 'sandbox',
    name: 'fuzz',
    scopes: ['*'],
  } as const;
  return (await issueKey(db, tenantId, request, random)).text;
}

interface Target {
  readonly row: AnyRoute;
  readonly service: keyof typeof families;
}

test(
  'no request that its schema suggests is answered with 500',
  async () => {
    const targets: Target[] = modules.flatMap((module) =>
      module.describe().map((row) => ({ row, service: module.service })),
    );
    expect(targets.length).toBeGreaterThan(200);
    const random = seeded(Number(FUZZ_SEED));
    const answers = new Answers();
    for (const ref of sourceRefs) answers.remember('source_ref', ref);
    const requests = new Requests(random, answers);
    const faults: Fault[] = [];
    const statuses = new Map<number, number>();
    /** What the last request of an operation that never accepted one was answered. */
    const unaccepted = new Map(targets.map(({ row, service }) => [nameOf(row, service), '']));
    const weighted = targets.flatMap((target) => Array<Target>(weightOf(target.row)).fill(target));
    const credentials = new Credentials();
    let sent = 0;

    async function send({ row, service }: Target, n: number): Promise<void> {
      const request = requests.to(row);
      const id = `fuzz-${n}`;
      const kind = service === 'messaging' && random() < 0.3 ? 'session' : service;
      const credential = await credentials.of(kind);
      const { status, body } = await answerTo(request, credential, id);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status >= 200 && status < 300) {
        answers.note(request, body);
        unaccepted.delete(nameOf(row, service));
      } else if (status === 404) answers.forget(request);
      if (unaccepted.has(nameOf(row, service)))
        unaccepted.set(nameOf(row, service), `${status} ${JSON.stringify(body)?.slice(0, 150)}`);
      // An answer that has begun is broken off when its database is gone: it must not look whole.
      if (status === 500 || (status === 0 && killMs === 0)) {
        const logged = errorsByRequest.get(id) ?? String(body);
        faults.push({ request, status, logged });
        // At once, as a long run may be ended before its end.
        if (faults.length <= shownFaults) console.log(reportOf(faults.slice(-1)).join('\n'));
      }
      errorsByRequest.delete(id);
      if (status === 401 && !('public' in row.auth)) await credentials.refused(kind, credential);
    }

    async function worker(): Promise<void> {
      while (sent < total) {
        sent += 1;
        if (sent % progressAfter === 0) {
          console.log(`${sent} requests, ${faults.length} faults: ${shown(statuses)}`);
        }
        // First each route once, those that make things before those that read them.
        const target = targets[sent - 1] ?? pick(random, weighted);
        await send(target, sent);
      }
    }
    await Promise.all(Array.from({ length: concurrency }, worker));
    console.log(`${total} requests, seed ${FUZZ_SEED}: ${shown(statuses)}`);
    const refused = [...unaccepted].map(([name, answer]) => `${name}: ${answer}`);
    console.log(`Never answered with 2xx:\n${refused.join('\n')}`);
    expect(reportOf(faults)).toEqual([]);
    // Else the run would show that limits hold, and little of the routes behind them.
    expect(statuses.get(429) ?? 0).toBeLessThan(total / 10);
  },
  (60 + total / 20) * 1_000,
);

function shown(statuses: ReadonlyMap<number, number>): string {
  const rows = [...statuses].toSorted(([one], [other]) => one - other);
  return rows.map(([status, count]) => `${count} × ${status}`).join(', ');
}

/** Both services have operations of one name. */
function nameOf({ operationId }: AnyRoute, service: string): string {
  return `${service} ${operationId}`;
}

/**
 * Deleting is the exception, or there would be little to change; but for webhook endpoints, because
 * each event is work for all of them.
 */
function weightOf({ method, path }: AnyRoute): number {
  if (method === 'delete' || /webhook-endpoints\/?$/.test(path)) return 1;
  return method === 'get' ? 3 : 6;
}

/** Connections that are kept: `fetch` costs as much as the service's own part of many requests. */
const agent = new Agent({ keepAlive: true, maxSockets: concurrency });

interface Answer {
  /** 0: no answer. */
  readonly status: number;
  readonly body: unknown;
}

function answerTo(
  { method, path, headers, body }: FuzzRequest,
  credential: string,
  requestId: string,
): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const failed = (error: unknown) => resolve({ status: 0, body: String(error) });
  const sent = method === 'GET' ? '' : (body ?? '');
  const options = {
    method,
    agent,
    headers: {
      authorization: `Bearer ${credential}`,
      'x-request-id': requestId,
      // Node sends the body of a DELETE without it.
      ...(sent === '' ? {} : { 'content-length': Buffer.byteLength(sent) }),
      ...headers,
    },
    signal: AbortSignal.timeout(timeoutMs),
  };
  request(url + path, options, (response) => {
    const { statusCode: status = 0, headers: answered } = response;
    // A stream of events has no end.
    if (answered['content-type']?.startsWith('text/event-stream')) {
      response.destroy();
      resolve({ status, body: undefined });
      return;
    }
    buffer(response)
      .then((bytes) => resolve({ status, body: read(bytes, answered) }))
      .catch(failed);
  })
    .on('error', failed)
    .end(sent);
  return promise;
}

function read(bytes: Buffer, headers: IncomingHttpHeaders): unknown {
  const isJson = headers['content-type']?.startsWith('application/json');
  return isJson ? JSON.parse(bytes.toString()) : undefined;
}

/** One fault of each kind, with the request that shows it. */
function reportOf(faults: readonly Fault[]): string[] {
  const kinds = Map.groupBy(faults, ({ request, logged }) => {
    const lines = logged.split('\n').filter((line) => !line.includes('node_modules'));
    return `${request.operationId} ${lines.slice(0, 4).join('\n')}`;
  });
  return [...kinds].map(([kind, [first, ...more]]) => {
    const { method, path, headers, body } = first!.request;
    const shown = body === undefined ? '' : body.slice(0, 1_500);
    return `${more.length + 1} × ${kind}\n${method} ${path.slice(0, 500)}\n${JSON.stringify(headers).slice(0, 300)}\n${shown}`;
  });
}
