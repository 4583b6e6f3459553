/**
 * The agent as a customer has it: an empty host with nothing but the release, a network whose only way out is
 * a proxy, a private CA, and a MariaDB.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newTenant, startNode, type TestNode } from '../../control-plane/agents/node.fixture.ts';
import { runAgent, startAgent } from '../kit/agent-process.ts';
import { createCertificate } from '../kit/certificates.ts';
import { addLibraries, type EmptyRoot, installTools, makeEmptyRoot } from '../kit/empty-root.ts';
import { mariadbUnavailable, startMariadb, type TestMariadb } from '../kit/mariadb.ts';
import { type Namespace, namespaceObstacle, openNamespace } from '../kit/network-namespace.ts';
import { startDb, type TestDb } from '../kit/postgres.ts';
import { releaseUnavailable, testRelease } from '../kit/release.ts';
import { hasTinyproxy, startTinyproxy, type Tinyproxy } from '../kit/tinyproxy.ts';
import { startTlsFront, type TlsFront } from '../kit/tls-front.ts';

const run = promisify(execFile);
const buildMs = 900_000;
const documentCount = 1_000;
const home = '/root/agent';
const prefix = '/opt/drawbridge';

const obstacle =
  (await releaseUnavailable()) ??
  mariadbUnavailable() ??
  (hasTinyproxy() ? namespaceObstacle() : 'tinyproxy is not installed');
let kit: TestDb;
let node: TestNode;
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
  kit = await startDb();
  node = await startNode(kit);
  mariadb = await startMariadb({ bindAddress: '0.0.0.0' });
  office = await openNamespace();
  const authority = createCertificate({ name: 'Works CA', isAuthority: true });
  const shown = createCertificate({ name: 'drawbridge', hosts: [office.far], issuer: authority });
  await writeFile(join(root.path, 'root/works-ca.pem'), authority.cert);
  front = await startTlsFront({ ...shown, host: office.far, to: node.url });
  proxy = await startTinyproxy({ host: office.near, user: 'anna', password: 'hu-sh' });
}, buildMs);
afterAll(async () => {
  if (obstacle !== undefined) return;
  await Promise.all([proxy.close(), front.close(), mariadb.stop()]);
  await office.close();
  await node.close();
  await kit.stop();
  await rm(folder, { recursive: true });
}, 60_000);

test('installed, enrolled, in step with MariaDB, upgraded, rolled back, uninstalled', async (context) => {
  if (obstacle !== undefined) context.skip(obstacle);
  for (const path of [prefix, home])
    await rm(join(root.path, path), { recursive: true, force: true });

  const installed = await shell('/release-0.1.0/install.sh', '--prefix', prefix);
  expect(installed.stdout).toContain(`Installed ${prefix}/bin/drawbridge 0.1.0`);
  expect(await agent('verify')).toMatchObject({ code: 0 });

  const tenantId = await newTenant(kit, randomUUID());
  const { body } = await node.request('POST', '/v1/agents/enrolment-tokens', tenantId, {});
  const enrol = ['enroll', '--url', front.url, '--ca-file', '/root/works-ca.pem', '--json'];
  const enrolled = await agent(...enrol, { input: body.token });
  expect(enrolled).toMatchObject({ code: 0 });

  const erp = await fillErp();
  await addConnector();
  await running('0.1.0', async () => {
    await expect.poll(() => refs().size, { timeout: 120_000 }).toBe(documentCount);
  });

  expect(await agent('upgrade', '--file', '/release-0.2.0')).toMatchObject({ code: 11 });
  await running('0.2.0', () => arrives(erp, 'AFTER-UPGRADE'));
  expect(await agent('upgrade', '--rollback')).toMatchObject({ code: 0 });
  await running('0.1.0', () => arrives(erp, 'AFTER-ROLL-BACK'));
  // The agent repeats what it is not certain of; the control plane counts a document once.
  expect(refs().size).toBe(documentCount + 2);

  await shell('/release-0.1.0/install.sh', '--uninstall', '--prefix', prefix);
  expect(existsSync(join(root.path, prefix, 'bin/drawbridge'))).toBe(false);
  expect(existsSync(join(root.path, prefix, 'share/drawbridge'))).toBe(false);
  expect(existsSync(join(root.path, home))).toBe(true);
  await erp.end();
}, 600_000);

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

function refs(): ReadonlySet<string> {
  return new Set(node.changes.flatMap((change) => change.refs));
}

async function arrives(erp: mysql.Connection, ref: string): Promise<void> {
  await erp.query('insert into invoice values (?, now(6))', [ref]);
  await expect.poll(() => refs().has(ref), { timeout: 60_000 }).toBe(true);
}

async function fillErp(): Promise<mysql.Connection> {
  const erp = await mysql.createConnection(mariadb.url);
  await erp.query(
    'create or replace table invoice (number varchar(40) primary key, changed datetime(6))',
  );
  await erp.query(
    `insert into invoice select concat('INV-', seq), now(6) from seq_1_to_${documentCount}`,
  );
  await erp.query(`create or replace user reader identified by 'hu-sh'`);
  await erp.query('grant select on erp.invoice to reader');
  return erp;
}

async function addConnector(): Promise<void> {
  const header = { table: 'invoice', key: 'number', match: 'number' };
  const source = {
    host: office.near,
    port: Number(new URL(mariadb.url).port),
    database: 'erp',
    user: 'reader',
    password: 'hu-sh',
    sections: { header },
    changes: { column: 'changed', key: 'number' },
    writeBack: { mode: 'none' },
  };
  await writeFile(join(root.path, 'root/erp.json'), JSON.stringify(source));
  const add = ['connector', 'add', 'mysql', '--name', 'erp', '--watch'];
  const added = await agent(...add, '--settings-file', '/root/erp.json');
  expect(added).toMatchObject({ code: 0 });
}
