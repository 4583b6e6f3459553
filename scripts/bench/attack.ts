import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Validator } from '@drawbridge/validation/validate.ts';
import { Pool } from 'undici';
import {
  DocumentChecker,
  documentThread,
} from '../../control-plane/einvoice/document-checks/document-checker.ts';
import { createTenant, issueKey } from '../../control-plane/platform/auth/issue.ts';
import { openThreadPool } from '../../control-plane/platform/concurrency/thread-pool.ts';
import { appRoleOf } from '../../control-plane/platform/db/app-role.ts';
import { openDb } from '../../control-plane/platform/db/database.ts';
import { Client } from './client.ts';
import { type ControlPlane, Environment, type Running, watchMemory } from './environment.ts';
import { createErp, erpSettings } from './erp.ts';
import { type Bench, type Figure, figuresOf } from './figure.ts';
import { invoiceOf } from './sample-invoices.ts';
import { makeConnector } from './set-up.ts';
import { quantiles } from './timing.ts';

const figure = figuresOf('attack');
const documentCount = 2_000;
/** Of the attacker: each pulled document has as many lines as a mapping takes. */
const largeDocuments = 16;
const largeDocumentLines = 10_000;
const warmSeconds = 3;
const quietSeconds = 10;
const attackSeconds = 30;
/** Submissions a second of the tenant that means no harm; questions a second after the health. */
const rates = { submissions: 20, health: 20 };
const submissionsMs = 1_000 / rates.submissions;
const healthMs = 1_000 / rates.health;

/**
 * How long others wait while a tenant sends what is meant to hold the process: `/healthz`, and the
 * submissions of another tenant beside what they take when all is quiet. Then what threads do alone.
 */
export const attack: Bench = {
  name: 'attack',
  title: 'Others, while one tenant attacks',
  run: async () => {
    const environment = await Environment.open();
    try {
      const threads = await threadFigures(); // first, as what the attacker sent is worked on for long
      return [...(await measure(environment)), ...threads];
    } finally {
      await environment.close();
    }
  },
};

async function measure(environment: Environment): Promise<Figure[]> {
  const { file } = await environment.startAuthority();
  const control = await environment.startControlPlane({ AUTHORITIES_FILE: file });
  const connector = await connectorOf(control, control, documentCount);
  const attacker = await startAttacker(environment, control);
  const next = nextOf(connector);
  await observe(control, next, warmSeconds);
  const quiet = await observe(control, next, quietSeconds);
  const peak = watchMemory(control.pid);
  attacker.write('go\n');
  const attacked = await observe(control, next, attackSeconds);
  const told = await attacker.ended;
  console.error(told.trim().split('\n').at(-1));
  return [
    figure('GET /healthz when quiet, p99', quiet.health(0.99), 'ms'),
    figure('GET /healthz, p99', attacked.health(0.99), 'ms', { is: 'at-most', value: 100 }),
    figure('GET /healthz, longest', attacked.health(1), 'ms'),
    figure('POST /v1/invoices when quiet, p95', quiet.submissions(0.95), 'ms'),
    figure('POST /v1/invoices of another tenant, p95', attacked.submissions(0.95), 'ms'),
    figure(
      'POST /v1/invoices of another tenant, p95',
      attacked.submissions(0.95) / quiet.submissions(0.95),
      '× when quiet',
      { is: 'at-most', value: 3 },
    ),
    figure('refused or failed, of another tenant', attacked.failed, 'requests', {
      is: 'at-most',
      value: 0,
    }),
    figure('memory of the service, highest', await peak(), 'MiB'),
  ];
}

interface Observed {
  /** Milliseconds that a share of the answers did not exceed. */
  health(share: number): number;
  submissions(share: number): number;
  readonly failed: number;
}

interface Source {
  readonly id: string;
  readonly refs: readonly string[];
}

/** Bodies that submit one document after another, none of them twice. */
function nextOf({ id, refs }: Source): () => string {
  const left = refs.values();
  return () => JSON.stringify({ connector_id: id, source_ref: left.next().value });
}

/** Asks at a fixed rate, whatever the answers take: a late answer is not spared the next question. */
async function observe(
  { baseUrl, key }: ControlPlane,
  next: () => string,
  seconds: number,
): Promise<Observed> {
  // Enough connections for each question to be asked at its time: none waits here for another.
  const pool = new Pool(baseUrl, { connections: seconds * rates.submissions, pipelining: 1 });
  const own = new Pool(baseUrl, { connections: seconds * rates.health, pipelining: 1 });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const health: number[] = [];
  const submissions: number[] = [];
  let failed = 0;
  const timed = async (times: number[], ask: () => Promise<number>, expected: number) => {
    const begun = performance.now();
    const status = await ask().catch(() => 0);
    times.push(performance.now() - begun);
    if (status !== expected) failed += 1;
  };
  const submit = async () => {
    const answer = await pool.request({
      method: 'POST',
      path: '/v1/invoices',
      headers,
      body: next(),
    });
    await answer.body.dump();
    return answer.statusCode;
  };
  const ask = async () => {
    const answer = await own.request({ method: 'GET', path: '/healthz' });
    await answer.body.dump();
    return answer.statusCode;
  };
  await Promise.all([
    paced(seconds * rates.submissions, submissionsMs, () => timed(submissions, submit, 202)),
    paced(seconds * rates.health, healthMs, () => timed(health, ask, 200)),
  ]);
  await Promise.all([pool.close(), own.close()]);
  return { health: quantiles(health), submissions: quantiles(submissions), failed };
}

async function paced(count: number, everyMs: number, work: () => Promise<void>): Promise<void> {
  const begun = performance.now();
  const all: Promise<void>[] = [];
  for (let at = 0; at < count; at += 1) {
    await delay(Math.max(0, begun + at * everyMs - performance.now()));
    all.push(work());
  }
  await Promise.all(all);
}

interface Tenant {
  readonly key: string;
  /** That its connectors may read. */
  readonly folder: string;
}

/** A connector of a tenant to an ERP of its own. */
async function connectorOf(
  { baseUrl }: ControlPlane,
  { key, folder }: Tenant,
  documents: number,
  lines?: number,
): Promise<Source> {
  const path = join(folder, 'erp.sqlite');
  const refs = createErp(path, documents, new Date(), lines);
  const client = new Client(baseUrl, key, 1);
  const settings = erpSettings(path, { mode: 'none' });
  const id = await makeConnector(client, { pattern: 'database', kind: 'sqlite', settings });
  await client.close();
  return { id, refs };
}

/** Another tenant, with an ERP of large documents, as a process that waits for its sign. */
async function startAttacker(environment: Environment, control: ControlPlane): Promise<Running> {
  const db = await openDb({ url: appRoleOf(environment.databaseUrl).url });
  const chance = { clock: () => new Date(), random: randomBytes };
  const id = await createTenant(db, 'Attacker', chance);
  const wanted = { family: 'sk', environment: 'sandbox', name: 'bench' } as const;
  const { text: key } = await issueKey(db, id, wanted, randomBytes);
  await db.close();
  const folder = join(dirname(control.folder), id);
  await mkdir(folder, { recursive: true });
  const large = await connectorOf(control, { key, folder }, largeDocuments, largeDocumentLines);
  const given = [control.baseUrl, key, large.id, String(attackSeconds), ...large.refs];
  return environment.start(['scripts/bench/attacker.ts', ...given], {});
}

const linesOfThreads = 3_000;
/** Until the code of a new thread is compiled. */
const warmDocumentsOfThread = 24;
const documentsOfThreads = 48;

/** The step that threads do, alone: as many documents at once as there are threads. */
async function threadFigures(): Promise<Figure[]> {
  const invoice = { profile: 'BIS-3.0', invoice: invoiceOf('BIS-3.0', linesOfThreads) };
  const body = JSON.stringify(invoice);
  const perSecond: number[] = [];
  for (const threads of [1, 2]) {
    const pool = openThreadPool({ program: documentThread, threads });
    const checker = new DocumentChecker(new Validator(), pool);
    const check = async (count: number) => {
      const all = Array.from({ length: count }, (_, at) =>
        checker.report(`tenant ${at}`, new TextEncoder().encode(body)),
      );
      await Promise.all(all);
    };
    await check(threads * warmDocumentsOfThread);
    const begun = performance.now();
    await check(documentsOfThreads);
    perSecond.push((documentsOfThreads * 1_000) / (performance.now() - begun));
    await pool.close();
  }
  const [one, two] = perSecond as [number, number];
  const name = `checks of ${linesOfThreads} lines, ${(body.length / 1e6).toFixed(1)} MB`;
  return [
    figure(`${name}, 1 thread`, one, 'documents/s'),
    figure(`${name}, 2 threads`, two, 'documents/s'),
    figure(`${name}, 2 threads`, two / one, '× 1 thread'),
  ];
}
