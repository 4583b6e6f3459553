/** What the service does while its database cannot write. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlAt } from '../../test/kit/postgres.ts';
import { goodRef } from './erp.kit.ts';
import { type Harness, startHarness } from './harness.kit.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
  // PostgreSQL answers 53100 (disk_full) to a statement that needs space and finds none.
  await sqlAt(
    harness.databaseUrl,
    `create function disk_is_full() returns trigger language plpgsql as $$
       begin raise exception 'could not extend file: No space left on device'
         using errcode = '53100'; end $$`,
  );
});
afterAll(() => harness?.stop());

const fill = (table: string) =>
  sqlAt(
    harness.databaseUrl,
    `create trigger disk_is_full before insert or update on ${table}
       for each row execute function disk_is_full()`,
  );
const mend = (table: string) => sqlAt(harness.databaseUrl, `drop trigger disk_is_full on ${table}`);

test('a full disk is answered with 503 and the advice to try again, reading goes on, and the repeat is one invoice', async () => {
  const headers = { 'idempotency-key': 'full-disk' };
  const ref = goodRef('AE');
  await fill('invoice');
  const refused = await harness.submit(ref, {}, { headers });
  expect([refused.status, refused.body.code]).toEqual([503, 'unavailable']);
  expect(refused.headers.get('retry-after')).not.toBeNull();
  expect(refused.text).not.toContain('No space left');
  expect((await harness.call('GET /v1/invoices')).status).toBe(200);
  await mend('invoice');
  const { body: first } = await harness.submit(ref, {}, { headers });
  const { body: again } = await harness.submit(ref, {}, { headers });
  expect(again.id).toBe(first.id);
  expect(await harness.until(first.id, ['delivered'])).toMatchObject({ id: first.id });
});
