import { endlessQuery, isSqliteWorking } from '@drawbridge/connectors/sqlite/endless.suite.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Harness, startHarness } from '../harness.kit.ts';

/** A tenant's source on which a query never ends by itself. */
let harness: Harness;
beforeAll(async () => {
  // Long enough for a busy machine to start the process that reads SQLite.
  harness = await startHarness({ SOURCE_TIMEOUT_MS: '4000' });
});
afterAll(() => harness.stop());

const healthMsMax = 2_000;

/** The longest that `/healthz` took to answer until the work was done. */
async function slowestHealth(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  void work.finally(() => {
    isDone = true;
  });
  let slowestMs = 0;
  while (!isDone) {
    const begun = performance.now();
    const { status } = await fetch(`${harness.urls.sandbox}/healthz`);
    expect(status).toBe(200);
    slowestMs = Math.max(slowestMs, performance.now() - begun);
  }
  return slowestMs;
}

test.each([
  ['header', { header: { query: endlessQuery, key: 'k' } }],
  [
    'child',
    {
      header: { table: 'OSALES', key: 'DOC_ID', match: 'DOC_NO' },
      lines: { query: endlessQuery, key: 'k' },
    },
  ],
])(
  'an endless %s query ends at its deadline and says so, while the node answers others',
  async (name, sections) => {
    const made = await harness.call('POST /v1/connectors', {
      pattern: 'database',
      kind: 'sqlite',
      name,
      default_profile: 'PINT-AE',
      settings: { file: harness.erp.file, sections },
    });
    const ref = await harness.erp.add('AE');
    const submission = { connector_id: made.body.id, source_ref: ref };
    const asked = harness.call('POST /v1/validate', { ...submission, profile: 'PINT-AE' });
    const submitted = harness.call('POST /v1/invoices', submission);
    expect(await slowestHealth(Promise.all([asked, submitted]))).toBeLessThan(healthMsMax);
    expect(await asked).toMatchObject({
      status: 503,
      body: { code: 'source_unreachable', detail: expect.stringContaining('within 4 s') },
    });
    expect(await submitted).toMatchObject({ status: 202, body: { status: 'validating' } });
    const id = (await submitted).body.id;
    const shown = async () => (await harness.call(`GET /v1/invoices/${id}`)).body.waiting;
    await expect.poll(shown).toMatchObject({ reason: expect.stringContaining('within 4 s') });
    await expect.poll(isSqliteWorking).toBe(false);
  },
);
