/** The agent's own log: lines of JSON in `log/agent.log` of the home folder, the older ones beside it. */
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const levels = ['debug', 'info', 'warn', 'error'] as const;
export type Level = (typeof levels)[number];

export interface LogLine {
  readonly at: string;
  readonly level: Level;
  readonly event: string;
  readonly detail: string;
}

/** Files that share the bound: the present one and those before it, `agent.log.1` the youngest. */
const fileCount = 5;
/** Longer details are cut: one line must not fill the log. */
const detailMax = 2_000;

/** Appends a line; when the log has no room, or the disk, the line is lost and the work goes on. */
export function openLog(home: string, bytesMax: number): (line: LogLine) => void {
  const folder = join(home, 'log');
  const file = join(folder, 'agent.log');
  const fileBytesMax = Math.floor(bytesMax / fileCount);
  return (line) => {
    const text = `${JSON.stringify({ ...line, detail: line.detail.slice(0, detailMax) })}\n`;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (sizeOf(file) + Buffer.byteLength(text) > fileBytesMax) rotate(file);
      appendFileSync(file, text, { mode: 0o600 });
    } catch {
      // What is logged went to the standard output too.
    }
  };
}

/** The files of a log, the oldest first. */
export function logFiles(home: string): string[] {
  const file = join(home, 'log', 'agent.log');
  const older = Array.from({ length: fileCount - 1 }, (_, at) => `${file}.${at + 1}`);
  return [...older.reverse(), file].filter((path) => existsSync(path));
}

function rotate(file: string): void {
  rmSync(`${file}.${fileCount - 1}`, { force: true });
  for (let number = fileCount - 2; number >= 0; number -= 1) {
    const from = number === 0 ? file : `${file}.${number}`;
    if (existsSync(from)) renameSync(from, `${file}.${number + 1}`);
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
