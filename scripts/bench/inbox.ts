import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, createApp } from '@drawbridge/control-plane/app.ts';
import { messagingModule } from '@drawbridge/control-plane/messaging/module.ts';
import { createTenant, issueKey } from '@drawbridge/control-plane/platform/auth/issue.ts';
import { startEmbedded } from '@drawbridge/control-plane/platform/db/embedded.ts';
import { createLog } from '@drawbridge/control-plane/platform/log/log.ts';
import { readSettings } from '@drawbridge/control-plane/settings.ts';
import { sqlAt, startPostgres } from '../../test/kit/postgres.ts';
import { Client } from './client.ts';
import { type Bench, type Figure, figuresOf } from './figure.ts';
import { type Answer, type Question, questions } from './inbox-questions.ts';
import { fillInbox } from './inbox-rows.ts';

const figure = figuresOf('inbox');
const asked = 100;
/** Milliseconds for one list; a slow list is requested less often. */
const patienceMs = 5_000;
const askedMin = 20;

/**
 * Lists and figures of the team inbox over HTTP, one request at a time with new random values; the
 * second round counts. `--messages` says how many messages there are.
 */
export const inbox: Bench = {
  name: 'inbox',
  title: 'Team inbox: milliseconds until a page of 50 is here',
  isLarge: true,
  run: async ({ messages, kept, only }) => {
    const postgres = await (kept
      ? startEmbedded({ home: kept })
      : startPostgres({ durable: true }));
    const home = kept || (await mkdtemp(join(tmpdir(), 'bench-inbox-')));
    const app = await openApp(postgres.url, home);
    try {
      const { sandboxBaseUrl } = await app.listen();
      const startedAt = performance.now();
      const tenantId = await filledTenant(app, postgres.url, messages);
      const loaded = figure('load', (performance.now() - startedAt) / 1_000, 's');
      const request = { family: 'jc', environment: 'sandbox', name: 'b', scopes: ['*'] } as const;
      const key = await issueKey(app.platform.db, tenantId, request, randomBytes);
      const client = new Client(sandboxBaseUrl, key.text, 1);
      const figures = [figure('messages', messages, ''), loaded, ...(await sizesOf(postgres.url))];
      const wanted = Object.entries(questions(messages)).filter(([name]) => name.startsWith(only));
      // One round is not counted: in a server in use, data that is read often is in memory.
      for (const [, question] of wanted) await timesOf(client, question);
      const ofLists: number[] = [];
      for (const [name, question] of wanted) {
        const times = await timesOf(client, question);
        if (!name.startsWith('stats')) ofLists.push(...times);
        figures.push(...percentiles(name, times, question.targetMs));
      }
      await client.close();
      if (ofLists.length > 0) figures.push(...percentiles('all lists together', ofLists));
      return figures;
    } finally {
      await app.close();
      await postgres.stop();
      if (!kept) await rm(home, { recursive: true });
    }
  },
};

/** The tenant that a kept database already has, or a new one. */
async function filledTenant({ platform }: App, url: string, messages: number): Promise<string> {
  const name = 'Bench';
  const [kept] = await sqlAt<{ id: string }>(url, 'select id from tenant where name = $1', [name]);
  if (kept !== undefined) return kept.id;
  const tenantId = await createTenant(platform.db, name, platform);
  await fillInbox(url, { tenantId, environment: 'sandbox', messages });
  return tenantId;
}

function openApp(url: string, home: string): Promise<App> {
  return createApp({
    settings: readSettings({
      DATABASE_URL: url,
      DRAWBRIDGE_HOME: home,
      HOST: '127.0.0.1',
      PORT: '0',
      SANDBOX_PORT: '0',
      READ_LIMIT: '100000',
    }),
    clock: () => new Date(),
    random: randomBytes,
    stopwatch: () => performance.now(),
    log: createLog({ level: 'error' }),
    modules: [messagingModule],
  });
}

async function sizesOf(url: string): Promise<Figure[]> {
  const [row] = await sqlAt<{ database: string; search: string }>(
    url,
    `select pg_database_size(current_database())::text as database,
       pg_relation_size('message_search')::text as search`,
  );
  return [
    figure('size', Number(row!.database) / 1e9, 'GB'),
    figure('size of the index of words', Number(row!.search) / 1e9, 'GB'),
  ];
}

async function timesOf(client: Client, { path, before = 5 }: Question): Promise<number[]> {
  let last: Answer | undefined;
  const times: number[] = [];
  let spentMs = 0;
  for (let n = -before; n < asked; n += 1) {
    if (spentMs > patienceMs && times.length >= askedMin) break;
    const next = path(last);
    const startedAt = performance.now();
    last = await client.send('GET', next);
    if (n < 0) continue;
    times.push(performance.now() - startedAt);
    spentMs += times.at(-1)!;
  }
  return times;
}

function percentiles(name: string, times: readonly number[], targetMs?: number): Figure[] {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)]!;
  const target = targetMs === undefined ? undefined : ({ is: 'at-most', value: targetMs } as const);
  return [
    figure(`${name}: p50`, at(0.5), 'ms'),
    figure(`${name}: p95`, at(0.95), 'ms', target),
    figure(`${name}: max`, sorted.at(-1)!, 'ms'),
  ];
}
