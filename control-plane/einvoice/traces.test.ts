import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ReceivedSpan,
  startTraceReceiver,
  type TraceReceiver,
} from '../platform/tracing/receiver.kit.ts';
import { goodRef } from './erp.kit.ts';
import { type Harness, startHarness } from './harness.kit.ts';

let receiver: TraceReceiver;
let harness: Harness;
let hooks: Server;
let hooksPort: number;
const hookHeaders: string[] = [];

beforeAll(async () => {
  receiver = await startTraceReceiver();
  harness = await startHarness({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  hooks = createServer((request, response) => {
    hookHeaders.push(...Object.keys(request.headers));
    request.resume();
    response.end();
  }).listen(0, '127.0.0.1');
  await once(hooks, 'listening');
  hooksPort = (hooks.address() as AddressInfo).port;
  const url = `http://127.0.0.1:${hooksPort}/way-in?token=hidden-token`;
  const { status } = await harness.call('POST /v1/webhook-endpoints', { url });
  expect(status).toBe(201);
});
afterAll(async () => {
  await harness.stop();
  hooks.closeAllConnections();
  hooks.close();
  await receiver.close();
});

const traceOf = (digit: string) => ({ traceId: digit.repeat(32), spanId: digit.repeat(16) });
const sent = ({ traceId, spanId }: ReturnType<typeof traceOf>, flags = '01') => ({
  headers: { traceparent: `00-${traceId}-${spanId}-${flags}` },
});

/** The spans of a trace once there are all that are waited for. */
async function spansOnce(traceId: string, isWhole: (spans: readonly ReceivedSpan[]) => boolean) {
  await expect.poll(() => isWhole(receiver.spans(traceId))).toBe(true);
  return receiver.spans(traceId);
}

const attempts = (spans: readonly ReceivedSpan[]) =>
  spans.filter(({ name }) => name === 'webhook attempt');

/** The names of a span and of all it stands in, outermost first. */
function wayTo(span: ReceivedSpan, spans: readonly ReceivedSpan[]): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [...(parent ? wayTo(parent, spans) : []), span.name];
}

test('one trace leads from the request through the pipeline to authority and webhooks', async () => {
  const caller = traceOf('a');
  const { body } = await harness.submit(goodRef('AE'), {}, sent(caller));
  await harness.until(body.id, ['delivered']);
  const spans = await spansOnce(caller.traceId, (all) => attempts(all).length >= 5);
  const ways = spans.map((span) => wayTo(span, spans).join(' > '));
  const request = 'POST /v1/invoices';
  for (const way of [
    request,
    `${request} > process invoice`,
    `${request} > process invoice > validate > read source`,
    `${request} > process invoice > validate > check`,
    `${request} > process invoice > submit > POST`,
    `${request} > webhook attempt > POST`,
    `${request} > process invoice > validate > webhook attempt > POST`,
    `${request} > process invoice > submit > webhook attempt > POST`,
  ]) {
    expect(ways).toContain(way);
  }
  const root = spans.find(({ name }) => name === request)!;
  expect(root).toMatchObject({
    parentSpanId: caller.spanId,
    kind: 2,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/v1/invoices',
      'http.response.status_code': 202,
      'drawbridge.tenant.id': harness.acme.id,
      'drawbridge.invoice.id': body.id,
    },
  });
  const hook = spans.find(
    ({ name, attributes }) => name === 'POST' && attributes['server.port'] === hooksPort,
  )!;
  expect(hook).toMatchObject({
    kind: 3,
    attributes: { 'server.address': '127.0.0.1', 'http.response.status_code': 200 },
  });
  expect(attempts(spans)[0]!.attributes).toMatchObject({ 'drawbridge.invoice.id': body.id });
  expect(spans.filter(({ isError }) => isError)).toEqual([]);
});

test('invoices that are processed together each have the whole way in a trace of their own', async () => {
  const callers = ['1', '2', '3', '4'].map(traceOf);
  const ids = await Promise.all(
    callers.map(async (caller) => (await harness.submit(goodRef('AE'), {}, sent(caller))).body.id),
  );
  for (const [index, { traceId }] of callers.entries()) {
    await harness.until(ids[index], ['delivered']);
    const spans = await spansOnce(traceId, (all) => attempts(all).length >= 5);
    const ways = spans.map((span) => wayTo(span, spans).join(' > '));
    expect(ways).toContain('POST /v1/invoices > process invoice > submit > POST');
    const known = spans.map(({ attributes }) => attributes['drawbridge.invoice.id']);
    expect(new Set(known.filter((id) => id !== undefined))).toEqual(new Set([ids[index]]));
    expect(ways.filter((way) => way.endsWith('validate > check'))).toHaveLength(1);
  }
});

test('a failing webhook is an error of its trace', async () => {
  const gone = await startTraceReceiver();
  await gone.close();
  const { url } = gone;
  const made = await harness.call('POST /v1/webhook-endpoints', { url });
  const caller = traceOf('b');
  await harness.submit(goodRef('AE'), {}, sent(caller));
  const spans = await spansOnce(caller.traceId, (all) =>
    attempts(all).some((each) => each.isError),
  );
  const failed = spans.filter(({ isError }) => isError);
  expect(failed.map(({ attributes }) => attributes['error.type'])).toContain('ECONNREFUSED');
  await harness.call(`DELETE /v1/webhook-endpoints/${made.body.id}`);
});

test('a caller who does not want a trace gets none, and a hostile one a trace of its own', async () => {
  const unwanted = traceOf('c');
  await harness.submit(goodRef('AE'), {}, sent(unwanted, '00'));
  const hostile = `00-${'d'.repeat(32)}-${"'; drop".padEnd(16, 'x')}-01`;
  const { body } = await harness.submit(goodRef('AE'), {}, { headers: { traceparent: hostile } });
  await expect
    .poll(() => receiver.spans().map((span) => span.attributes['drawbridge.invoice.id']))
    .toContain(body.id);
  expect(receiver.spans(unwanted.traceId)).toEqual([]);
  expect(receiver.spans('d'.repeat(32))).toEqual([]);
});

test('log lines name the trace in which they are written', async () => {
  const caller = traceOf('e');
  await harness.call('GET /v1/invoices', undefined, sent(caller));
  await expect
    .poll(() => harness.logged.filter((line) => line.includes('"route":"/v1/invoices"')))
    .toContainEqual(expect.stringContaining(`"trace_id":"${caller.traceId}"`));
});

test('traces have no secrets, addresses of endpoints or business data, and stay in the house', () => {
  const text = receiver.bodies.join('');
  expect(text).toContain('drawbridge-control-plane');
  for (const hidden of [
    ...Object.values(harness.acme.keys),
    'hidden-token',
    'way-in',
    'whsec_',
    goodRef('AE'),
    'healthz',
  ]) {
    expect(text).not.toContain(hidden);
  }
  expect(hookHeaders).not.toContain('traceparent');
});
