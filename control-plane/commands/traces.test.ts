/** Traces of real processes: what is loaded, and what a receiver that is down or slow costs. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type ControlPlaneProcess,
  startControlPlane,
} from '../../test/kit/control-plane-process.ts';
import { startMigratedPostgres } from '../../test/kit/postgres.ts';
import { startTraceReceiver } from '../platform/tracing/receiver.kit.ts';

vi.setConfig({ testTimeout: 120_000 });

const shutdownMs = 10_000;
const closing: (() => Promise<unknown>)[] = [];
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'traces-'));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Prints each module of OpenTelemetry that is loaded; its API has no effects, and prom-client needs it. */
const watching = `import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) {
  if (/opentelemetry.(?!api)/.test(url)) console.error('loaded ' + url);
  return next(url, context);
} });`;

async function start(env: Record<string, string>): Promise<ControlPlaneProcess> {
  const postgres = await startMigratedPostgres();
  closing.push(() => postgres.stop());
  const node = await startControlPlane(join(folder, 'home'), {
    DATABASE_URL: postgres.url,
    SHUTDOWN_MS: String(shutdownMs),
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(watching)}`,
    ...env,
  });
  closing.push(() => node.stop('SIGKILL'));
  return node;
}

const ask = (node: ControlPlaneProcess) =>
  fetch(`${node.liveUrl}/v1/invoices`, {
    headers: { authorization: `Bearer ${node.credentials.einvoicing.live_key}` },
  });

const loaded = (node: ControlPlaneProcess) =>
  node.log.filter((line) => line.startsWith('loaded ')).length;

test('without a receiver nothing of OpenTelemetry is loaded', async () => {
  const node = await start({});
  expect((await ask(node)).status).toBe(200);
  expect((await node.stop('SIGTERM')).code).toBe(0);
  expect(loaded(node)).toBe(0);
});

test('what was recorded is sent before the process ends', async () => {
  const receiver = await startTraceReceiver();
  closing.push(() => receiver.close());
  const node = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_SERVICE_NAME: 'bridge-of-acme',
  });
  expect(loaded(node)).toBeGreaterThan(0);
  await ask(node);
  expect((await node.stop('SIGTERM')).code).toBe(0);
  expect(receiver.spans().map(({ name }) => name)).toContain('GET /v1/invoices');
  expect(receiver.bodies.join('')).toContain('bridge-of-acme');
});

test('a sampler of the settings decides what is recorded', async () => {
  const receiver = await startTraceReceiver();
  closing.push(() => receiver.close());
  const node = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_TRACES_SAMPLER: 'always_off',
  });
  await ask(node);
  expect((await node.stop('SIGTERM')).code).toBe(0);
  expect(receiver.spans()).toEqual([]);
});

test('a receiver that never answers holds neither requests nor the end of the process', async () => {
  const receiver = await startTraceReceiver(() => {});
  closing.push(() => receiver.close());
  const node = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  for (let request = 0; request < 20; request += 1) expect((await ask(node)).status).toBe(200);
  // What took longer than SHUTDOWN_MS would have been cut off, with code 1.
  expect((await node.stop('SIGTERM')).code).toBe(0);
});

test('a receiver that is down is told once, and the product goes on', async () => {
  const gone = await startTraceReceiver();
  await gone.close();
  const node = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: gone.url,
    OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
  });
  const told = () => node.log.filter((line) => line.includes('traces are lost'));
  await expect
    .poll(async () => (await ask(node)).status === 200 && told().length, { timeout: 30_000 })
    .toBe(1);
  // What took longer than SHUTDOWN_MS would have been cut off, with code 1.
  expect((await node.stop('SIGTERM')).code).toBe(0);
  expect(told()).toHaveLength(1);
});
