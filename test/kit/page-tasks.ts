/**
 * How long a page works in one go, which is how long it answers nobody:
 *
 *     expect(await longestTaskMs(page, () => page.mouse.wheel(0, 900)))
 *       .toBeLessThan(await longTaskMs(page));
 */
import type { Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Time of the processor in µs, which other work of the machine does not lengthen. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

const turns = 3;

/**
 * The longest task of the page's main thread while it does something, in ms of its processor. It
 * is done three times, and the best turn counts: a busy machine makes a turn longer, never shorter.
 */
export async function longestTaskMs(page: Page, act: () => Promise<unknown>): Promise<number> {
  const longest: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) longest.push(await longestOfTurn(page, act));
  return Math.min(...longest);
}

/**
 * The shortest task that a person feels as a jerk, 50 ms of a usual processor, in ms of this one
 * under what else it does: what a table of plain rows takes that takes 50 ms there.
 */
export function longTaskMs(page: Page): Promise<number> {
  return longestTaskMs(page, () => page.evaluate(drawPlainTable));
}

const drawPlainTable = `{
  const table = document.createElement('table');
  for (let at = 0; at < 1_800; at += 1) {
    const row = table.insertRow();
    for (const text of ['Person ' + at, 'here', 'there']) row.insertCell().append(text);
  }
  document.body.append(table);
  table.offsetHeight;
  table.remove();
}`;

async function longestOfTurn(page: Page, act: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await act();
  await page.evaluate('0'); // in a later task: the last one of the act has ended and is in the trace
  const trace = (await browser.stopTracing()).toString();
  const { traceEvents } = JSON.parse(trace) as { traceEvents: readonly TraceEvent[] };
  const isPage = ({ name, args }: TraceEvent) =>
    name === 'thread_name' && args?.name === 'CrRendererMain';
  const threads = new Set(traceEvents.filter(isPage).map(threadOf));
  const tasks = traceEvents.filter(
    (event) => event.name.endsWith('RunTask') && threads.has(threadOf(event)),
  );
  if (tasks.length === 0) throw new Error('the trace tells of no task of the page');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000;
}

const threadOf = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`;
