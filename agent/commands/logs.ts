import { readFileSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { type Level, type LogLine, levels, logFiles } from '../log/log-file.ts';
import { failed, type Outcome } from '../outcome.ts';
import { printable } from '../printable.ts';
import type { Runtime } from '../runtime.ts';
import { addAction, type CommandContext, command } from './command.ts';
import { readInstant } from './instant.ts';

interface Options {
  readonly follow: boolean;
  readonly since?: string;
  readonly level: Level;
}

export function logsCommand(runtime: Runtime): Command {
  const target = command({
    name: 'logs',
    summary: 'Show what the agent of this home folder logged.',
    examples: [
      'drawbridge logs --since 2h --level warn',
      'drawbridge logs --follow',
      'drawbridge logs --since 2026-11-23T08:00:00Z --json',
    ],
  })
    .option('-f, --follow', 'go on with what is logged from now on, until stopped', false)
    .option('--since <time>', 'an instant, or 30m, 2h, 7d before now')
    .addOption(
      new Option('--level <level>', 'this one and those above').choices(levels).default('info'),
    );
  return addAction(target, runtime, logs);
}

const pollMs = 500;

async function logs(
  { runtime, settings, output }: CommandContext,
  options: Options,
): Promise<Outcome> {
  const since = options.since === undefined ? '' : instantOf(options.since, runtime.clock());
  if (since === undefined)
    return failed(
      'usage',
      '--since takes a day or an instant such as 2026-11-23T08:00:00Z, or 30m, 2h, 7d.',
    );
  const least = levels.indexOf(options.level);
  const print = (line: LogLine) => {
    if (levels.indexOf(line.level) < least || line.at < since) return;
    const { at, level, event, detail } = line;
    const text = output.json
      ? JSON.stringify(line)
      : `${at} ${level} ${event} ${printable(detail).replaceAll('\n', ' ')}`;
    runtime.stdout.write(`${text}\n`);
  };
  const files = logFiles(settings.home);
  if (files.length === 0 && !options.follow) {
    const shown = `Nothing is logged in ${settings.home}: no agent has run there.`;
    return output.json ? { kind: 'printed' } : { kind: 'done', data: [], shown };
  }
  for (const file of files) linesOf(readFileSync(file)).lines.forEach(print);
  if (options.follow) await follow(settings.home, files.at(-1), print, runtime.stop);
  return { kind: 'printed' };
}

/** What is appended from now on; a file that was put aside is followed by the new one. */
async function follow(
  home: string,
  first: string | undefined,
  print: (line: LogLine) => void,
  stop: AbortSignal,
): Promise<void> {
  let inode = first === undefined ? 0 : statSync(first).ino;
  let read = first === undefined ? 0 : linesOf(readFileSync(first)).bytes;
  while (!stop.aborted) {
    await wait(pollMs, undefined, { signal: stop }).catch(() => {});
    const file = logFiles(home).at(-1);
    if (file === undefined) continue;
    const { ino } = statSync(file);
    if (ino !== inode) [inode, read] = [ino, 0];
    const { lines, bytes } = linesOf(readFileSync(file).subarray(read));
    lines.forEach(print);
    read += bytes;
  }
}

/** Whole lines, and the bytes that they take; a line that is no log line is left out. */
function linesOf(content: Buffer): { lines: LogLine[]; bytes: number } {
  const end = content.lastIndexOf('\n') + 1;
  const lines = content.subarray(0, end).toString('utf8').split('\n').slice(0, -1);
  return { lines: lines.flatMap(parsed), bytes: end };
}

function parsed(text: string): LogLine[] {
  try {
    const line = JSON.parse(text) as LogLine;
    return levels.includes(line.level) ? [line] : [];
  } catch {
    return []; // cut off by a power failure
  }
}

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Undefined when the text is no instant. */
function instantOf(text: string, now: Date): string | undefined {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) {
    const ms = Number(count) * unitMs[unit as keyof typeof unitMs];
    return new Date(now.getTime() - ms).toISOString();
  }
  return readInstant(text)?.toISOString();
}
