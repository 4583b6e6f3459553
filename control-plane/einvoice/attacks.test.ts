import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attacks } from '../../scripts/bench/attacks.ts';
import { goodRef } from './erp.kit.ts';
import { type Harness, startHarness } from './harness.kit.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.stop());

/** What one of these took while it held the loop was four seconds and more; what it may hold it now. */
const heldMsMax = 2_500;
const atOnce = 4;

const expected: Readonly<Record<string, readonly number[]>> = {
  'empty lists, 18 MB': [413, 429],
  '20000 lines': [200],
  'broken at its end, 19 MB': [400, 429],
  'escapes without an end, 19 MB': [400, 429],
  'one text, 19 MB': [200, 429],
  'a mapping of nothing': [400],
  'a mapping of wrong names': [400],
};

const names = attacks('cnx_x', []).map(({ name }) => name);

test.each(names.filter((name) => name in expected))(
  '%s, several at once: it is answered, and meanwhile so are others',
  { timeout: 120_000 },
  async (name) => {
    const { connector, keys } = harness.acme;
    const attack = attacks(connector, []).find((each) => each.name === name)!;
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    let isOver = false;
    const sent = Array.from({ length: atOnce }, async () => {
      const { method, path, bodies } = attack;
      const caller = { key: keys.sandbox, raw: bodies[0]! };
      return (await harness.call(`${method} ${path}`, undefined, caller)).status;
    });
    const all = Promise.all(sent).finally(() => {
      isOver = true;
    });
    const health: number[] = [];
    while (!isOver) health.push((await fetch(`${harness.urls.sandbox}/healthz`)).status);
    const other = await harness.call(
      'POST /v1/invoices',
      { connector_id: harness.other.connector, source_ref: goodRef('AE') },
      { key: harness.other.keys.sandbox },
    );
    delay.disable();
    const allowed = expected[name]!;
    expect((await all).filter((status) => !allowed.includes(status))).toEqual([]);
    expect(await all).toContain(allowed[0]);
    expect(new Set(health)).toEqual(new Set([200]));
    expect([202, 409]).toContain(other.status);
    expect(delay.max / 1e6).toBeLessThan(heldMsMax);
  },
);

test('every attack of the bench is tried here, but for those that need an ERP of their own', () => {
  expect(names.filter((name) => !(name in expected))).toEqual(['large documents pulled']);
});
