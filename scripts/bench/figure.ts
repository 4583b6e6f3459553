import { cpus, loadavg } from 'node:os';

/** One measured thing, printed as a line of JSON. */
export interface Figure {
  readonly bench: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The target of the figure. */
  readonly target?: Target;
}

export interface Target {
  readonly is: 'at-least' | 'at-most';
  readonly value: number;
}

/** One bench: figures that are measured together, on the same machine in the same run. */
export interface Bench {
  readonly name: string;
  /** What it measures, for the table. */
  readonly title: string;
  /** Takes many minutes and gigabytes, so it is run only when it is named. */
  readonly isLarge?: boolean;
  run(options: BenchOptions): Promise<readonly Figure[]>;
}

/** What the command line may change. */
export interface BenchOptions {
  /** For the benches of mapping and connect: the folder of sample ERPs. */
  readonly folder: string;
  /** For the benches of memory and of reading a source. */
  readonly documents: number;
  /** Rows of the import. */
  readonly contacts: number;
  /** For the inbox bench. */
  readonly messages: number;
  /** For the discovery bench: of all tables of a database. */
  readonly rows: number;
  /** For the mapping bench: the seed of another order of columns; 0 for that of the tables. */
  readonly shuffled: number;
  /** For the inbox bench: the folder in which its database is kept for later runs; '' for none. */
  readonly kept: string;
  /** For the inbox bench: only lists whose names begin with this are measured. */
  readonly only: string;
  /** For the validation bench: the jar of Saxon-HE; '' for its usual speed. */
  readonly saxon: string;
  /** For the validation bench: the folder of the published rules that Saxon runs. */
  readonly authority: string;
  /** For the messaging bench: for how long messages are sent at the limit. */
  readonly seconds: number;
}

/** Figures of one bench, rounded to four significant digits. */
export function figuresOf(
  bench: string,
): (name: string, value: number, unit: string, target?: Target) => Figure {
  return (name, value, unit, target) => ({
    bench,
    name,
    unit,
    value: Number(value.toPrecision(4)),
    ...(target === undefined ? {} : { target }),
  });
}

/** Whether a figure meets its target; undefined when it has none. */
export function isMet({ value, target }: Figure): boolean | undefined {
  if (target === undefined) return undefined;
  return target.is === 'at-least' ? value >= target.value : value <= target.value;
}

/** The machine that was measured. */
export function machine(): Readonly<Record<string, string | number>> {
  const cores = cpus();
  return {
    node: process.version,
    cores: cores.length,
    processor: cores[0]?.model ?? 'unknown',
    load: Number(loadavg()[0]!.toFixed(2)),
  };
}
