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
/** A list that is slow is asked for less often. */
const patienceMs = 5_000;
const askedMin = 20;
const target = { is: 'at-most', value: 50 } as const;

/**
 * Lists and figures of the team inbox over HTTP, each asked for one at a time with values of its own
 * by chance, and the second time round. `--messages` says how many there are: 10,000,000 take eight
 * minutes to load (where the machine is slow sixteen), and 12.7 GB.
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
      const figures = [figure('messages', messages, ''), loaded, await sizeOf(postgres.url)];
      const wanted = Object.entries(questions(messages)).filter(([name]) => name.startsWith(only));
      // Once for nothing: of a server in use, what is read again and again is in memory.
      for (const [, question] of wanted) await timesOf(client, question);
      const ofLists: number[] = [];
      for (const [name, question] of wanted) {
        const times = await timesOf(client, question);
        const isList = !name.startsWith('stats');
        if (isList) ofLists.push(...times);
        figures.push(...percentiles(name, times, isList));
      }
      await client.close();
      if (ofLists.length > 0) figures.push(...percentiles('all lists together', ofLists, true));
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
      ...{ DATABASE_URL: url, DRAWBRIDGE_HOME: home, HOST: '127.0.0.1', PORT: '0' },
      ...{ SANDBOX_PORT: '0', READ_LIMIT: '100000' },
    }),
    ...{ clock: () => new Date(), random: randomBytes, stopwatch: () => performance.now() },
    log: createLog({ level: 'error' }),
    modules: [messagingModule],
  });
}

async function sizeOf(url: string): Promise<Figure> {
  const [row] = await sqlAt<{ bytes: string }>(
    ...([url, 'select pg_database_size(current_database())::text as bytes'] as const),
  );
  return figure('size', Number(row!.bytes) / 1e9, 'GB');
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

function percentiles(name: string, times: readonly number[], isList: boolean): Figure[] {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)]!;
  return [
    figure(`${name}: p50`, at(0.5), 'ms'),
    figure(`${name}: p95`, at(0.95), 'ms', isList ? target : undefined),
  ];
}
