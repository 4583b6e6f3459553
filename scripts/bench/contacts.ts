import { createReadStream, createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import { Environment, residentMiB, watchMemory } from './environment.ts';
import { type Bench, type BenchOptions, type Figure, figuresOf } from './figure.ts';

const rowsPerSecondMin = 20_000;
/** MiB more than at rest, for a file of any size: buffers of a stream and some pieces. */
const grownMiBMax = 150;
const statusMs = 250;

const figure = figuresOf('contacts');

/**
 * Imports a file of contacts, by default a million, until each is a contact in a table with all
 * indexes; compared with a COPY of the same file into a table without indexes, in the same run.
 */
export const contacts: Bench = {
  name: 'contacts',
  title: 'Bulk import of contacts',
  run: async (options) => {
    const environment = await Environment.open();
    try {
      return await measure(environment, options);
    } finally {
      await environment.close();
    }
  },
};

async function measure(
  environment: Environment,
  { contacts: rows }: BenchOptions,
): Promise<Figure[]> {
  const path = join(environment.folder, 'contacts.csv');
  await writeFile(path, rows);
  const copied = await copy(environment.databaseUrl, path);
  const control = await environment.startControlPlane({});
  const credentials = JSON.parse(
    await readFile(join(environment.controlPlaneEnv().DRAWBRIDGE_HOME, 'credentials.json'), 'utf8'),
  );
  const key: string = credentials.messaging.sandbox_key;
  await delay(2_000);
  const rest = await residentMiB(control.pid);
  const peak = watchMemory(control.pid);
  const restCpu = await control.cpuSeconds();
  const imported = importAll(control.baseUrl, key, path, rows);
  const highest = await imported.then(peak, peak);
  const { uploaded, done } = await imported;
  const perSecond = rows / done;
  const cpu = (await control.cpuSeconds()) - restCpu;
  return [
    figure('COPY of the same file, no index', rows / copied, 'rows/s'),
    figure('uploaded and checked', rows / uploaded, 'rows/s'),
    figure('imported, every index on', perSecond, 'rows/s', {
      is: 'at-least',
      value: rowsPerSecondMin,
    }),
    figure('imported, of what COPY does', perSecond / (rows / copied), '× COPY'),
    figure('CPU of the control plane', (cpu * 1e6) / rows, 'µs a row'),
    figure('memory at rest', rest, 'MiB'),
    figure('memory at its highest, above rest', highest - rest, 'MiB', {
      is: 'at-most',
      value: grownMiBMax,
    }),
  ];
}

/** Writes a file with numbers in no order, as in lists of customers. */
async function writeFile(path: string, rows: number): Promise<void> {
  const file = createWriteStream(path);
  const lines = function* (): Generator<string> {
    yield 'phone,name,city,tier,joined\n';
    for (let n = 0; n < rows; n += 1) {
      const digits = String((n * 7_919) % 10_000_000).padStart(7, '0');
      const joined = `2026-${String(1 + (n % 12)).padStart(2, '0')}-15`;
      yield `+97150${digits},Person ${n},city ${n % 50},${n % 3},${joined}\n`;
    }
  };
  await finished(Readable.from(lines()).pipe(file));
}

/** Seconds that a plain COPY of the file takes. */
async function copy(url: string, path: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(
      'create table bench_contact (phone text, name text, city text, tier text, joined text)',
    );
    const startedAt = performance.now();
    const sink = client.query(from('copy bench_contact from stdin csv header'));
    await pipeline(createReadStream(path), sink);
    return (performance.now() - startedAt) / 1_000;
  } finally {
    await client.query('drop table if exists bench_contact');
    await client.end();
  }
}

/** Seconds until the file is accepted, and until its last row is a contact. */
async function importAll(
  baseUrl: string,
  key: string,
  path: string,
  rows: number,
): Promise<{ readonly uploaded: number; readonly done: number }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/csv' };
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const url = `${baseUrl}/contacts/bulk-import/`;
  const body = Readable.toWeb(createReadStream(path));
  const request = { method: 'POST', headers, body, duplex: 'half' } as unknown as RequestInit;
  const answer = await fetch(url, request);
  if (answer.status !== 202) throw new Error(`${answer.status}: ${await answer.text()}`);
  const uploaded = seconds();
  const { id } = (await answer.json()) as { id: string };
  for (;;) {
    const status = await (await fetch(`${url}${id}/`, { headers })).json();
    const { state, created } = status as { state: string; created: number };
    if (state === 'done') {
      if (created !== rows) throw new Error(`${created} of ${rows} contacts were made`);
      return { uploaded, done: seconds() };
    }
    await delay(statusMs);
  }
}
