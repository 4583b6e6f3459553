/** Dashboards, alert rules, runbook and the table of metrics speak of what /metrics really tells. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type App, createApp } from '@drawbridge/control-plane/app.ts';
import { modules } from '@drawbridge/control-plane/modules/registry.ts';
import { createLog } from '@drawbridge/control-plane/platform/log/log.ts';
import { createMetrics } from '@drawbridge/control-plane/platform/metrics/metrics.ts';
import { readSettings } from '@drawbridge/control-plane/settings.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { sqlAt, startMigratedPostgres, type TestPostgres } from './kit/postgres.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Exported {
  readonly name: string;
  readonly type: unknown;
  readonly labelNames: readonly string[];
}

let postgres: TestPostgres;
let home: string;
let app: App;
/** By the names under which Prometheus stores them: a histogram has three. */
const series = new Map<string, Exported>();
let exported: readonly Exported[];

beforeAll(async () => {
  postgres = await startMigratedPostgres();
  home = await mkdtemp(join(tmpdir(), 'deploy-'));
  app = await createApp({
    settings: readSettings({
      DATABASE_URL: postgres.url,
      DRAWBRIDGE_HOME: home,
      HOST: '127.0.0.1',
      PORT: '0',
      SANDBOX_PORT: '0',
    }),
    clock: () => new Date(),
    random: randomBytes,
    stopwatch: () => performance.now(),
    log: createLog({ level: 'silent' }),
    modules,
  });
  exported = app.platform.metrics.registry.getMetricsAsArray() as unknown as Exported[];
  for (const metric of exported) {
    const suffixes = String(metric.type) === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    for (const suffix of suffixes) series.set(metric.name + suffix, metric);
  }
});
afterAll(async () => {
  await app?.close();
  await postgres.stop();
  await rm(home, { recursive: true });
});

/** Labels that Prometheus adds, and that of a histogram's buckets. */
const addedLabels = ['instance', 'job', 'le'];

/** What an expression names that no node exports: metrics, and labels of them. */
function unknownIn(expression: string): string[] {
  const names = expression.match(/\b(?:drawbridge|nodejs|process)_\w+/g) ?? [];
  const known = names.flatMap((name) => series.get(name) ?? []);
  const labels = [
    ...[...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/,\s*/)),
    ...[...expression.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label]) => label!),
  ];
  return [
    ...names.filter((name) => !series.has(name)),
    ...labels.filter(
      (label) =>
        !addedLabels.includes(label) && !known.some((each) => each.labelNames.includes(label)),
    ),
  ].filter((word) => word !== '');
}

test('an expression with a metric or a label that is not exported is found', () => {
  expect(unknownIn('sum by (queue) (rate(drawbridge_jobs_total{outcome="x"}[5m]))')).toEqual([]);
  expect(unknownIn('sum by (tenant) (drawbridge_job_total{outcome="x"})')).toEqual([
    'drawbridge_job_total',
    'tenant',
    'outcome',
  ]);
});

describe('dashboards', () => {
  const files = readdirSync(join(root, 'deploy/grafana'));

  test.each(files)('%s shows metrics that are exported', (file) => {
    const { panels } = JSON.parse(read(`deploy/grafana/${file}`)) as {
      panels: { title: string; targets: { expr: string }[] }[];
    };
    const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThan(5);
    expect(expressions.flatMap(unknownIn)).toEqual([]);
  });
});

describe('the runbook', () => {
  const text = read('docs/runbook.md');

  test('each statement of it is one that the database takes from its owner', async () => {
    const blocks = [...text.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql]) => sql!);
    expect(blocks.length).toBeGreaterThan(2);
    for (const sql of blocks) await sqlAt(postgres.url, sql);
  });

  test('each call of it is one of the API', () => {
    const files = ['einvoice', 'messaging'].map((name) => `control-plane/openapi/${name}.json`);
    const paths = files.map((file) => (JSON.parse(read(file)) as { paths: object }).paths);
    const known = Object.entries(Object.assign({}, ...paths)).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const calls = [...text.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^` ]*)/g)];
    expect(calls.length).toBeGreaterThan(2);
    for (const [, call] of calls) expect(known).toContain(call);
  });
});

describe('alert rules', () => {
  const file = 'deploy/prometheus/alerts.yml';
  interface Rule {
    readonly alert: string;
    readonly expr: string;
    readonly annotations: { readonly summary: string; readonly runbook: string };
  }
  const { groups } = parse(read(file)) as { groups: { rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);

  test.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s asks for what is exported, and names a section of the runbook',
    (_, { expr, annotations }) => {
      expect(unknownIn(expr)).toEqual([]);
      const [document, anchor] = annotations.runbook.split('#');
      expect(anchorsOf(read(document!))).toContain(anchor);
    },
  );

  test('each section of the runbook is named by a rule', () => {
    const named = rules.map(({ annotations }) => annotations.runbook.split('#')[1]);
    const [forAlerts] = read('docs/runbook.md').split('\n# Without an alert\n');
    expect(new Set(named)).toEqual(new Set(anchorsOf(forAlerts!)));
  });

  test('an event loop that stands still for a second now and then is told as late', async () => {
    const { expr } = rules.find(({ alert }) => alert === 'DrawbridgeEventLoopLate')!;
    const [, metric, late] = /^(\w+) > ([\d.]+)$/.exec(expr)!;
    const { registry } = createMetrics({ processMetrics: true });
    // More turns in time than a percentile would overlook.
    for (let turn = 0; turn < 150; turn += 1) await setTimeout(10);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    await setTimeout(10);
    const [, value] = new RegExp(`^${metric} (.*)$`, 'm').exec(await registry.metrics())!;
    expect(Number(value)).toBeGreaterThan(Number(late));
  });

  test.for<[string, string[]]>([
    ['takes them', ['check', 'rules', file]],
    ['alerts when it should', ['test', 'rules', 'deploy/prometheus/alerts.test.yml']],
  ])('Prometheus %s', async ([, args], context) => {
    const check = promisify(execFile)('promtool', args, { cwd: root });
    const outcome = await check.catch((error: NodeJS.ErrnoException) => error);
    if ('code' in outcome && outcome.code === 'ENOENT')
      context.skip('promtool is not installed (prometheus)');
    expect(outcome).not.toBeInstanceOf(Error);
  });
});

/** Anchors of the second headings, as GitHub makes them. */
function anchorsOf(document: string): string[] {
  return [...document.matchAll(/^## (.*)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('the table of metrics lists what is exported, with its labels', () => {
  const rows = [...read('docs/operations.md').matchAll(/^\| `(drawbridge_\w+)` \|([\w, ]*)\|/gm)];
  const listed = Object.fromEntries(
    rows.map(([, name, labels]) => [name, labels!.match(/\w+/g) ?? []]),
  );
  const own = exported.filter(({ name }) => name.startsWith('drawbridge_'));
  expect(listed).toEqual(Object.fromEntries(own.map((each) => [each.name, each.labelNames])));
});

// One value of a label is one series in Prometheus for each other label: a tenant's id, an address or
// a text of others would make them without end.
test('labels are of few values, all of them known to the code', () => {
  const few = ['channel', 'environment', 'kind', 'method', 'origin', 'outcome', 'queue', 'route'];
  const bounded = [...few, 'reason', 'state', 'status', 'to'];
  const own = exported.filter(({ name }) => name.startsWith('drawbridge_'));
  expect(own.flatMap(({ labelNames }) => labelNames.filter((l) => !bounded.includes(l)))).toEqual(
    [],
  );
});
