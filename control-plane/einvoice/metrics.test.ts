import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goodRef } from './erp.kit.ts';
import { type Harness, startHarness } from './harness.kit.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

test('an invoice on its way is seen from outside: states, requests, webhooks, pool, loop', async () => {
  const receiver = createServer((request, response) => {
    request.resume();
    response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  await harness.call('POST /v1/webhook-endpoints', { url });
  const { body } = await harness.submit(goodRef('AE'));
  const { source_ref } = await harness.until(body.id, ['delivered', 'cleared']);
  await expect
    .poll(() => scrape())
    .toMatch(/drawbridge_webhook_attempt_seconds_count\{outcome="delivered"\} [4-9]/);
  const text = await scrape();
  for (const state of ['received', 'validating', 'validated', 'submitted']) {
    expect(text).toContain(`drawbridge_invoices_total{environment="sandbox",state="${state}"} 1`);
    expect(text).toMatch(
      new RegExp(`drawbridge_invoices_open\\{environment="live",state="${state}"\\} 0`),
    );
  }
  for (const line of [
    /drawbridge_authority_request_seconds_count\{environment="sandbox",to="peppol",outcome="2xx"\} [1-9]/,
    /drawbridge_webhook_delivery_seconds_count [4-9]/,
    /drawbridge_webhooks_pending\{kind="new"\} \d/,
    /drawbridge_jobs_waiting\{queue="invoice"\} \d/,
    /drawbridge_jobs_waiting_oldest_seconds\{queue="invoice"\} \d/,
    /drawbridge_agents_linked 0/,
    /drawbridge_database_connections\{state="max"\} 8/,
    /drawbridge_database_connections\{state="in_use"\} \d/,
    /drawbridge_database_waiting 0/,
    /nodejs_eventloop_lag_p99_seconds \d/,
  ]) {
    expect(text).toMatch(line);
  }
  // Nothing of a tenant, of a document or of an address reaches Prometheus.
  for (const secret of [
    harness.acme.id,
    harness.acme.connector,
    body.id,
    source_ref,
    String(port),
  ]) {
    expect(text).not.toContain(secret);
  }
  receiver.closeAllConnections();
  receiver.close();
});

async function scrape(): Promise<string> {
  return (await fetch(`${harness.urls.live}/metrics`)).text();
}
