/**
 * The process that `start.ts` starts: requests come in as messages, answers go out as messages.
 * While SQLite works this process hears nothing, so whoever started it kills it.
 */
import { Worker } from 'node:worker_threads';
import type { Rows } from '../../sql/driver.ts';
import type { SqliteMessage, SqliteRequest } from './messages.ts';
import { Session } from './session.ts';

/** Characters of rows in one message: the receiver reads each without holding up others for long. */
const messageLengthMax = 262_144;

const session = new Session();
let last = Promise.resolve();

process.on('message', (request: SqliteRequest) => {
  last = last.then(async () => {
    const answer = await session.answer(request);
    if (answer.kind !== 'rows') return send({ answer });
    const messages = partsOf(answer.rows);
    const rows = messages.pop() ?? [];
    for (const part of messages) send({ rows: part });
    return send({ answer: { ...answer, rows } });
  });
});
process.on('disconnect', () => process.exit());
// A terminal and a service manager tell the whole group: who started this process ends it.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
endWithParent();

function send(message: SqliteMessage): void {
  process.send?.(message);
}

function partsOf(rows: Rows['rows']): Rows['rows'][] {
  const parts: (readonly (string | null)[])[][] = [[]];
  let length = 0;
  for (const row of rows) {
    const rowLength = row.reduce((sum, value) => sum + (value?.length ?? 0), 0);
    if (length > 0 && length + rowLength > messageLengthMax) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(row);
    length += rowLength;
  }
  return parts;
}

/** Another thread looks whether the parent process is there, which this one cannot while SQLite works. */
function endWithParent(): void {
  const look =
    `setInterval(() => { if (process.ppid !== ${process.ppid}) ` +
    `process.kill(process.pid, 'SIGKILL'); }, 1000)`;
  new Worker(look, { eval: true }).unref();
}
