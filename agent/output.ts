import CliTable from 'cli-table3';
import { type ErrorName, errors, exits } from './errors.ts';
import { printable } from './printable.ts';

export interface Table {
  /** A sentence above it. */
  readonly title?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What is said in place of a table without rows. */
  readonly none?: string;
}

/** How a command ended. */
export type Outcome =
  | {
      readonly kind: 'done';
      /** For --json. */
      readonly data: unknown;
      /** What people see: tables and sentences, or nothing. */
      readonly shown?: Table | string | readonly (Table | string)[];
      /** Not `ok` when the command worked and found something that is not well. */
      readonly exit?: keyof typeof exits;
    }
  /** It printed while it worked. */
  | { readonly kind: 'printed' }
  | {
      readonly kind: 'failed';
      readonly error: ErrorName;
      readonly cause: string;
      /** What was perhaps meant, for --json; people read it in the cause. */
      readonly suggestions?: readonly string[];
    };

export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
}

interface Streams {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

export function failed(error: ErrorName, cause: string): Outcome {
  return { kind: 'failed', error, cause };
}

/** Prints an outcome, data to stdout and messages to stderr, and returns the exit code. */
export function present(outcome: Outcome, options: OutputOptions, streams: Streams): number {
  if (outcome.kind === 'failed') return presentError(outcome, options, streams);
  if (outcome.kind === 'printed') return exits.ok;
  if (options.json) {
    streams.stdout.write(`${JSON.stringify(outcome.data)}\n`);
  } else if (outcome.shown !== undefined && !options.quiet) {
    const parts = [outcome.shown].flat() as readonly (Table | string)[];
    const texts = parts.map((part) =>
      typeof part === 'string' ? printable(part) : tableText(part, options.color),
    );
    streams.stdout.write(`${texts.join('\n\n')}\n`);
  }
  return exits[outcome.exit ?? 'ok'];
}

function presentError(
  { error, cause, suggestions }: Extract<Outcome, { kind: 'failed' }>,
  { json, color }: OutputOptions,
  { stdout, stderr }: Streams,
): number {
  const { code, exit, next } = errors[error];
  if (json) {
    stdout.write(`${JSON.stringify({ error: { code, cause, next, suggestions } })}\n`);
  }
  const title = color ? `\u001b[31m${code}\u001b[39m` : code;
  stderr.write(`${title} ${printable(cause)}\n  ${next}\n`);
  return exit;
}

function tableText({ title, head, rows, none = 'none' }: Table, color: boolean): string {
  if (rows.length === 0) return printable(none);
  const style = color ? { head: ['bold'], border: ['grey'] } : { head: [], border: [] };
  const table = new CliTable({ head: head.map(printable), style });
  table.push(...rows.map((row) => row.map(printable)));
  return [...(title === undefined ? [] : [printable(title)]), table.toString()].join('\n');
}
