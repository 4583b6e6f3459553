/**
 * Gauges whose values stand in the database. They are read when Prometheus asks, at most once in
 * `freshMs` and once at a time, however many ask; a read that is slow or fails holds no answer up.
 *
 * ```ts
 * addReadGauges(metrics.registry, { log, stopwatch }, {
 *   gauges: { drawbridge_jobs_waiting: { help: 'Jobs that are due', labels: ['queue'] } },
 *   read: () => db.system(countWaitingJobs),
 * });
 * ```
 */

import { Gauge, type Registry } from 'prom-client';
import { endedWithin } from '../concurrency/ended-within.ts';
import type { Log } from '../log/log.ts';

/** Gauges that are read together. Label values must be few: never a tenant or a text of others. */
export interface GaugeReading {
  readonly gauges: Readonly<Record<string, GaugeText>>;
  /** Reads all of them; a gauge has no value for labels that it does not return. */
  read(): Promise<readonly GaugeValue[]>;
}

interface GaugeText {
  readonly help: string;
  readonly labels: readonly string[];
}

/** A value of one of the gauges of a reading. */
export interface GaugeValue {
  readonly gauge: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What reading needs of the process. */
export interface ReadGaugesContext {
  readonly log: Log;
  /** Monotonic milliseconds. */
  readonly stopwatch: () => number;
}

/** How long a read serves. */
export const freshMs = 10_000;
/** How long an answer waits for a read; after that it shows what was read before. */
const waitMs = 2_000;

/**
 * Adds the gauges. When a read fails they have no values until one succeeds: none is better than
 * old ones, and Prometheus can tell that they are absent.
 */
export function addReadGauges(
  registry: Registry,
  { log, stopwatch }: ReadGaugesContext,
  { gauges, read }: GaugeReading,
): void {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const made = new Map<string, Gauge>();

  async function readNow(): Promise<void> {
    const values = await read().catch((err: unknown): readonly GaugeValue[] => {
      log.warn({ err }, 'metrics could not be read from the database; they are absent until then');
      return [];
    });
    readAtMs = stopwatch();
    for (const gauge of made.values()) gauge.reset();
    for (const { gauge, labels, value } of values) made.get(gauge)!.set(labels, value);
  }

  async function refresh(): Promise<void> {
    if (stopwatch() - readAtMs < freshMs) return;
    reading ??= readNow().finally(() => {
      reading = undefined;
    });
    await endedWithin(waitMs, reading);
  }

  for (const [name, { help, labels }] of Object.entries(gauges)) {
    const labelNames = [...labels];
    made.set(name, new Gauge({ name, help, labelNames, registers: [registry], collect: refresh }));
  }
}
