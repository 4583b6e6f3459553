import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqlAt } from '../../../test/kit/postgres.ts';
import { appRoleOf } from '../../platform/db/app-role.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import { startBucket, type TestBucket } from '../../platform/objects/s3.kit.ts';
import { startRetention } from '../../platform/retention/retention.ts';
import { deleteTenantRecords } from '../../platform/tenant-records/deletion.ts';
import { exportTenant } from '../../platform/tenant-records/export.ts';
import { type Harness, startHarness } from '../harness.kit.ts';
import { pruneInvoices } from '../retention/store.ts';
import { startMovingDocuments } from './move.ts';

const dayMs = 86_400_000;
const days = 30;
let bucket: TestBucket;
const harnesses = {} as Record<'folder' | 's3', Harness>;

beforeAll(async () => {
  bucket = await startBucket();
  harnesses.folder = await startHarness();
  harnesses.s3 = await startHarness({ OBJECT_STORE: bucket.url, OBJECT_STORE_KEY: bucket.key });
}, 120_000);
afterAll(async () => {
  await harnesses.folder?.stop();
  await harnesses.s3?.stop();
  bucket?.close();
});

/** What the sweep of a node would move on a later day. */
async function moveAfter(harness: Harness, later: number, over: Partial<Objects> = {}) {
  const { db, objects, log } = harness.app.platform;
  const clock = () => new Date(Date.now() + later * dayMs);
  const context = { db, objects: { ...objects, ...over }, clock, log };
  const moving = startMovingDocuments(context, days);
  const moved = await moving.sweep();
  await moving.stop();
  return moved;
}

/** An invoice on which all has been done. */
async function settled(harness: Harness, country: 'AE' | 'MY' = 'AE'): Promise<string> {
  const over = country === 'MY' ? { profile: 'PINT-MY' } : {};
  const { body, text } = await harness.submit(await harness.erp.add(country), over);
  if (body.id === undefined) throw new Error(text);
  await harness.until(body.id, country === 'MY' ? ['cleared', 'delivered'] : ['delivered']);
  // It waits three days for the buyer.
  await harness.sql("delete from job where queue = 'acknowledge'");
  await expect
    .poll(() => harness.sql("select key from job where key like $1 || '%'", [body.id]), {
      timeout: 30_000,
    })
    .toEqual([]);
  return body.id;
}

const stages = ['document', 'clearance', 'final', 'cim'];

async function documentsOf(harness: Harness, id: string): Promise<unknown[]> {
  const paths = ['', ...stages.map((stage) => `?stage=${stage}`)];
  const answers: unknown[] = [];
  for (const path of paths) {
    const { status, text, headers } = await harness.call(`GET /v1/invoices/${id}/document${path}`);
    answers.push([path, status, headers.get('content-type'), status === 200 ? text : '']);
  }
  return answers;
}

const contentOf = async (harness: Harness, id: string) =>
  (
    await harness.sql<Record<string, unknown>>(
      `select document is null and clearance is null and final is null and provenance is null
         as is_moved from invoice_content where invoice_id = $1`,
      [id],
    )
  )[0]?.is_moved;

const keysOf = async (harness: Harness, id: string) =>
  (
    await harness.sql<{ object_key: string }>(
      'select object_key from invoice_object where invoice_id = $1 order by 1',
      [id],
    )
  ).map((row) => row.object_key);

describe.each(['folder', 's3'] as const)('the object store in %s', (kind) => {
  test('takes what was settled long enough ago, and the API answers as before', async () => {
    const harness = harnesses[kind];
    const id = await settled(harness);
    const before = await documentsOf(harness, id);
    expect(await moveAfter(harness, days - 1)).toBe(0);
    expect(await contentOf(harness, id)).toBe(false);
    expect(await moveAfter(harness, days + 1)).toBeGreaterThan(0);
    expect(await contentOf(harness, id)).toBe(true);
    expect(await documentsOf(harness, id)).toEqual(before);
    expect(await moveAfter(harness, days + 1)).toBe(0);
  });

  test('keeps nothing that could not be stored whole, and the database keeps it', async () => {
    const harness = harnesses[kind];
    const id = await settled(harness);
    const before = await documentsOf(harness, id);
    const put = () => Promise.reject(new Error('the store is full'));
    expect(await moveAfter(harness, days + 1, { put })).toBe(0);
    expect(await contentOf(harness, id)).toBe(false);
    expect(await documentsOf(harness, id)).toEqual(before);
    expect(await moveAfter(harness, days + 1)).toBeGreaterThan(0);
    expect(await documentsOf(harness, id)).toEqual(before);
  });

  test('a deleted invoice takes its objects with it', async () => {
    const harness = harnesses[kind];
    const id = await settled(harness);
    await moveAfter(harness, days + 1);
    const keys = await keysOf(harness, id);
    expect(keys.length).toBeGreaterThan(1);
    await harness.call('PUT /v1/retention', { invoice_days: 30 });
    const clock = () => new Date(Date.now() + 400 * dayMs);
    const retention = startRetention(
      { ...harness.app.platform, clock, databaseClock: async () => clock() },
      [],
      [{ kind: 'invoice', prune: pruneInvoices }],
    );
    await retention.sweep();
    await retention.stop();
    await harness.call('PUT /v1/retention', { invoice_days: null });
    expect((await harness.call(`GET /v1/invoices/${id}`)).status).toBe(404);
    // What the sweep of removed objects takes next.
    const removed = await harness.sql<{ object_key: string }>(
      'select object_key from removed_object order by 1',
    );
    expect(removed.map((row) => row.object_key)).toEqual(expect.arrayContaining(keys));
  });

  test('an export has them, and a deletion of the tenant takes them with it', async () => {
    const harness = harnesses[kind];
    const { db, objects } = harness.app.platform;
    const id = await settled(harness);
    await moveAfter(harness, days + 1);
    const keys = await keysOf(harness, id);
    const home = await mkdtemp(join(tmpdir(), 'stored-documents-'));
    const written = await exportTenant({ db, objects }, harness.acme.id, join(home, 'export'));
    expect(written.objects).toBeGreaterThanOrEqual(keys.length);
    await rm(home, { recursive: true });
    await sqlAt(
      harness.databaseUrl,
      'update tenant set suspended_at = now(), deleting_at = now() where id = $1',
      [harness.acme.id],
    );
    await deleteTenantRecords({ db, objects, onProgress: () => {} }, harness.acme.id);
    for (const key of keys) expect(await objects.get(key)).toBeUndefined();
  });
});

test('kill -9 between writing an object and the commit loses nothing', async () => {
  const harness = await startHarness();
  try {
    const ids = [await settled(harness), await settled(harness, 'MY')];
    const before = await Promise.all(ids.map((id) => documentsOf(harness, id)));
    const { place } = harness.app.platform.objects;
    for (let kill = 0; kill < 2; kill += 1) {
      const node = spawn(process.execPath, [join(import.meta.dirname, 'moving.fixture.ts')], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          ...process.env,
          APP_URL: appRoleOf(harness.databaseUrl).url,
          OBJECTS_HOME: join(place, '..'),
          NOW: String(Date.now() + (days + 10) * dayMs),
        },
      });
      await once(node.stdout, 'data');
      node.kill('SIGKILL');
      await once(node, 'exit');
      expect(await Promise.all(ids.map((id) => contentOf(harness, id)))).toEqual([false, false]);
      expect(await Promise.all(ids.map((id) => documentsOf(harness, id)))).toEqual(before);
    }
    expect(await moveAfter(harness, days + 10)).toBe(2);
    expect(await Promise.all(ids.map((id) => contentOf(harness, id)))).toEqual([true, true]);
    expect(await Promise.all(ids.map((id) => documentsOf(harness, id)))).toEqual(before);
  } finally {
    await harness.stop();
  }
}, 120_000);
