/**
 * The agent as a customer has it: an empty host with nothing but the release, a network whose only way out is
 * a proxy, a private CA, and a MariaDB; on the other side a whole control plane, whose access point is simulated.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type PeppolSimulator,
  startPeppolSimulator,
} from '../../control-plane/authorities/peppol/simulator.ts';
import { createErp } from '../../scripts/demo/erp.ts';
import { agentSections, mappings } from '../../scripts/demo/mappings.ts';
import { runAgent, startAgent } from '../kit/agent-process.ts';
import { Api, expectStatus } from '../kit/api.ts';
import { createCertificate } from '../kit/certificates.ts';
import { addLibraries, type EmptyRoot, installTools, makeEmptyRoot } from '../kit/empty-root.ts';
import { freePorts } from '../kit/free-ports.ts';
import { mariadbUnavailable, startMariadb, type TestMariadb } from '../kit/mariadb.ts';
import { type Namespace, namespaceObstacle, openNamespace } from '../kit/network-namespace.ts';
import { sqlAt, startPostgres, type TestPostgres } from '../kit/postgres.ts';
import { releaseUnavailable, testRelease } from '../kit/release.ts';
import { hasTinyproxy, startTinyproxy, type Tinyproxy } from '../kit/tinyproxy.ts';
import { startTlsFront, type TlsFront } from '../kit/tls-front.ts';
import { KillableNode } from './crash.kit.ts';

const run = promisify(execFile);
const buildMs = 900_000;
const documentCount = 1_000;
const home = '/root/agent';
const prefix = '/opt/drawbridge';

const obstacle =
  (await releaseUnavailable()) ??
  mariadbUnavailable() ??
  (hasTinyproxy() ? namespaceObstacle() : 'tinyproxy is not installed');
let postgres: TestPostgres;
let peppol: PeppolSimulator;
let node: KillableNode;
let api: Api;
let key: string;
let mariadb: TestMariadb;
let office: Namespace;
let proxy: Tinyproxy;
let front: TlsFront;
let folder: string;
let root: EmptyRoot;

beforeAll(async () => {
  if (obstacle !== undefined) return;
  const [from, to] = [await testRelease('0.1.0', 'whole'), await testRelease('0.2.0')];
  folder = await mkdtemp(join(tmpdir(), 'drawbridge-installed-'));
  root = await makeEmptyRoot(join(folder, 'root'), [...installTools, 'openssl']);
  await addLibraries(root.path, join(from.folder, 'drawbridge-linux-x64'));
  await cp(from.folder, join(root.path, 'release-0.1.0'), { recursive: true });
  await cp(to.folder, join(root.path, 'release-0.2.0'), { recursive: true });
  postgres = await startPostgres();
  await startControlPlane();
  mariadb = await startMariadb({ bindAddress: '0.0.0.0' });
  office = await openNamespace();
  const authority = createCertificate({ name: 'Works CA', isAuthority: true });
  const shown = createCertificate({ name: 'drawbridge', hosts: [office.far], issuer: authority });
  await writeFile(join(root.path, 'root/works-ca.pem'), authority.cert);
  front = await startTlsFront({ ...shown, host: office.far, to: node.sandboxUrl });
  proxy = await startTinyproxy({ host: office.near, user: 'anna', password: 'hu-sh' });
}, buildMs);
afterAll(async () => {
  if (obstacle !== undefined) return;
  await Promise.all([proxy.close(), front.close(), mariadb.stop()]);
  await office.close();
  await node.end('SIGTERM');
  await peppol.stop();
  await postgres.stop();
  await rm(folder, { recursive: true });
}, 60_000);

test('installed, enrolled, 1,000 documents of a MariaDB submitted, upgraded, rolled back, uninstalled', async (context) => {
  if (obstacle !== undefined) context.skip(obstacle);
  for (const path of [prefix, home])
    await rm(join(root.path, path), { recursive: true, force: true });

  const installed = await shell('/release-0.1.0/install.sh', '--prefix', prefix);
  expect(installed.stdout).toContain(`Installed ${prefix}/bin/drawbridge 0.1.0`);
  expect(await agent('verify')).toMatchObject({ code: 0 });

  const { token } = expectStatus(await api.post('/v1/agents/enrolment-tokens', {}), 201, 'a token');
  const enrol = ['enroll', '--url', front.url, '--ca-file', '/root/works-ca.pem', '--json'];
  const enrolled = await agent(...enrol, { input: token });
  expect(enrolled).toMatchObject({ code: 0 });

  const erp = await makeErp();
  await addSource();
  await running('0.1.0', () => connectHere(JSON.parse(enrolled.stdout).agent_id));
  await erp.add(documentCount);
  await addSource('--watch', '--replace');
  await running('0.1.0', () => allSubmitted(erp, documentCount));

  expect(await agent('upgrade', '--file', '/release-0.2.0')).toMatchObject({ code: 11 });
  await erp.add(1);
  await running('0.2.0', () => allSubmitted(erp, documentCount + 1));
  expect(await agent('upgrade', '--rollback')).toMatchObject({ code: 0 });
  await erp.add(1);
  await running('0.1.0', () => allSubmitted(erp, documentCount + 2));

  await shell('/release-0.1.0/install.sh', '--uninstall', '--prefix', prefix);
  expect(existsSync(join(root.path, prefix, 'bin/drawbridge'))).toBe(false);
  expect(existsSync(join(root.path, prefix, 'share/drawbridge'))).toBe(false);
  expect(existsSync(join(root.path, home))).toBe(true);
  await erp.close();
}, 900_000);

/** Nothing of this process's environment but where the programs of a host are. */
const env = () => ({ PATH: '/bin', HOME: '/root' });

function shell(...command: readonly string[]) {
  const [enter, ...args] = [...office.enter, ...root.enter, '/bin/sh', ...command];
  return run(enter!, args, { env: { ...env(), PATH: `/bin:${process.env.PATH}` } });
}

const program = () => [...office.enter, ...root.enter, `${prefix}/bin/drawbridge`] as const;

function settings(): Record<string, string> {
  const login = `anna:hu-sh@${proxy.host}:${proxy.port}`;
  return { HOME: '/root', HTTPS_PROXY: `http://${login}`, DRAWBRIDGE_WATCH_SECONDS: '1' };
}

function agent(...given: (string | { input: string })[]) {
  const args = given.filter((each) => typeof each === 'string');
  const input = given.find((each) => typeof each !== 'string')?.input ?? '';
  return runAgent(home, args, { program: program(), env: settings(), input });
}

/** Runs the installed agent while something is awaited of it. */
async function running(version: string, work: () => Promise<void>): Promise<void> {
  expect((await agent('--version')).stdout.trim()).toBe(version);
  const started = startAgent(home, settings(), program());
  try {
    await started.event('connected');
    await work();
  } finally {
    expect(await started.stop('SIGTERM')).toBe(0);
  }
}

/** A control plane as it is served, whose access point is the simulator. */
async function startControlPlane(): Promise<void> {
  peppol = await startPeppolSimulator({ clock: () => new Date(), random: Math.random });
  peppol.control.set({ mlsDelayMs: 200 });
  const authorities = join(folder, 'authorities.json');
  const credentials = { dialect: 'phoss-ap', token: 'sandbox-token' };
  const sandbox = { peppol: { baseUrl: peppol.url, credentials } };
  await writeFile(authorities, JSON.stringify({ sandbox }));
  const [port, sandboxPort] = await freePorts(2);
  const home = join(folder, 'node');
  node = new KillableNode(home, [port!, sandboxPort!], {
    DATABASE_URL: postgres.url,
    LOG_LEVEL: 'warn',
    AUTHORITIES_FILE: authorities,
    DRAWBRIDGE_SECRET_KEY: randomBytes(32).toString('base64'),
  });
  await node.start();
  const secrets = JSON.parse(await readFile(join(home, 'credentials.json'), 'utf8'));
  key = secrets.einvoicing.sandbox_key;
  api = new Api(node.sandboxUrl, key);
}

/** The source of the agent at the control plane: mapped, approved, and submitted from today on. */
async function connectHere(agentId: string): Promise<void> {
  const { name, fields } = mappings['BIS-3.0'];
  const made = await api.post('/v1/connectors', {
    pattern: 'agent',
    kind: 'agent',
    name,
    agent_id: agentId,
    settings: { connector: 'erp' },
    default_profile: 'BIS-3.0',
  });
  const connector = `/v1/connectors/${expectStatus(made, 201, 'a connector').id}`;
  const path = `${connector}/mapping`;
  const mapping = {
    profile: 'BIS-3.0',
    fields: fields.map((one) => ({ ...one, status: 'proposed' })),
  };
  expectStatus(await api.put(path, { mapping }), 200, 'a mapping');
  expectStatus(await api.post(`${path}/approve`, {}), 200, 'approving');
  const patched = await fetch(`${node.sandboxUrl}${connector}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ submit_from: new Date().toISOString().slice(0, 10) }),
  });
  expect(patched.status).toBe(200);
}

/** Until as many documents are with the access point, each once, and the ERP knows of each. */
async function allSubmitted(erp: TestErp, count: number): Promise<void> {
  const states = () =>
    sqlAt(postgres.url, 'select state, count(*)::int from invoice group by state order by state');
  await expect
    .poll(states, { timeout: 300_000, interval: 500 })
    .toEqual([{ state: 'delivered', count }]);
  await expect.poll(() => erp.confirmed(), { timeout: 120_000, interval: 500 }).toBe(count);
  const rows = await sqlAt(postgres.url, 'select count(distinct source_ref)::int from invoice');
  expect(rows).toEqual([{ count }]);
}

interface TestErp {
  /** Adds that many documents. */
  add(count: number): Promise<void>;
  /** Of how many documents a verdict was written back. */
  confirmed(): Promise<number>;
  close(): Promise<void>;
}

type Row = Readonly<Record<string, string | number | null>>;

/** The sample ERP in MariaDB, whose documents are copies of one of the sample's. */
async function makeErp(): Promise<TestErp> {
  const file = join(folder, 'erp.db');
  createErp(file, new Date());
  const sample = new Database(file, { readonly: true });
  const rowsOf = (sql: string) => sample.prepare(sql).all() as Row[];
  const erp = await mysql.createConnection(mariadb.url);
  const insert = async (table: string, rows: readonly Row[]) => {
    const columns = Object.keys(rows[0]!);
    const names = columns.map((column) => `\`${column}\``).join(', ');
    const values = rows.map((row) => columns.map((column) => row[column]));
    await erp.query(`insert into ${table} (${names}) values ?`, [values]);
  };
  for (const table of ['OCOMP', 'OCUST', 'OSALES', 'OLINES']) {
    const columns = rowsOf(`pragma table_info(${table})`).map(({ name }) => {
      return `\`${name}\` ${name === 'DOC_ID' || name === 'LINE_ID' ? 'bigint' : 'varchar(200)'}`;
    });
    const changed = table === 'OSALES' ? ', CHANGED datetime(6), unique (DOC_NO)' : '';
    await erp.query(`create or replace table ${table} (${columns.join(', ')}${changed})`);
  }
  await erp.query('alter table OLINES add key (DOC_ID)');
  for (const table of ['OCOMP', 'OCUST']) await insert(table, rowsOf(`select * from ${table}`));
  const [good] = rowsOf(`select * from OSALES where DOC_NO = '2026/00871'`);
  const lines = rowsOf(`select * from OLINES where DOC_ID = ${good!.DOC_ID}`);
  sample.close();
  await erp.query(`create or replace user reader identified by 'hu-sh'`);
  await erp.query('grant select, create, insert, update on erp.* to reader');
  let made = 0;
  return {
    async add(count) {
      const numbers = Array.from({ length: count }, (_, at) => made + at + 1);
      made += count;
      const now = new Date().toISOString().replace('T', ' ').replace('Z', '');
      await insert(
        'OLINES',
        numbers.flatMap((number) =>
          lines.map((line, at) => ({ ...line, DOC_ID: number, LINE_ID: number * 100 + at })),
        ),
      );
      await insert(
        'OSALES',
        numbers.map((number) => ({
          ...good!,
          DOC_ID: number,
          DOC_NO: `BE-${number}`,
          CHANGED: now,
        })),
      );
    },
    async confirmed() {
      const [rows] = await erp.query(
        `select count(*) as count from information_schema.tables where table_name = 'einv_status_sandbox'`,
      );
      if ((rows as Row[])[0]!.count === 0) return 0;
      const [written] = await erp.query(
        `select count(distinct source_ref) as count from einv_status_sandbox where status in ('submitted', 'delivered')`,
      );
      return (written as { count: number }[])[0]!.count;
    },
    close: () => erp.end(),
  };
}

async function addSource(...options: readonly string[]): Promise<void> {
  const source = {
    host: office.near,
    port: Number(new URL(mariadb.url).port),
    database: 'erp',
    user: 'reader',
    password: 'hu-sh',
    sections: agentSections,
    changes: { column: 'CHANGED', key: 'DOC_NO' },
  };
  await writeFile(join(root.path, 'root/erp.json'), JSON.stringify(source));
  const add = ['connector', 'add', 'mysql', '--name', 'erp', ...options];
  const added = await agent(...add, '--settings-file', '/root/erp.json');
  expect(added).toMatchObject({ code: 0 });
}
