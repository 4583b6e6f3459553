import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { connectorKind } from '@drawbridge/connectors/registry.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SourceOpening } from './messages.ts';
import { SourceThread } from './source-thread.ts';

const clock = () => new Date('2026-03-01T08:00:00Z');
const thread = new SourceThread(clock);
const never = new AbortController().signal;
let folder: string;
let opening: SourceOpening;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sources-'));
  opening = {
    kind: 'files',
    settings: connectorKind('files')!.settings.parse({ folder }),
    owner: 'acme',
    allowedRoots: [folder],
    timeoutMs: 30_000,
    allowPrivate: true,
  };
  const lines = Array.from({ length: 40_000 }, (_, at) => ({ no: at, text: `${at} `.repeat(20) }));
  await writeFile(join(folder, 'large.json'), JSON.stringify({ number: 'INV-1', lines }));
  await writeFile(join(folder, 'broken.json'), `{"number":"${'x'.repeat(1_000_000)}`);
});
afterAll(async () => {
  await thread.close();
  await rm(folder, { recursive: true });
});

/** The most milliseconds of the processor that one turn of this thread took while the work went on. */
async function longestTurn(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  let longest = 0;
  while (!isOver) {
    const begun = process.threadCpuUsage();
    await turnOfLoop();
    const { user, system } = process.threadCpuUsage(begun);
    longest = Math.max(longest, (user + system) / 1_000);
  }
  return longest;
}

test('a large document is read as it would be here, and holds this thread for no part of that', async () => {
  const { kind, settings, ...context } = opening;
  const here = await connectorKind(kind)!.open(settings, { ...context, clock });
  const expected = await here.read('large.json', never);
  const source = await thread.open(opening);
  await source.read('broken.json', never); // all is loaded
  const [longestHere, longest] = [
    await longestTurn(here.read('large.json', never)),
    await longestTurn(source.read('large.json', never)),
  ];
  // So much is read here that one tick of the clock which counts (4 ms) is no matter.
  expect(longest).toBeLessThan(longestHere / 4);
  expect(await source.readMany(['large.json', 'none.json'], never)).toEqual([
    expected,
    { kind: 'missing' },
  ]);
  await Promise.all([here.close(), source.close()]);
});

test('a source that is closed while calls are on their way answers them', async () => {
  const source = await thread.open(opening);
  const calls = [source.test(never), source.read('large.json', never)];
  await source.close();
  expect(await Promise.all(calls)).toMatchObject([
    { kind: 'failed', fault: { code: 'process_ended', retry: 'later' } },
    { kind: 'unreachable', fault: { code: 'process_ended', retry: 'later' } },
  ]);
});

test.each([
  ['read', ['broken.json']],
  ['describe', []],
  ['list', [undefined]],
  ['test', []],
] as const)('%s answers as it would here', async (method, given) => {
  const { kind, settings, ...context } = opening;
  const sources = [
    await connectorKind(kind)!.open(settings, { ...context, clock }),
    await thread.open(opening),
  ];
  const [here, there] = await Promise.all(
    sources.map((source) =>
      (source[method] as (...all: unknown[]) => Promise<unknown>)(...given, never),
    ),
  );
  expect(there).toEqual(here);
  await Promise.all(sources.map((source) => source.close()));
});

test('a call is given up by its signal, and a thread that ends answers what waits for it', async () => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const settings = connectorKind('http')!.settings.parse({
    url: `http://127.0.0.1:${port}`,
    list: { path: '/invoices', records: '$', ref: '$.id', paging: { by: 'none' } },
    read: { path: '/invoices/{ref}' },
  });
  const source = await thread.open({ ...opening, kind: 'http', settings });
  const abort = new AbortController();
  const waiting = source.read('1', abort.signal);
  await once(server, 'connection');
  abort.abort();
  expect(await waiting).toMatchObject({ kind: 'unreachable', fault: { code: 'aborted' } });
  const lost = source.readMany(['1', '2'], never);
  await once(server, 'connection');
  await thread.close();
  const ended = { kind: 'unreachable', fault: { code: 'process_ended', retry: 'later' } };
  expect(await lost).toMatchObject([ended, ended]);
  const again = source.read('1', abort.signal);
  expect(await again).toMatchObject({ kind: 'unreachable', fault: { code: 'aborted' } });
  await source.close();
  expect(await source.describe(never)).toMatchObject(ended);
  server.close();
});
