import { setTimeout as delay } from 'node:timers/promises';

/** The status of a broadcast, as the API shows it. */
export interface Progress {
  readonly status: string;
  readonly recipients: number;
  readonly counts: Readonly<Record<string, number>>;
}

const pollMs = 250;
const giveUpMs = 120_000;
const barWidth = 30;
const shown = ['sent', 'delivered', 'read', 'clicked', 'replied', 'failed'] as const;

/** Shows a bar that grows until the broadcast is over: one line on a terminal, some in a file. */
export async function watch(total: number, read: () => Promise<Progress>): Promise<void> {
  const giveUp = performance.now() + giveUpMs;
  const { isTTY } = process.stderr;
  let last = '';
  for (;;) {
    const progress = await read();
    const isOver = ['completed', 'failed', 'canceled', 'paused'].includes(progress.status);
    const text = lineOf(progress, total);
    if (isTTY) process.stderr.write(`\r\u001b[2K${text}`);
    else if (isOver || bucketOf(progress, total) !== last) process.stderr.write(`${text}\n`);
    last = bucketOf(progress, total);
    if (isOver || performance.now() > giveUp) break;
    await delay(pollMs);
  }
  if (isTTY) process.stderr.write('\n');
}

function lineOf({ status, counts }: Progress, total: number): string {
  const done = (counts.sent ?? 0) + (counts.failed ?? 0);
  const filled = Math.round((barWidth * done) / total);
  const bar = '█'.repeat(filled).padEnd(barWidth, '░');
  const figures = shown.map((name) => `${name} ${counts[name] ?? 0}`).join('  ');
  return `         ${bar} ${status.padEnd(9)} ${figures}`;
}

/** The quarter that is reached; a file gets one line for each. */
function bucketOf({ status, counts }: Progress, total: number): string {
  return `${status} ${Math.floor((4 * (counts.sent ?? 0)) / total)}`;
}
