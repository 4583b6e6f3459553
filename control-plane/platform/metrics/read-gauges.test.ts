import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createLog } from '../log/log.ts';
import { addReadGauges, freshMs, type GaugeValue } from './read-gauges.ts';

function setUp(read: () => Promise<readonly GaugeValue[]>) {
  const registry = new Registry();
  const time = { nowMs: 0 };
  const lines: string[] = [];
  const log = createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } });
  const labels = ['queue'];
  addReadGauges(
    registry,
    { log, stopwatch: () => time.nowMs },
    { gauges: { waiting: { help: 'w', labels }, oldest: { help: 'o', labels } }, read },
  );
  return { registry, time, lines };
}

const waiting = (value: number): GaugeValue[] => [
  { gauge: 'waiting', labels: { queue: 'invoice' }, value },
  { gauge: 'oldest', labels: { queue: 'invoice' }, value: value * 2 },
];

test('scrapes at the same time share one read, and a read serves for a while', async () => {
  let reads = 0;
  const { registry, time } = setUp(async () => waiting(++reads));
  const answers = await Promise.all([1, 2, 3].map(() => registry.metrics()));
  expect(reads).toBe(1);
  for (const text of answers) expect(text).toContain('waiting{queue="invoice"} 1');
  time.nowMs = freshMs - 1;
  expect(await registry.metrics()).toContain('oldest{queue="invoice"} 2');
  time.nowMs = freshMs;
  expect(await registry.metrics()).toContain('oldest{queue="invoice"} 4');
  expect(reads).toBe(2);
});

test('a read that fails leaves no values, is logged, and the answer comes all the same', async () => {
  let isDown = false;
  const { registry, time, lines } = setUp(async () => {
    if (isDown) throw new Error('no database');
    return waiting(1);
  });
  await registry.metrics();
  isDown = true;
  time.nowMs = freshMs;
  expect(await registry.metrics()).not.toContain('{queue=');
  expect(lines.join()).toContain('no database');
});

test('a slow read does not hold an answer up, and is not started twice', async () => {
  const held = Promise.withResolvers<readonly GaugeValue[]>();
  let reads = 0;
  const { registry } = setUp(() => {
    reads += 1;
    return held.promise;
  });
  expect(await registry.metrics()).not.toContain('{queue=');
  const late = registry.metrics();
  held.resolve(waiting(7));
  expect(await late).toContain('waiting{queue="invoice"} 7');
  expect(reads).toBe(1);
});
