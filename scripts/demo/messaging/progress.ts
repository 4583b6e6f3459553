import { setTimeout as delay } from 'node:timers/promises';

/** How a broadcast stands, as the API shows it. */
export interface Standing {
  readonly status: string;
  readonly recipients: number;
  readonly counts: Readonly<Record<string, number>>;
}

const pollMs = 250;
const giveUpMs = 120_000;
const barWidth = 30;
const shown = ['sent', 'delivered', 'read', 'clicked', 'replied', 'failed'] as const;

/** Shows a bar that grows until the broadcast is over: one line on a terminal, some in a file. */
export async function watch(total: number, read: () => Promise<Standing>): Promise<void> {
  const giveUp = performance.now() + giveUpMs;
  const { isTTY } = process.stderr;
  let last = '';
  for (;;) {
    const standing = await read();
    const isOver = ['completed', 'failed', 'canceled', 'paused'].includes(standing.status);
    const text = lineOf(standing, total);
    if (isTTY) process.stderr.write(`\r\u001b[2K${text}`);
    else if (isOver || bucketOf(standing, total) !== last) process.stderr.write(`${text}\n`);
    last = bucketOf(standing, total);
    if (isOver || performance.now() > giveUp) break;
    await delay(pollMs);
  }
  if (isTTY) process.stderr.write('\n');
}

function lineOf({ status, counts }: Standing, total: number): string {
  const done = (counts.sent ?? 0) + (counts.failed ?? 0);
  const filled = Math.round((barWidth * done) / total);
  const bar = '█'.repeat(filled).padEnd(barWidth, '░');
  const figures = shown.map((name) => `${name} ${counts[name] ?? 0}`).join('  ');
  return `         ${bar} ${status.padEnd(9)} ${figures}`;
}

/** A quarter of the way: a file needs no more lines than that. */
function bucketOf({ status, counts }: Standing, total: number): string {
  return `${status} ${Math.floor((4 * (counts.sent ?? 0)) / total)}`;
}
