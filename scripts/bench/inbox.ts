import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, createApp } from '@drawbridge/control-plane/app.ts';
import { messagingModule } from '@drawbridge/control-plane/messaging/module.ts';
import { createTenant, issueKey } from '@drawbridge/control-plane/platform/auth/issue.ts';
import { createLog } from '@drawbridge/control-plane/platform/log/log.ts';
import { readSettings } from '@drawbridge/control-plane/settings.ts';
import { sqlAt, startPostgres } from '../../test/kit/postgres.ts';
import { Client } from './client.ts';
import { type Bench, type Figure, figuresOf } from './figure.ts';
import {
  agents,
  contactIdOf,
  contactsOf,
  fillInbox,
  firstAt,
  lastAt,
  rareEvery,
} from './inbox-rows.ts';

const figure = figuresOf('inbox');
const asked = 100;
const target = { is: 'at-most', value: 50 } as const;

/**
 * Lists and figures of the team inbox over HTTP, each asked for one at a time with values of its own
 * by chance. `--messages` says how many there are: 10,000,000 take about nine minutes to
 * load and 11 GB.
 */
export const inbox: Bench = {
  name: 'inbox',
  title: 'Team inbox: milliseconds until a page of 50 is here',
  isLarge: true,
  run: async ({ messages }) => {
    const postgres = await startPostgres({ durable: true });
    const home = await mkdtemp(join(tmpdir(), 'bench-inbox-'));
    const app = await openApp(postgres.url, home);
    try {
      const { sandboxBaseUrl } = await app.listen();
      const { db } = app.platform;
      const tenantId = await createTenant(db, 'Bench', app.platform);
      const request = { family: 'jc', environment: 'sandbox', name: 'b', scopes: ['*'] } as const;
      const key = await issueKey(db, tenantId, request, randomBytes);
      const startedAt = performance.now();
      await fillInbox(postgres.url, { tenantId, environment: 'sandbox', messages });
      const loaded = figure('load', (performance.now() - startedAt) / 1_000, 's');
      const client = new Client(sandboxBaseUrl, key.text, 1);
      const figures = [figure('messages', messages, ''), loaded, await sizeOf(postgres.url)];
      for (const [name, path] of Object.entries(questions(messages))) {
        figures.push(...(await measure(client, name, path)));
      }
      await client.close();
      return figures;
    } finally {
      await app.close();
      await postgres.stop();
      await rm(home, { recursive: true });
    }
  },
};

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

type Question = () => string;

/** What is asked for; every time with other values. */
function questions(messages: number): Readonly<Record<string, Question>> {
  const below = (count: number) => Math.floor(Math.random() * count);
  const instant = () => new Date(firstAt + Math.random() * (lastAt - firstAt)).toISOString();
  const word = (from: number, to: number) => `w${String(from + below(to - from)).padStart(5, '0')}`;
  const agent = () => `assignee=usr_${below(agents)}`;
  const channel = () => `channel=${['wa', 'sms', 'botchat', 'rcs'][below(4)]}`;
  const contact = () => `contact=${contactIdOf(below(contactsOf({ messages })))}`;
  const rare = () => `text=rare${below(messages / rareEvery) * rareEvery + 7}`;
  const at = (path: string, ...parts: Question[]): Question => {
    return () => `/team-inbox/api/${path}/?${parts.map((part) => part()).join('&')}`;
  };
  const state = (name: string) => () => `state=${name}`;
  const until = () => `until=${instant()}`;
  const common = () => `text=${word(0, 3)}`;
  const middling = () => `text=${word(300, 3_000)}`;
  const seldom = () => `text=${word(20_000, 50_000)}`;
  const month = () => {
    const from = firstAt + Math.random() * (lastAt - firstAt - 31 * 86_400_000);
    const until = new Date(from + 30 * 86_400_000);
    return `since=${new Date(from).toISOString()}&until=${until.toISOString()}`;
  };
  return {
    'messages, newest': at('messages'),
    'messages, until': at('messages', until),
    'messages, channel': at('messages', channel),
    'messages, channel, until': at('messages', channel, until),
    'messages, contact': at('messages', contact),
    'messages, contact, common word': at('messages', contact, common),
    'messages, assignee': at('messages', agent),
    'messages, assignee, until': at('messages', agent, until),
    'messages, nobody’s': at('messages', () => 'assignee=none'),
    'messages, open': at('messages', state('open')),
    'messages, snoozed': at('messages', state('snoozed')),
    'messages, closed, until': at('messages', state('closed'), until),
    'messages, snoozed, assignee, channel': at('messages', state('snoozed'), agent, channel),
    'messages, common word': at('messages', common),
    'messages, common word, until': at('messages', common, until),
    'messages, middling word': at('messages', middling),
    'messages, seldom word': at('messages', seldom),
    'messages, rare word': at('messages', rare),
    'messages, two words': at('messages', () => `text=${word(0, 100)}%20${word(0, 1_000)}`),
    'messages, common word, channel': at('messages', common, channel),
    'messages, common word, assignee': at('messages', common, agent),
    'messages, middling word, assignee': at('messages', middling, agent),
    'messages, common word, snoozed': at('messages', common, state('snoozed')),
    'messages, middling word, open, until': at('messages', middling, state('open'), until),
    'conversations, newest': at('conversations'),
    'conversations, open': at('conversations', state('open')),
    'conversations, assignee, open': at('conversations', agent, state('open')),
    'conversations, unread': at('conversations', () => 'unread=true'),
    'conversations, waiting': at('conversations', () => 'waiting=true'),
    'stats, any month': at('stats', month),
  };
}

async function measure(client: Client, name: string, next: Question): Promise<Figure[]> {
  for (let n = 0; n < 5; n += 1) await client.send('GET', next());
  const times: number[] = [];
  for (let n = 0; n < asked; n += 1) {
    const path = next();
    const startedAt = performance.now();
    await client.send('GET', path);
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const isList = !name.startsWith('stats');
  return [
    figure(`${name}: p50`, times[Math.floor(asked * 0.5)]!, 'ms'),
    figure(`${name}: p95`, times[Math.floor(asked * 0.95)]!, 'ms', isList ? target : undefined),
  ];
}
