import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { v8Flags } from '@drawbridge/agent/executable/assets.ts';
import { type Connection, createConnection } from 'mysql2';
import { mariadbUnavailable, startMariadb } from '../../test/kit/mariadb.ts';
import { Client } from './client.ts';
import { Environment } from './environment.ts';
import { type Bench, type BenchOptions, type Figure, figuresOf } from './figure.ts';
import { cpuSecondsOf } from './process-figures.ts';

const figure = figuresOf('reading');
const linesOfDocument = 3;
const insertRows = 2_000;
const pollMs = 100;
/** A run on a busy machine, and not one that hangs. */
const waitMaxMs = 900_000;

/** Documents a second from a MariaDB through agent and link until they are durable in PostgreSQL. */
export const reading: Bench = {
  name: 'reading',
  title: 'an agent reads a source: documents a second until the control plane has stored them',
  run: async (options) => {
    const missing = mariadbUnavailable();
    if (missing !== undefined) throw new Error(missing);
    const environment = await Environment.open();
    const mariadb = await startMariadb({ folder: tmpdir() });
    try {
      return await measure(environment, mariadb.url, options);
    } finally {
      await environment.close();
      await mariadb.stop();
    }
  },
};

async function measure(
  environment: Environment,
  url: string,
  { documents }: BenchOptions,
): Promise<Figure[]> {
  const erp = createConnection({ uri: url, dateStrings: true });
  erp.on('error', () => {}); // a run that failed ends the server before this connection
  await fill(erp, documents);
  const plainBefore = await plainRead(erp, documents);
  const { stored, memory, cpu } = await readByAgent(environment, url, documents);
  const plainAfter = await plainRead(erp, documents);
  await erp.promise().end();
  const plain = (plainBefore + plainAfter) / 2;
  return [
    figure('plain read of the same rows by the driver', plain, 'documents/s'),
    figure('stored by the control plane', stored, 'documents/s'),
    figure('stored beside the plain read', stored / plain, '×', { is: 'at-least', value: 0.5 }),
    figure('CPU of the agent for a document', cpu.agent, 'µs'),
    figure('CPU of the control plane for a document', cpu.controlPlane, 'µs'),
    figure('memory of the agent after a tenth', memory.early, 'MB'),
    figure('memory of the agent at its highest', memory.highest, 'MB', {
      is: 'at-most',
      value: 200,
    }),
  ];
}

async function fill(erp: Connection, documents: number): Promise<void> {
  await erp
    .promise()
    .query(`create table invoice (number varchar(40) primary key, issued date, buyer varchar(80),
    currency char(3), net decimal(15,2), tax decimal(15,2), total decimal(15,2), changed bigint,
    key (changed, number))`);
  await erp
    .promise()
    .query(`create table line (id bigint primary key, invoice varchar(40), position int,
    description varchar(80), quantity decimal(15,3), price decimal(15,4), amount decimal(15,2), key (invoice))`);
  for (let start = 0; start < documents; start += insertRows) {
    const count = Math.min(insertRows, documents - start);
    const numbers = Array.from({ length: count }, (_, index) => start + index);
    const headers = numbers.map((one) => [
      `INV-${one}`,
      '2026-11-23',
      `Buyer ${one % 997}`,
      'AED',
      '300.00',
      '15.00',
      '315.00',
      one,
    ]);
    const lines = numbers.flatMap((one) =>
      Array.from({ length: linesOfDocument }, (_, position) => [
        one * linesOfDocument + position,
        `INV-${one}`,
        position + 1,
        `Article ${(one * 7 + position) % 5_003}`,
        '2.000',
        '50.0000',
        '100.00',
      ]),
    );
    await erp.promise().query('insert into invoice values ?', [headers]);
    await erp.promise().query('insert into line values ?', [lines]);
  }
}

/** Documents a second when the driver reads all rows and nothing is done with them. */
async function plainRead(erp: Connection, documents: number): Promise<number> {
  const begun = performance.now();
  for (const table of ['invoice', 'line']) {
    const rows = erp.query({ sql: `select * from ${table}`, rowsAsArray: true }).stream();
    for await (const _ of rows);
  }
  return documents / ((performance.now() - begun) / 1_000);
}

async function readByAgent(environment: Environment, url: string, documents: number) {
  const control = await environment.startControlPlane({ CONNECTOR_ALLOW_PRIVATE: 'true' });
  const client = new Client(control.baseUrl, control.key, 1);
  const home = join(environment.folder, 'agent');
  const env = { DRAWBRIDGE_AGENT_HOME: home, DRAWBRIDGE_RECONCILE_MINUTES: '0' };
  const { token } = await client.send('POST', '/v1/agents/enrolment-tokens', {});
  await environment.run(['agent/main.ts', 'enroll', '--url', control.baseUrl], env, token);
  const settings = {
    url,
    sections: {
      header: { table: 'invoice', key: 'number', match: 'number' },
      lines: { table: 'line', key: 'id', match: 'invoice', orderBy: 'position' },
    },
    changes: { column: 'changed', key: 'number' },
  };
  const file = join(environment.folder, `erp-${randomUUID()}.json`);
  await writeFile(file, JSON.stringify(settings));
  const add = ['connector', 'add', 'mysql', '--name', 'erp', '--settings-file', file];
  await environment.run(['agent/main.ts', ...add], env, '');
  const unwatched = await environment.start(['agent/main.ts', 'run'], env, /connected/i);
  const { results } = await client.send('GET', '/v1/agents');
  const [{ id }] = results;
  const connector = await client.send('POST', '/v1/connectors', {
    pattern: 'agent',
    kind: 'agent',
    name: 'Through the agent',
    agent_id: id,
    settings: { connector: 'erp' },
    default_profile: 'PINT-AE',
  });
  const from = { section: 'header', column: 'issued' };
  const field = { target: 'issue_date', from, status: 'approved' };
  const mapping = { profile: 'PINT-AE', fields: [field] };
  await client.send('PUT', `/v1/connectors/${connector.id}/mapping?profile=PINT-AE`, { mapping });
  // Everything is older than that day: it is stored, judged, and not submitted.
  await client.send('PATCH', `/v1/connectors/${connector.id}`, { submit_from: '2999-01-01' });
  process.kill(unwatched.pid);
  await unwatched.ended;
  await environment.run(['agent/main.ts', 'connector', 'remove', 'erp', '--yes'], env, '');
  await environment.run(['agent/main.ts', ...add, '--watch'], env, '');
  // As the installed agent is started.
  const { pid } = await environment.start([...v8Flags, 'agent/main.ts', 'run'], env, /connected/i);
  const begun = performance.now();
  const before = { agent: cpuSecondsOf(pid), controlPlane: cpuSecondsOf(control.pid) };
  const memory = { early: 0, highest: 0 };
  for (;;) {
    const { sources } = await client.send('GET', `/v1/agents/${id}`);
    const stored: number = sources[0]?.documents ?? 0;
    const resident = residentMb(pid);
    memory.highest = Math.max(memory.highest, resident);
    if (memory.early === 0 && stored >= documents / 10) memory.early = resident;
    const elapsedMs = performance.now() - begun;
    if (stored >= documents) {
      const microseconds = (process: number, since: number) =>
        ((cpuSecondsOf(process) - since) * 1e6) / documents;
      const cpu = {
        agent: microseconds(pid, before.agent),
        controlPlane: microseconds(control.pid, before.controlPlane),
      };
      return { stored: documents / (elapsedMs / 1_000), memory, cpu };
    }
    if (elapsedMs > waitMaxMs) throw new Error(`${stored} of ${documents} documents were stored`);
    await wait(pollMs);
  }
}

function residentMb(pid: number): number {
  const [, pages] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
  return (Number(pages) * 4_096) / 1e6;
}
