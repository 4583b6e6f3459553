import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../../test/kit/eventually.ts';
import { sqlAt, startDb, type TestDb } from '../../../../test/kit/postgres.ts';
import { createTenant } from '../../../platform/auth/issue.ts';
import { openJobs } from '../../../platform/jobs/jobs.ts';
import { createLog } from '../../../platform/log/log.ts';
import { createMetrics } from '../../../platform/metrics/metrics.ts';
import { partitionJob } from './importer.ts';
import { countRows, insertImport, insertPiece, setRunning } from './store.ts';

const partitions = [0, 1];
const piecesOfPartition = 12;
const rowsOfPiece = 500;
/** The last contacts of each piece are also in the next one. */
const repeated = 50;
const killsMax = 4;
const contacts = partitions.length * (piecesOfPartition * (rowsOfPiece - repeated) + repeated);
const clock = () => new Date();

let kit: TestDb;
let tenantId: string;

beforeAll(async () => {
  kit = await startDb();
  tenantId = await createTenant(kit.db, 'Killed', { clock, random: randomBytes });
});
afterAll(() => kit.stop());

/** An import with a complete file. */
async function stage(id: string): Promise<void> {
  const jobs = await openJobs({
    db: kit.db,
    log: createLog({ level: 'silent' }),
    metrics: createMetrics(),
    newClaimId: () => expect.fail('nothing is claimed here'),
  });
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
  await jobs.close();
}

function startImporter() {
  const fixture = join(import.meta.dirname, 'importer.fixture.ts');
  const env = { ...process.env, APP_URL: kit.appUrl };
  return spawn(process.execPath, [fixture], { env, stdio: 'inherit' });
}

const progress = async () => {
  const [row] = await sqlAt<{ state: string; rows: number; created: number; updated: number }>(
    kit.url,
    'select state, rows, created, updated from contact_import',
  );
  return row!;
};

test('killed nodes lose no row, import none twice, and count correctly', async () => {
  await stage('imp_killed');
  let taken = 0;
  for (let kills = 0; kills <= killsMax; kills += 1) {
    const importer = startImporter();
    await eventually(async () => {
      const { state, created, updated } = await progress();
      expect(state === 'done' || (kills < killsMax && created + updated > taken)).toBe(true);
    });
    importer.kill('SIGKILL');
    await once(importer, 'exit');
    const { created, updated } = await progress();
    taken = created + updated;
  }
  const rows = partitions.length * piecesOfPartition * rowsOfPiece;
  const updated = rows - contacts;
  expect(await progress()).toEqual({ state: 'done', rows, created: contacts, updated });
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
