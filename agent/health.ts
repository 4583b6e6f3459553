import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const condition = z.object({ detail: z.string(), since: z.string() });

const report = z.object({
  link: condition.extend({ state: z.enum(['connected', 'redialling', 'stopped']) }),
  disk: condition.extend({ state: z.enum(['room', 'full']) }),
  /** What waits, and why: the sources that do not take what is to be written. */
  waiting: z.array(condition.extend({ connector: z.string() })).default([]),
  /** Watched sources that cannot be read, and why. */
  unreadable: z.array(condition.extend({ connector: z.string() })).default([]),
  queue: condition.extend({ state: z.enum(['room', 'full']) }),
});

/** What a running agent says of itself. */
export type HealthReport = z.infer<typeof report>;

/** The parts of a running agent that must move on for ever; each watched source is one. */
export type Part = 'link' | 'watch' | `watch ${string}`;

export interface HealthContext {
  readonly home: string;
  readonly clock: () => Date;
  /** Milliseconds that only ever grow, whatever happens to the clock. */
  readonly monotonicMs: () => number;
}

/** Longer than the slowest step of any part that is well, on a busy machine. */
const patienceMs = 120_000;

/**
 * How a running agent fares, for the watchdog, `status` and whoever asks. What waits for the control plane,
 * a source or room on the disk is well: starting anew would not help it.
 *
 *   const health = new Health({ home, clock, monotonicMs });
 *   health.expect('watch', 60_000); // the part is heard of again within that time
 *   health.isHealthy();
 */
export class Health {
  readonly #context: HealthContext;
  readonly #expectedAt = new Map<Part, number>();
  #report: HealthReport;

  constructor(context: HealthContext) {
    this.#context = context;
    const since = context.clock().toISOString();
    this.#report = {
      link: { state: 'redialling', detail: 'not linked yet', since },
      disk: { state: 'room', detail: '', since },
      waiting: [],
      unreadable: [],
      queue: { state: 'room', detail: '', since },
    };
    this.#write();
  }

  /** Whether every part moves on; when not, only a restart helps. */
  isHealthy(): boolean {
    return this.stalled().length === 0;
  }

  /** The parts that should have been heard of by now. */
  stalled(): Part[] {
    const now = this.#context.monotonicMs();
    return [...this.#expectedAt].filter(([, at]) => at < now).map(([part]) => part);
  }

  /** Says that the part works or waits now, and shows itself again within that many milliseconds. */
  expect(part: Part, withinMs: number): void {
    this.#expectedAt.set(part, this.#context.monotonicMs() + withinMs + patienceMs);
  }

  /** Says that the part is no more, and nothing is heard of it. */
  ended(part: Part): void {
    this.#expectedAt.delete(part);
  }

  report(): HealthReport {
    return this.#report;
  }

  setLink(state: HealthReport['link']['state'], detail: string): void {
    this.#report = { ...this.#report, link: { state, detail: short(detail), since: this.#now() } };
    this.#write();
  }

  /** Returns whether this is news. */
  set(part: 'disk' | 'queue', state: 'room' | 'full', detail: string): boolean {
    if (this.#report[part].state === state) return false;
    const changed = { state, detail: short(detail), since: this.#now() };
    this.#report = { ...this.#report, [part]: changed };
    this.#write();
    return true;
  }

  /** Says why a source does not take what is to be written; undefined: it does. */
  setWaiting(connector: string, why: string | undefined): void {
    this.#setSource('waiting', connector, why);
  }

  /** Says why a watched source cannot be read; undefined: it can. */
  setUnreadable(connector: string, why: string | undefined): void {
    this.#setSource('unreadable', connector, why);
  }

  /** Forgets those that are watched no more. */
  keepUnreadable(watched: readonly string[]): void {
    for (const { connector } of this.#report.unreadable) {
      if (!watched.includes(connector)) this.setUnreadable(connector, undefined);
    }
  }

  #setSource(list: 'waiting' | 'unreadable', connector: string, why: string | undefined): void {
    const known = this.#report[list].find((one) => one.connector === connector);
    if (why === undefined && known === undefined) return;
    const others = this.#report[list].filter((one) => one !== known);
    const since = known?.since ?? this.#now();
    const now = why === undefined ? [] : [{ connector, detail: short(why), since }];
    this.#report = { ...this.#report, [list]: [...others, ...now].slice(0, sourcesMax) };
    this.#write();
  }

  #now(): string {
    return this.#context.clock().toISOString();
  }

  #write(): void {
    try {
      writeInPlace(fileIn(this.#context.home), JSON.stringify(this.#report));
    } catch {
      // A report that cannot be written must not stop what it reports on; the log says the same.
    }
  }
}

/** What the agent of this home folder last said of itself; undefined when that does not read. */
export function readHealth(home: string): HealthReport | undefined {
  try {
    const read = report.safeParse(JSON.parse(readFileSync(fileIn(home), 'utf8')));
    return read.success ? read.data : undefined;
  } catch {
    return undefined; // no agent ran here yet, or one of another version
  }
}

const fileIn = (home: string) => join(home, 'health.json');

/** The report must fit the file. */
const short = (detail: string) => detail.slice(0, 500);

/** Sources that a list of a report names. */
const sourcesMax = 20;

/** More than a report has. */
const fileBytes = 65_536;

/** Always as many bytes, over the old ones: that works on a full disk, where a new file would not. */
function writeInPlace(file: string, text: string): void {
  const bytes = Buffer.alloc(fileBytes, ' ');
  bytes.write(text);
  const descriptor = openForUpdate(file);
  try {
    writeSync(descriptor, bytes, 0, fileBytes, 0);
  } finally {
    closeSync(descriptor);
  }
}

function openForUpdate(file: string): number {
  try {
    return openSync(file, 'r+');
  } catch {
    return openSync(file, 'w', 0o600); // the first time
  }
}
