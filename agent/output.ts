import CliTable from 'cli-table3';
import { errors, exits } from './errors.ts';
import type { Failed, Outcome, Table } from './outcome.ts';
import { printable } from './printable.ts';

export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
}

interface Streams {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
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
  { error, cause, suggestions }: Failed,
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
