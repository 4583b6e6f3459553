/** What two nodes on one database are asked for at the same moment. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../test/kit/eventually.ts';
import { sqlAt } from '../test/kit/postgres.ts';
import { type App, createApp } from './app.ts';
import { messagingModule } from './messaging/module.ts';
import { type Answer, type ServiceKit, startService } from './messaging/service.kit.ts';
import { topUp } from './messaging/tenants/wallet/store.ts';
import { makeMember } from './people/members/new-member.ts';
import { totpAt } from './people/second-factor/totp.kit.ts';
import { createTenant } from './platform/auth/issue.ts';
import { setSuspended } from './platform/auth/store.ts';
import { newId } from './platform/ids.ts';
import { createLog } from './platform/log/log.ts';
import { readSettings } from './settings.ts';

let kit: ServiceKit;
let other: App;
/** The addresses of both nodes. */
let urls: readonly [string, string];

beforeAll(async () => {
  kit = await startService();
  other = await createApp({
    settings: readSettings({
      DATABASE_URL: kit.ownerUrl,
      DRAWBRIDGE_HOME: kit.home,
      HOST: '127.0.0.1',
      PORT: '0',
      SANDBOX_PORT: '0',
      READ_LIMIT: '10000',
      WRITE_LIMIT: '10000',
      FAILED_KEY_LIMIT: '100000',
      LATE_MS: '60000',
    }),
    clock: kit.app.platform.clock,
    random: randomBytes,
    stopwatch: () => performance.now(),
    log: createLog({ level: 'silent' }),
    modules: [messagingModule],
    checkReplies: true,
  });
  urls = [kit.url, (await other.listen()).sandboxBaseUrl];
});
afterAll(async () => {
  await other?.close();
  await kit?.stop();
});

/** `ask(1, 'GET /contacts/', { as })`: of the second node. */
async function ask(
  node: number,
  line: string,
  { as = '', body }: { readonly as?: string; readonly body?: unknown } = {},
): Promise<Answer> {
  const [method = '', path = ''] = line.split(' ');
  const response = await fetch(urls[node % 2]! + path, {
    method,
    headers: {
      ...(as === '' ? {} : { authorization: `Bearer ${as}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, body: text === '' ? undefined : JSON.parse(text) };
}

let last = 0;
/** A person with a role in a tenant. */
async function newPerson(role: 'owner' | 'analyst', tenantId = kit.tenantId) {
  const email = `person${(last += 1)}@example.com`;
  const { password, userId } = await makeMember(kit.app.platform, tenantId, {
    email,
    name: 'Someone',
    role,
  });
  return { id: userId, typed: { email, password: password! } };
}

const signIn = async (node: number, typed: object) => {
  await sqlAt(kit.ownerUrl, 'delete from sign_in_window');
  return ask(node, 'POST /token/', { body: typed });
};

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

test.each([
  ['demote', (id: string) => [`PATCH /tenants/users/${id}/`, { role: 'admin' }] as const],
  ['remove', (id: string) => [`DELETE /tenants/users/${id}/`, undefined] as const],
])('two owners who %s each other leave one', async (_, change) => {
  for (let round = 0; round < 4; round += 1) {
    const tenantId = await createTenant(kit.app.platform.db, `Race ${round}`, kit.app.platform);
    const people = [await newPerson('owner', tenantId), await newPerson('owner', tenantId)];
    const tokens: string[] = [];
    for (const { typed } of people) tokens.push((await signIn(0, typed)).body.access);
    const answers = await Promise.all(
      tokens.map((as, at) => {
        const [line, body] = change(people[1 - at]!.id);
        return ask(at, line, { as, body });
      }),
    );
    const owners = await sqlAt<{ user_id: string }>(
      kit.ownerUrl,
      `select user_id from member where role = 'owner' and tenant_id = '${tenantId}'`,
    );
    expect(owners, JSON.stringify(answers.map(({ body }) => body?.code))).toHaveLength(1);
  }
});

test('a code of the second factor, and a recovery code, are good once', async () => {
  const { typed } = await newPerson('analyst');
  const as = (await signIn(0, typed)).body.access;
  const begun = await ask(0, 'POST /second-factor/', { as, body: { password: typed.password } });
  const codeOf = () => totpAt(begun.body.secret, kit.app.platform.clock().getTime());
  const confirmed = await ask(1, 'POST /second-factor/confirm/', { as, body: { code: codeOf() } });
  kit.later(30_000);
  for (const code of [codeOf(), ...confirmed.body.recovery_codes.slice(0, 5)]) {
    await sqlAt(kit.ownerUrl, 'delete from sign_in_window');
    const answers = await Promise.all(
      [0, 1, 0, 1].map((node) => ask(node, 'POST /token/', { body: { ...typed, code } })),
    );
    expect(statusesOf(answers)).toEqual([200, 401, 401, 401]);
  }
});

test('a refresh token goes on as one session, and its second use ends it', async () => {
  const { typed } = await newPerson('analyst');
  const first = (await signIn(0, typed)).body;
  const refresh = (node: number, token: string) =>
    ask(node, 'POST /refresh/', { body: { refresh: token } });
  const answers = await Promise.all([0, 1, 0, 1].map((node) => refresh(node, first.refresh)));
  // A lost answer may be asked for again: all are answered, by one and the same token.
  const tokens = new Set(answers.map(({ body }) => body.refresh));
  expect(statusesOf(answers)).toEqual([200, 200, 200, 200]);
  expect(tokens.size).toBe(1);
  const second = await refresh(1, [...tokens][0]!);
  const third = await refresh(0, second.body.refresh);
  expect(third.status).toBe(200);
  expect((await refresh(1, first.refresh)).status).toBe(401);
  expect((await refresh(0, third.body.refresh)).status).toBe(401);
  expect((await ask(0, 'GET /contacts/', { as: third.body.access })).status).toBe(401);
});

test('an invitation is accepted once', async () => {
  const as = await kit.keyOf('owner');
  const invited = { email: 'new@example.com', role: 'agent' };
  expect((await ask(0, 'POST /tenants/members/invite/', { as, body: invited })).status).toBe(201);
  const body = { token: await mailedToken(), name: 'New', password: 'a long enough password' };
  const answers = await Promise.all(
    [0, 1, 0, 1, 0, 1].map((node) => ask(node, 'POST /tenants/members/accept/', { body })),
  );
  expect(statusesOf(answers).filter((status) => status < 300)).toHaveLength(1);
  expect(statusesOf(answers).filter((status) => status >= 500)).toEqual([]);
});

test('a wallet is never overdrawn, and each payment and charge counts once', async () => {
  await kit.fund('sms', '+60', '0.10', '1');
  const as = await kit.keyOf('owner');
  const app = { provider: 'generic-http-sms', name: 'bulk', settings: {} };
  const { id: app_id } = (await ask(0, 'POST /sms/v1/apps/', { as, body: app })).body;
  const { db } = kit.app.platform;
  const before = (await ask(0, 'GET /tenants/host-wallet/', { as })).body;
  const affordable = Math.floor(Number(before.available) / 0.1);
  // A payment that is told to both nodes at once, while messages go out through both.
  const now = new Date();
  const pay = (reference: string) => {
    const entryId = newId('wle', () => now, randomBytes);
    const payment = { environment: 'sandbox', currency: 'USD', amount: '0.5', now } as const;
    return db.tenant(kit.tenantId, (tx) =>
      topUp(tx, kit.tenantId, { ...payment, reference, entryId }),
    );
  };
  const message = (node: number) =>
    ask(node, 'POST /sms/v1/messages/', {
      as,
      body: { to: '+60123458008', text: 'Hello', app_id },
    });
  const [answers] = await Promise.all([
    Promise.all(Array.from({ length: affordable + 30 }, (_, node) => message(node))),
    Promise.all(
      [pay('invoice 7'), pay('invoice 7'), pay('invoice 7')].map((each) =>
        each.catch(() => undefined),
      ),
    ),
  ]);
  const accepted = answers.filter(({ status }) => status === 202).length;
  expect(statusesOf(answers).filter((status) => status >= 500)).toEqual([]);
  expect(accepted).toBeGreaterThanOrEqual(affordable);
  expect(accepted).toBeLessThanOrEqual(affordable + 5);
  // One after the other all that is left is spent, and no more.
  let more = 0;
  while (more < 10 && (await message(more)).status === 202) more += 1;
  expect(accepted + more).toBe(affordable + 5);
  const ledger = await db.tenant(kit.tenantId, (tx) =>
    tx.row(
      `select count(*) filter (where reference = 'invoice 7')::int as paid,
         sum(amount) = (select balance from wallet where tenant_id = $1 and environment = 'sandbox')
           as adds_up
       from wallet_entry where tenant_id = $1 and environment = 'sandbox'`,
      [kit.tenantId],
    ),
  );
  expect(ledger).toEqual({ paid: 1, adds_up: true });
});

test('a tenant that is suspended at one node is refused at the other within a second, its streams end, and after it goes on all is as before', async () => {
  const { db } = kit.app.platform;
  const { typed } = await newPerson('owner');
  const { access, refresh } = (await signIn(0, typed)).body;
  const key = await kit.keyOf('owner');
  const reads = () =>
    Promise.all(
      [0, 1].flatMap((node) => [access, key].map((as) => ask(node, 'GET /contacts/', { as }))),
    );
  expect(statusesOf(await reads())).toEqual([200, 200, 200, 200]);
  const streams = await Promise.all(
    urls.map((url) =>
      fetch(`${url}/team-inbox/api/events/`, { headers: { authorization: `Bearer ${access}` } }),
    ),
  );
  const ended = Promise.all(streams.map((stream) => stream.text().catch(() => 'cut')));
  await db.system((tx) => setSuspended(tx, kit.tenantId, true));
  const begun = performance.now();
  await ended;
  await eventually(async () => expect(statusesOf(await reads())).toEqual([403, 403, 403, 403]));
  expect(performance.now() - begun).toBeLessThan(lateMs);
  await db.system((tx) => setSuspended(tx, kit.tenantId, false));
  await eventually(async () => expect(statusesOf(await reads())).toEqual([200, 200, 200, 200]));
  expect((await ask(1, 'POST /refresh/', { body: { refresh } })).status).toBe(200);
});

async function mailedToken(): Promise<string> {
  const folder = join(kit.home, 'mail');
  const name = (await readdir(folder)).sort().at(-1)!;
  return /^([\w-]{43})\r?$/m.exec(await readFile(join(folder, name), 'utf8'))![1]!;
}

/** A second, and what a busy machine adds. */
const lateMs = 4_000;
