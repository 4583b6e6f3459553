import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** A process whose second thread yields; tells the priority of its first thread and of the collectors. */
const program = `
  import { readdirSync, readFileSync } from 'node:fs';
  import { getPriority } from 'node:os';
  import { once } from 'node:events';
  import { Worker } from 'node:worker_threads';
  const url = ${JSON.stringify(new URL('thread-priority.ts', import.meta.url).href)};
  const before = getPriority(process.pid);
  await once(new Worker(new URL('data:text/javascript,' + encodeURIComponent(
    'const { yieldProcessor } = await import("' + url + '"); yieldProcessor();',
  ))), 'exit');
  const collectors = readdirSync('/proc/self/task').filter(
    (id) => readFileSync('/proc/self/task/' + id + '/comm', 'utf8').trim() === 'V8Worker');
  console.log(JSON.stringify({
    isServingKept: getPriority(process.pid) === before,
    collectors: collectors.map((id) => getPriority(Number(id))),
  }));
`;

test.runIf(process.platform === 'linux')(
  'a thread that yields takes those that collect garbage with it, and not the one that serves',
  async () => {
    const args = ['--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { isServingKept, collectors } = JSON.parse(stdout);
    expect(isServingKept).toBe(true);
    expect(collectors.length).toBeGreaterThan(0);
    expect(Math.min(...collectors)).toBeGreaterThanOrEqual(10);
  },
);
