/** A node whose disk, with the database that it brings, fills while it works, and has room again. */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { agentSections, mappings } from '../../scripts/demo/mappings.ts';
import { type Answer, Api, expectStatus } from '../../test/kit/api.ts';
import {
  type ControlPlaneProcess,
  startControlPlane,
} from '../../test/kit/control-plane-process.ts';
import { mountSmallDisk, type SmallDisk } from '../../test/kit/small-disk.ts';
import { type Erp, openErp } from '../einvoice/erp.kit.ts';

// A real process with the database it brings, on a machine that may be busy.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 120_000 });
const withinMs = { timeout: 120_000, interval: 200 };
const diskMib = 160;

let disk: SmallDisk | undefined;
/** Outside of the disk: the ERP has one of its own. */
let roots: string;
let node: ControlPlaneProcess;
let erp: Erp;
let einvoicing: Api;
let messaging: Api;
let connector: string;
let conversation: string;
let app_id: string;

// Anew for a second try, which would find the invoices of the first.
beforeEach(async () => {
  refs.clear();
  disk = mountSmallDisk(diskMib);
  if (disk === undefined) return;
  await chmod(disk.path, 0o711); // PostgreSQL runs as another user when we are root
  roots = await mkdtemp(join(tmpdir(), 'full-disk-'));
  node = await startControlPlane(join(disk.path, 'home'), {
    CONNECTOR_ROOTS: roots,
    SUBMIT_WAIT_MS: '0',
    SUBMIT_LIMIT: '10000',
    READ_LIMIT: '10000',
    WRITE_LIMIT: '10000',
    LATE_MS: '60000',
  });
  const { credentials, sandboxUrl } = node;
  einvoicing = new Api(sandboxUrl, credentials.einvoicing.sandbox_key);
  messaging = new Api(sandboxUrl, credentials.messaging.sandbox_key);
  connector = await connectErp();
  conversation = await haveConversation();
});
afterEach(async () => {
  await node?.stop('SIGKILL');
  erp?.close();
  disk?.unmount();
  if (roots !== undefined) await rm(roots, { recursive: true });
});

async function connectErp(): Promise<string> {
  const written = await readFile(join(disk!.path, 'home', 'credentials.json'), 'utf8');
  erp = openErp(join(JSON.parse(written).connector_folder, 'erp.db'), new Date());
  const { fields, name } = mappings['BIS-3.0'];
  const made = await einvoicing.post('/v1/connectors', {
    name,
    pattern: 'database',
    kind: 'sqlite',
    default_profile: 'BIS-3.0',
    settings: { file: erp.file, sections: agentSections },
  });
  const { id } = expectStatus(made, 201, 'a connector');
  const proposed = fields.map((field) => ({ ...field, status: 'proposed' }));
  const mapping = { profile: 'BIS-3.0', fields: proposed };
  const path = `/v1/connectors/${id}/mapping`;
  expectStatus(await einvoicing.put(path, { mapping }), 200, 'a mapping');
  expectStatus(await einvoicing.post(`${path}/approve`, {}), 200, 'approving');
  return id;
}

/** An app, a template, a segment of contacts, and somebody who has written to us. */
async function haveConversation(): Promise<string> {
  const app = { provider: 'generic-http-sms', name: 'bulk' };
  app_id = expectStatus(await messaging.post('/sms/v1/apps/', app), 201, 'an app').id;
  const template = { name: 'news', body: 'Hello {{name}}' };
  expectStatus(await messaging.post('/sms/v1/templates/', template), 201, 'a template');
  expectStatus(await messaging.post('/contacts/segments/', { name: 'all' }), 201, 'a segment');
  for (let at = 10; at < 30; at += 1) {
    const contact = { phone: `+6012345${at}008`, name: 'Asha', segments: ['all'] };
    expectStatus(await messaging.post('/contacts/', contact), 201, 'a contact');
  }
  // Whoever has this number replies.
  const message = { to: '+60123457002', text: 'Hello', app_id };
  expectStatus(await messaging.post('/sms/v1/messages/', message), 202, 'a message');
  return vi.waitFor(async () => {
    const { body } = await messaging.get('/team-inbox/api/conversations/');
    expect(body.results).toHaveLength(1);
    return body.results[0].id;
  }, withinMs);
}

/** What is asked of a node, each time with the same key until it is taken. */
type Work = readonly [what: string, send: (key: string) => Promise<Answer>];

const works: readonly Work[] = [
  [
    'invoice',
    async (key) => {
      const source_ref = refs.get(key) ?? (await erp.add('BE'));
      refs.set(key, source_ref);
      const body = { connector_id: connector, source_ref, profile: 'BIS-3.0' };
      return einvoicing.post('/v1/invoices', body, { 'idempotency-key': key });
    },
  ],
  [
    'message',
    (key) =>
      messaging.post(
        '/sms/v1/messages/',
        { to: '+60123451008', text: key, app_id },
        { 'idempotency-key': key },
      ),
  ],
  [
    'broadcast',
    (key) =>
      messaging.post(
        '/broadcast/',
        { template: 'news', segment: 'all', app_id },
        { 'idempotency-key': key },
      ),
  ],
  [
    'upload',
    (key) =>
      send(`/team-inbox/api/conversations/${conversation}/attachments/`, key, {
        bytes: `${key} `.repeat(20_000),
        name: 'a.txt',
        type: 'text/plain',
      }),
  ],
  [
    'import',
    (key) => {
      const rows = Array.from({ length: 200 }, (_, at) => `+9715${key.length}1${1_000_000 + at},A`);
      const bytes = ['phone,name', ...rows].join('\n');
      return send('/contacts/bulk-import/', key, { bytes, name: 'a.csv', type: 'text/csv' });
    },
  ],
];
const refs = new Map<string, string>();

async function send(
  path: string,
  key: string,
  { bytes, name, type }: { readonly bytes: string; readonly name: string; readonly type: string },
): Promise<Answer> {
  const form = new FormData();
  form.append('file', new Blob([bytes], { type }), name);
  const authorization = `Bearer ${node.credentials.messaging.sandbox_key}`;
  const response = await fetch(node.sandboxUrl + path, {
    method: 'POST',
    headers: { authorization, 'idempotency-key': key },
    body: form,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Answers by work and status; whatever is wrong with one. */
interface Seen {
  readonly counts: Record<string, number>;
  readonly faults: unknown[];
}

/** Sends one kind of work after the other until it is told to end; resolves with the ids that were made. */
async function workOn([what, sendOne]: Work, seen: Seen, isOver: () => boolean): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; !isOver() && number < 30; number += 1) {
    const key = `${what}-${number}`;
    for (;;) {
      const answer = await sendOne(key).catch(() => undefined);
      if (answer === undefined) {
        seen.faults.push([what, 'not answered']);
        return ids;
      }
      const { status, headers, body } = answer;
      seen.counts[`${what} ${status}`] = (seen.counts[`${what} ${status}`] ?? 0) + 1;
      if (status < 300) {
        ids.push(body.id ?? body.message_id);
        break;
      }
      const isAdvised = headers.get('retry-after') !== null;
      const isExpected =
        (status === 503 && body.code === 'unavailable' && isAdvised) || status === 429;
      if (!isExpected) {
        seen.faults.push([what, status, body]);
        break;
      }
      await delay(200);
    }
    await delay(100);
  }
  return ids;
}

async function statuses(): Promise<Record<string, number>> {
  const { status: healthy } = await einvoicing.get('/healthz');
  const { status: ready } = await einvoicing.get('/readyz');
  const { status: read } = await einvoicing.get('/v1/invoices');
  return { healthy, ready, read };
}

const logFileMib = 16;

/** Has the database write that much of its log; how much is then in its last file, unless it has ended. */
async function writeLog(mebibytes: number): Promise<number | undefined> {
  const home = join(disk!.path, 'home');
  const password = await readFile(join(home, 'postgres.password'), 'utf8');
  const pidFile = await readFile(join(home, 'postgres/postmaster.pid'), 'utf8').catch(() => '');
  const port = pidFile.split('\n')[3];
  if (port === undefined) return undefined;
  const url = `postgres://drawbridge:${password}@127.0.0.1:${port}/drawbridge`;
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // the server ends while it does so
  const written = async () => {
    await client.connect();
    const message = "pg_logical_emit_message(false, 'test', repeat(md5(n::text), 32768))";
    await client.query(`select count(${message}) from generate_series(1, ${mebibytes}) n`);
    const position = "pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') / 1048576";
    const { rows } = await client.query(`select mod(${position}, ${logFileMib})::int as mebibytes`);
    return rows[0].mebibytes as number;
  };
  const mebibytesWritten = await written().catch(() => undefined);
  await client.end().catch(() => {});
  return mebibytesWritten;
}

test('a disk that fills while all is under way loses nothing, doubles nothing, and is told; with room all goes on', async (context) => {
  const full = disk;
  if (full === undefined) return context.skip('only root may mount a small disk');
  const seen: Seen = { counts: {}, faults: [] };
  let isOver = false;
  const working = works.map((work) => workOn(work, seen, () => isOver));
  await delay(1_000);
  // What is refused is written to the log too, whose file must not end meanwhile.
  while ((await writeLog(1))! > logFileMib / 2);
  full.fill();
  for (let refused = 0; refused < 20; ) {
    await delay(200);
    full.fill(); // what was freed meanwhile
    refused = Object.entries(seen.counts)
      .filter(([name]) => name.endsWith(' 503'))
      .reduce((sum, [, count]) => sum + count, 0);
  }
  // What needs no room is done, so that balancers keep the node.
  const whenFull = await statuses();
  expect(whenFull, node.log.slice(-20).join('\n')).toEqual({ healthy: 200, ready: 200, read: 200 });

  // When not even its log can be written the database ends, and cannot be started again.
  await vi.waitFor(async () => {
    full.fill();
    await writeLog(5 * logFileMib);
    expect(await statuses()).toEqual({ healthy: 503, ready: 503, read: 503 });
  }, withinMs);

  full.empty();
  full.resize(2 * diskMib);
  await vi.waitFor(async () => {
    expect(await statuses()).toEqual({ healthy: 200, ready: 200, read: 200 });
  }, withinMs);
  await delay(2_000);
  isOver = true;
  const made = Object.fromEntries(
    works.map(([what], at) => [what, working[at]!] as const).map(([what, ids]) => [what, ids]),
  );
  expect(seen.faults).toEqual([]);
  const ids = Object.fromEntries(
    await Promise.all(Object.entries(made).map(async ([what, each]) => [what, await each])),
  ) as Record<string, string[]>;
  console.log(seen.counts);
  for (const each of Object.values(ids)) expect(new Set(each).size).toBe(each.length);
  await invoicesConfirmed(ids.invoice!);
  await messagesSent(ids.message!);
  await broadcastsSent(ids.broadcast!);
  await filesKept(ids.upload!);
  expect(await node.stop('SIGTERM')).toMatchObject({ code: 0 });
});

async function invoicesConfirmed(ids: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    for (const id of ids) {
      const { body } = await einvoicing.get(`/v1/invoices/${id}`);
      expect(body.authority_status).toBe('delivered');
    }
    const confirmed = erp.rows('select source_ref from einv_status_sandbox');
    expect(confirmed).toHaveLength(ids.length);
  }, withinMs);
  const { body } = await einvoicing.get('/v1/invoices?limit=200');
  expect(body.results).toHaveLength(ids.length);
}

async function messagesSent(ids: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    for (const id of ids) {
      const { body } = await messaging.get(`/sms/v1/messages/${id}/`);
      expect(['sent', 'delivered', 'read', 'unknown']).toContain(body.status);
    }
  }, withinMs);
}

async function broadcastsSent(ids: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    for (const id of ids) {
      const { body } = await messaging.get(`/broadcast/${id}/`);
      expect(body).toMatchObject({ status: 'completed', recipients: 20 });
    }
    const { body } = await messaging.get('/broadcast/');
    expect(body.results).toHaveLength(ids.length);
  }, withinMs);
}

async function filesKept(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const response = await fetch(`${node.sandboxUrl}/team-inbox/api/attachments/${id}/`, {
      headers: { authorization: `Bearer ${node.credentials.messaging.sandbox_key}` },
    });
    expect(response.status).toBe(200);
    expect((await response.text()).length).toBeGreaterThan(160_000);
  }
}
