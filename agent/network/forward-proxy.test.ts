/** An agent in a network whose only way out is a real forward proxy. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newTenant, startNode, type TestNode } from '../../control-plane/agents/node.fixture.ts';
import { agentProgram, runAgent, startAgent } from '../../test/kit/agent-process.ts';
import { createCertificate } from '../../test/kit/certificates.ts';
import { eventually } from '../../test/kit/eventually.ts';
import {
  type Namespace,
  namespaceObstacle,
  openNamespace,
} from '../../test/kit/network-namespace.ts';
import { startDb, type TestDb } from '../../test/kit/postgres.ts';
import { hasTinyproxy, startTinyproxy, type Tinyproxy } from '../../test/kit/tinyproxy.ts';
import { startTlsFront, type TlsFront } from '../../test/kit/tls-front.ts';

const obstacle = hasTinyproxy() ? namespaceObstacle() : 'tinyproxy is not installed';
const works = createCertificate({ name: 'Works CA', isAuthority: true });
let kit: TestDb;
let node: TestNode;
let front: TlsFront;
let office: Namespace;
let proxy: Tinyproxy;
let folder: string;
let home: string;
let tenantId: string;

beforeAll(async () => {
  if (obstacle !== undefined) return;
  kit = await startDb();
  node = await startNode(kit);
  tenantId = await newTenant(kit, randomUUID());
  office = await openNamespace();
  const shown = createCertificate({ name: 'drawbridge', hosts: [office.far], issuer: works });
  front = await startTlsFront({ ...shown, host: office.far, to: node.url });
  proxy = await startTinyproxy({ host: office.near, user: 'anna', password: 'hu-sh' });
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-proxy-'));
  writeFileSync(join(folder, 'ca.pem'), works.cert);
});
afterAll(async () => {
  if (obstacle !== undefined) return;
  await proxy.close();
  await front.close();
  await office.close();
  await node.close();
  await kit.stop();
  rmSync(folder, { recursive: true });
});
beforeEach((context) => {
  if (obstacle !== undefined) context.skip(obstacle);
});

const program = () => [...office.enter, ...agentProgram] as const;
const address = (login = '') => `http://${login}${proxy.host}:${proxy.port}`;
const throughProxy = () => ({
  HTTPS_PROXY: address('anna:hu-sh@'),
  DRAWBRIDGE_FILE_ROOTS: folder,
});

const readRefs = () => node.batches.flatMap(({ refs }) => refs);

async function enrol(env: Record<string, string>, ...more: string[]) {
  const { body } = await node.request('POST', '/v1/agents/enrolment-tokens', tenantId, {});
  const args = ['enroll', '--url', front.url, '--json', ...more];
  return runAgent(home, args, { input: body.token, env, program: program() });
}

test.each([
  { what: 'without a proxy', env: () => ({}), says: /no way there \(ENETUNREACH\)/ },
  {
    what: 'with a proxy that wants a password',
    env: () => ({ HTTPS_PROXY: address() }),
    says: /asks for a user name and a password, and its address has none \(HTTP 407\)/,
  },
  {
    what: 'with a wrong password',
    env: () => ({ https_proxy: address('anna:guessed@') }),
    says: /does not take the user name and the password of its address/,
  },
  {
    what: 'past the proxy by NO_PROXY',
    env: () => ({ ...throughProxy(), NO_PROXY: `${office.far}/16` }),
    says: /no way there/,
  },
  {
    what: 'without the CA of the certificate',
    env: throughProxy,
    says: /a CA that this host does not trust.*DRAWBRIDGE_CA_FILE/,
  },
])('$what an enrolment says why it fails, and names no password', async ({ env, says }) => {
  home = join(folder, randomUUID());
  const ran = await enrol(env());
  expect(ran.code).toBe(1);
  expect(ran.stderr).toMatch(says);
  expect(ran.stdout + ran.stderr).not.toMatch(/hu-sh|guessed/);
});

test('an agent enrols, links and syncs through the proxy, also after it was restarted', async () => {
  home = join(folder, randomUUID());
  const env = throughProxy();
  const enrolled = await enrol(env, '--ca-file', join(folder, 'ca.pem'));
  expect(enrolled).toMatchObject({ code: 0, stderr: '' });
  const erp = addErp();
  const add = ['connector', 'add', 'sqlite', '--name', 'erp', '--watch'];
  const file = join(folder, 'erp.json');
  const added = await runAgent(home, [...add, '--settings-file', file], { env });
  expect(added).toMatchObject({ code: 0 });

  const watched = { ...env, DRAWBRIDGE_WATCH_SECONDS: '1' };
  const agent = startAgent(home, watched, program());
  try {
    await agent.event('connected');
    await eventually(() => expect(readRefs()).toContain('INV-1'));
    await proxy.stop();
    await agent.event('redialling');
    erp.exec(`insert into invoice values ('INV-2', '2026-11-22')`);
    await proxy.start();
    await agent.event('connected');
    await eventually(() => expect(readRefs()).toContain('INV-2'));
    await checkDoctor(env);
  } finally {
    await agent.stop('SIGTERM');
    erp.close();
  }
});

function addErp(): Database.Database {
  const file = join(folder, 'erp.db');
  const erp = new Database(file);
  erp.exec(`create table if not exists invoice (number text primary key, changed text);
    insert or ignore into invoice values ('INV-1', '2026-11-21')`);
  const header = { table: 'invoice', key: 'number', match: 'number' };
  const changes = { column: 'changed', key: 'number' };
  writeFileSync(join(folder, 'erp.json'), JSON.stringify({ file, sections: { header }, changes }));
  return erp;
}

async function checkDoctor(env: Record<string, string>): Promise<void> {
  const ran = await runAgent(home, ['doctor', '--json'], { env, program: program() });
  const { findings } = JSON.parse(ran.stdout) as { findings: Record<string, string>[] };
  const detailOf = (component: string) =>
    findings.find((finding) => finding.component === component);
  expect(detailOf('proxy')).toMatchObject({
    status: 'ok',
    detail: expect.stringMatching(/^through 10\./),
  });
  expect(detailOf('certificates')?.detail).toContain(join(folder, 'ca.pem'));
  expect(detailOf('tls')).toMatchObject({ status: 'ok' });
  expect(detailOf('tls')?.detail).toMatch(/^TLSv1\.3, .*Works CA, which you named$/);
  expect(ran.stdout).not.toContain('hu-sh');
}
