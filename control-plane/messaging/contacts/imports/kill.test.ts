import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../../test/kit/eventually.ts';
import { sqlAt, startDb, type TestDb } from '../../../../test/kit/postgres.ts';
import { createTenant } from '../../../platform/auth/issue.ts';
import { type Jobs, openJobs } from '../../../platform/jobs/jobs.ts';
import { createLog } from '../../../platform/log/log.ts';
import { createMetrics } from '../../../platform/metrics/metrics.ts';
import { partitionJob } from './importer.ts';
import { startPreview } from './preview.ts';
import { insertFilePart, savePreview } from './preview-store.ts';
import { countRows, insertImport, insertPiece, setRunning } from './store.ts';

const partitions = [0, 1];
const piecesOfPartition = 12;
const rowsOfPiece = 500;
/** The last contacts of each piece are also in the next one. */
const repeated = 50;
const killsMax = 4;
const contacts = partitions.length * (piecesOfPartition * (rowsOfPiece - repeated) + repeated);
const clock = () => new Date();
const reading = {
  format: 'csv',
  encoding: 'utf-8',
  encoding_certain: true,
  separator: ',',
  sheet: null,
  sheets: [],
  header_row: 1,
  columns: [{ column: 1, name: 'phone', field: 'phone', attribute: null }],
} as const;

let kit: TestDb;
let tenantId: string;

beforeAll(async () => {
  kit = await startDb();
  tenantId = await createTenant(kit.db, 'Killed', { clock, random: randomBytes });
});
afterAll(() => kit.stop());

async function withJobs(work: (jobs: Jobs) => Promise<void>): Promise<void> {
  const jobs = await openJobs({
    db: kit.db,
    log: createLog({ level: 'silent' }),
    metrics: createMetrics(),
    newClaimId: () => expect.fail('nothing is claimed here'),
  });
  await work(jobs);
  await jobs.close();
}

/** An import with a complete file. */
async function stage(jobs: Jobs, id: string): Promise<void> {
  await kit.db.tenant(tenantId, async (tx) => {
    await insertImport(tx, { tenantId, environment: 'live' }, id, clock());
    for (const partition of partitions) {
      for (let n = 0; n < piecesOfPartition; n += 1) {
        const rows = Array.from({ length: rowsOfPiece }, (_, at) => {
          const nth = n * (rowsOfPiece - repeated) + at;
          const phone = `+97150${partition}${String(nth).padStart(6, '0')}`;
          return {
            phone,
            name: null,
            attributes: { piece: String(n) },
            segments: ['All'],
            lines: [2],
          };
        });
        await insertPiece(tx, tenantId, id, { partition, lines: rowsOfPiece, rows }, n);
      }
    }
    const rows = partitions.length * piecesOfPartition * rowsOfPiece;
    await countRows(tx, tenantId, id, { rows, created: 0, updated: 0, failed: 0 });
    await setRunning(tx, tenantId, id, null);
    await jobs.enqueue(
      tx,
      tenantId,
      partitions.map((partition) => partitionJob(id, partition)),
    );
  });
}

/** A file of one column that was looked at, and started. */
async function startFile(jobs: Jobs, id: string, phones: readonly string[]): Promise<void> {
  const file = Buffer.from(`phone\n${phones.join('\n')}\n`);
  const scope = { tenantId, environment: 'live' } as const;
  const counts = { rows: phones.length, usable: phones.length, problems: 0 };
  const preview = { reading, samples: [[]], notes: [], rows: [], counts, problems: [] };
  const looked = { filename: null, bytes: file.length, choices: {}, preview };
  await kit.db.tenant(tenantId, async (tx) => {
    await insertImport(tx, scope, id, clock());
    await insertFilePart(tx, tenantId, id, 0, file);
    await savePreview(tx, scope, id, looked);
  });
  await startPreview({ db: kit.db, jobs }, scope, id);
}

/** Makes a reader wait at this piece, which another transaction holds; returns what ends that. */
async function holdPiece(id: string, number: number): Promise<() => Promise<void>> {
  const ended = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = kit.db.tenant(tenantId, async (tx) => {
    for (const partition of partitions) {
      await insertPiece(tx, tenantId, id, { partition, lines: 0, rows: [] }, number);
    }
    held.resolve();
    await ended.promise;
    throw new Error('the piece is taken back');
  });
  const over = expect(holding).rejects.toThrow('taken back');
  await held.promise;
  return async () => {
    ended.resolve();
    await over;
  };
}

function startImporter() {
  const fixture = join(import.meta.dirname, 'importer.fixture.ts');
  const env = { ...process.env, APP_URL: kit.appUrl };
  return spawn(process.execPath, [fixture], { env, stdio: 'inherit' });
}

const progress = async (id: string) => {
  const [row] = await sqlAt<{ state: string; rows: number; created: number; updated: number }>(
    kit.url,
    'select state, rows, created, updated from contact_import where id = $1',
    [id],
  );
  return row!;
};

test('killed nodes lose no row, import none twice, and count correctly', async () => {
  const id = 'imp_killed';
  await withJobs((jobs) => stage(jobs, id));
  let taken = 0;
  for (let kills = 0; kills <= killsMax; kills += 1) {
    const importer = startImporter();
    await eventually(async () => {
      const { state, created, updated } = await progress(id);
      expect(state === 'done' || (kills < killsMax && created + updated > taken)).toBe(true);
    });
    importer.kill('SIGKILL');
    await once(importer, 'exit');
    const { created, updated } = await progress(id);
    taken = created + updated;
  }
  const rows = partitions.length * piecesOfPartition * rowsOfPiece;
  const updated = rows - contacts;
  expect(await progress(id)).toEqual({ state: 'done', rows, created: contacts, updated });
  const [found] = await sqlAt(
    kit.url,
    `select count(*)::int as contacts, count(distinct phone)::int as phones,
       (select count(*)::int from contact_segment) as members,
       count(*) filter (where attributes ->> 'piece' =
         least(substring(phone, 8)::int / $1, $2)::text)::int as latest
     from contact`,
    [rowsOfPiece - repeated, piecesOfPartition - 1],
  );
  expect(found).toEqual({ contacts, phones: contacts, members: contacts, latest: contacts });
}, 120_000);

test('a node that is killed while it reads a previewed file loses no row and takes none twice', async () => {
  const id = 'imp_read';
  const rows = 5_000;
  const phones = Array.from({ length: rows }, (_, n) => `+97155${String(n).padStart(7, '0')}`);
  await withJobs((jobs) => startFile(jobs, id, phones));
  const letGo = await holdPiece(id, 3);
  const killed = startImporter();
  await eventually(async () => expect((await progress(id)).rows).toBeGreaterThan(0));
  expect(await progress(id)).toMatchObject({ state: 'reading', created: 0 });
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  await letGo();
  const next = startImporter();
  await eventually(async () => expect((await progress(id)).state).toBe('done'));
  next.kill('SIGKILL');
  await once(next, 'exit');
  expect(await progress(id)).toEqual({ state: 'done', rows, created: rows, updated: 0 });
  const [found] = await sqlAt(
    kit.url,
    "select count(*)::int as contacts from contact where phone like '+97155%'",
  );
  expect(found).toEqual({ contacts: rows });
}, 60_000);
