import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seeded } from '../../test/kit/clock.ts';
import { startPostgres, type TestPostgres } from '../../test/kit/postgres.ts';
import { type App, createApp } from '../app.ts';
import { modules } from '../modules/registry.ts';
import { issueKey } from '../platform/auth/issue.ts';
import type { AnyRoute } from '../platform/http/route.ts';
import { createLog } from '../platform/log/log.ts';
import { readSettings } from '../settings.ts';
import { Answers, collectionOf, type FuzzRequest, Requests } from './requests.kit.ts';
import { pick } from './values.kit.ts';

/** Requests of one run; `npm run fuzz -- http` multiplies them. */
const requestsOfRun = 3_000;
const concurrency = 8;
const timeoutMs = 60_000;
const { FUZZ_FACTOR = '1', FUZZ_SEED = '20261123' } = process.env;
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
const errorsByRequest = new Map<string, string>();

beforeAll(async () => {
  postgres = await startPostgres();
  home = await mkdtemp(join(tmpdir(), 'fuzz-'));
  const limits = { READ_LIMIT: '100000', WRITE_LIMIT: '100000', SUBMIT_LIMIT: '100000' };
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
  const { email, password } = messaging;
  const response = await fetch(`${url}/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  tenantId = ((await response.json()) as { tenant_id: string }).tenant_id;
});
afterAll(async () => {
  await app.close();
  await postgres.stop();
  await rm(home, { recursive: true });
});

function noteError(line: string): void {
  const { requestId, err } = JSON.parse(line) as {
    requestId?: string;
    err?: { message: string; stack: string };
  };
  if (requestId !== undefined) errorsByRequest.set(requestId, err?.stack ?? line);
}

const families = { einvoice: 'sk', messaging: 'jc' } as const;

/** A key of each service with every permission. */
async function newKeys(): Promise<Record<keyof typeof families, string>> {
  const { db, random } = app.platform;
  const keyOf = async (family: 'sk' | 'jc') => {
    const request = { family, environment: 'sandbox', name: 'fuzz', scopes: ['*'] } as const;
    return (await issueKey(db, tenantId, request, random)).text;
  };
  return { einvoice: await keyOf('sk'), messaging: await keyOf('jc') };
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
    const requests = new Requests(random, answers);
    const faults: Fault[] = [];
    const statuses = new Map<number, number>();
    let keys = await newKeys();
    let sent = 0;

    async function send({ row, service }: Target, n: number): Promise<void> {
      const request = requests.to(row);
      const id = `fuzz-${n}`;
      const { status, body } = await answerTo(request, keys[service], id);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status >= 200 && status < 300) answers.note(collectionOf(row.path), body);
      if (status === 500 || status === 0) {
        const logged = errorsByRequest.get(id) ?? String(body);
        faults.push({ request, status, logged });
      }
      errorsByRequest.delete(id);
      // It may have revoked its own key.
      if (status === 401 && !('public' in row.auth)) keys = await newKeys();
    }

    async function worker(): Promise<void> {
      while (sent < total) {
        sent += 1;
        // First each route once, those that make things before those that read them.
        const target = targets[sent - 1] ?? pick(random, targets);
        await send(target, sent);
      }
    }
    await Promise.all(Array.from({ length: concurrency }, worker));
    const rows = [...statuses].toSorted(([one], [other]) => one - other);
    console.log(
      `${total} requests, seed ${FUZZ_SEED}: ${rows.map((row) => row.join(' × ')).join(', ')}`,
    );
    expect(reportOf(faults)).toEqual([]);
  },
  (60 + total / 20) * 1_000,
);

/** Status 0: no answer. */
async function answerTo(
  { method, path, headers, body }: FuzzRequest,
  key: string,
  requestId: string,
): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'x-request-id': requestId, ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined || method === 'GET' ? {} : { body }),
    });
    const { status } = response;
    const type = response.headers.get('content-type') ?? '';
    if (!type.startsWith('application/json')) {
      await response.body?.cancel();
      return { status, body: undefined };
    }
    return { status, body: await response.json() };
  } catch (error) {
    return { status: 0, body: `${error} ${(error as Error).cause ?? ''}` };
  }
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
