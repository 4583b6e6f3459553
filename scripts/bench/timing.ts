export interface Timing {
  /** Median CPU milliseconds of one piece of work. */
  readonly ms: number;
  /** CPU milliseconds of each round, so that ratios compare work of the same time. */
  readonly rounds: readonly number[];
}

export interface TimingOptions {
  readonly budgetMs: number;
  readonly roundsMin?: number;
  /** CPU milliseconds that each task runs before it is measured. */
  readonly warmUpMs: number;
}

/** A shorter sample would depend too much on the clock's resolution. */
const sampleMsMin = 8;
const roundsMax = 400;

/**
 * Times the tasks in turn, round by round after a warm-up, so that other load of the machine
 * affects all of them alike. Time is CPU time of all threads, with the garbage collector's, so it
 * does not count while other processes run.
 */
export function timed<Name extends string>(
  tasks: Readonly<Record<Name, () => unknown>>,
  { budgetMs, roundsMin = 7, warmUpMs }: TimingOptions,
): Record<Name, Timing> {
  const names = Object.keys(tasks) as Name[];
  const samplers = new Map(names.map((name) => [name, sampler(tasks[name], warmUpMs)]));
  const endsAt = performance.now() + budgetMs;
  const rounds = new Map(names.map((name): [Name, number[]] => [name, []]));
  for (let round = 0; round < roundsMax; round++) {
    if (round >= roundsMin && performance.now() > endsAt) break;
    for (const name of names) rounds.get(name)!.push(samplers.get(name)!());
  }
  const timings = names.map((name) => {
    const own = rounds.get(name)!;
    return [name, { ms: median(own), rounds: own }];
  });
  return Object.fromEntries(timings) as Record<Name, Timing>;
}

/** Warms the work up; each call of the result returns the CPU milliseconds of one piece. */
export function sampler(
  work: () => unknown,
  warmUpMs: number,
  sampleMs = sampleMsMin,
): () => number {
  const each = timeOf(work, (_, ms) => ms >= warmUpMs);
  const count = Math.max(1, Math.round(sampleMs / each));
  return () => timeOf(work, (done) => done >= count);
}

function timeOf(work: () => unknown, isEnough: (done: number, ms: number) => boolean): number {
  const startedAt = cpuMs();
  let done = 0;
  do {
    work();
    done++;
  } while (!isEnough(done, cpuMs() - startedAt));
  return (cpuMs() - startedAt) / done;
}

/** How many times longer `whole` takes than `part`: the median over rounds. */
export function ratio(whole: Timing, part: Timing): number {
  return median(whole.rounds.map((ms, round) => ms / part.rounds[round]!));
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The exponent e of cost ~ size^e: the slope of the least squares line in logarithms. */
export function exponent(
  points: readonly { readonly size: number; readonly ms: number }[],
): number {
  const xs = points.map(({ size }) => Math.log(size));
  const ys = points.map(({ ms }) => Math.log(ms));
  const [x, y] = [mean(xs), mean(ys)];
  const covariance = xs.reduce((sum, each, index) => sum + (each - x) * (ys[index]! - y), 0);
  return covariance / xs.reduce((sum, each) => sum + (each - x) ** 2, 0);
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The most of these instants (milliseconds, in order) within any second. */
export function mostInSecond(times: readonly number[]): number {
  let most = 0;
  let first = 0;
  for (const [last, at] of times.entries()) {
    while (times[first]! <= at - 1_000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

/** The time that this share of the times does not exceed, in their unit: `quantiles(times)(0.99)`. */
export function quantiles(times: readonly number[]): (share: number) => number {
  const sorted = times.toSorted((a, b) => a - b);
  return (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
