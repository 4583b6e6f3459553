/**
 * A workspace with a week's work in it, on a control plane in this process with its simulators. Its
 * clock stands in a past week, so that the same days are shown whenever it is made.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, createApp } from '@drawbridge/control-plane/app.ts';
import { modules } from '@drawbridge/control-plane/modules/registry.ts';
import { makeMember } from '@drawbridge/control-plane/people/members/new-member.ts';
import { createTenant, issueKey } from '@drawbridge/control-plane/platform/auth/issue.ts';
import { createLog } from '@drawbridge/control-plane/platform/log/log.ts';
import { readSettings } from '@drawbridge/control-plane/settings.ts';
import { Client as Einvoicing } from '@drawbridge/sdk/clients/einvoice.ts';
import { Client as Messaging } from '@drawbridge/sdk/clients/messaging.ts';
import { startPostgres } from '../../../test/kit/postgres.ts';
import { settableClock } from './clock.ts';
import { makeConversations } from './conversations.ts';
import { makeInvoices } from './invoices.ts';
import type { Shown } from './shown.ts';

export interface World {
  readonly url: string;
  readonly shown: Shown;
  readonly person: { readonly email: string; readonly password: string };
  /** The time at which it is looked at. */
  readonly now: Date;
  stop(): Promise<void>;
}

const monday = '2026-11-16T04:30:00Z';
const thursday = '2026-11-19T04:12:00Z';
const noon = '2026-11-19T08:40:00Z';

export async function makeWorld(): Promise<World> {
  const postgres = await startPostgres();
  const home = await mkdtemp(join(tmpdir(), 'screenshots-'));
  const clock = settableClock(monday);
  const app = await openApp(postgres.url, home, clock.now);
  const { sandboxBaseUrl: url } = await app.listen();
  const tenantId = await createTenant(app.platform.db, 'Al Noor Trading', app.platform);
  const keyOf = (family: 'sk' | 'jc') => newKey(app, tenantId, family);
  const person = { email: 'aisha@alnoor.example', name: 'Aisha Rahman', role: 'owner' } as const;
  const { password } = await makeMember(app.platform, tenantId, person);
  const { simulators } = JSON.parse(await readFile(join(home, 'credentials.json'), 'utf8'));

  const messaging = new Messaging({ baseUrl: url, key: await keyOf('jc'), fetch });
  const signIn = async () => {
    const body = { email: person.email, password: password! };
    const { access } = await messaging.createToken({ body });
    return new Messaging({ baseUrl: url, key: access, fetch });
  };
  const conversations = await makeConversations({ messaging, signIn, simulators, clock });
  clock.set(thursday);
  const folder = join(home, 'roots', tenantId);
  await mkdir(folder, { recursive: true });
  const einvoicing = new Einvoicing({ baseUrl: url, key: await keyOf('sk'), fetch });
  const invoices = await makeInvoices({ einvoicing, folder, now: clock.now() });
  clock.set(noon);
  return {
    url,
    shown: { ...conversations, ...invoices },
    person: { email: person.email, password: password! },
    now: new Date(noon),
    stop: async () => {
      await app.close();
      await postgres.stop();
      await rm(home, { recursive: true });
    },
  };
}

function openApp(databaseUrl: string, home: string, clock: () => Date): Promise<App> {
  return createApp({
    settings: readSettings({
      DATABASE_URL: databaseUrl,
      DRAWBRIDGE_HOME: home,
      CONNECTOR_ROOTS: join(home, 'roots'),
      HOST: '127.0.0.1',
      PORT: '0',
      SANDBOX_PORT: '0',
    }),
    clock,
    random: randomBytes,
    stopwatch: () => performance.now(),
    log: createLog({ level: 'error' }),
    modules,
  });
}

async function newKey(
  { platform: { db, random } }: App,
  tenantId: string,
  family: 'sk' | 'jc',
): Promise<string> {
  const scopes = family === 'jc' ? ['role:owner'] : undefined;
  const request = {
    family,
    environment: 'sandbox',
    name: 'ERP',
    ...(scopes && { scopes }),
  } as const;
  return (await issueKey(db, tenantId, request, random)).text;
}
